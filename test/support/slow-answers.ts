import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** Simulates a slow server for the page. */
export interface Delay {
  /** Number of responses in flight. */
  readonly waiting: number
  /** Delays every response from now on. */
  set(): void
  end(): Promise<void>
}

/** Delays the private API requests of the page, except the live stream. */
export async function delayAnswers(page: Page, milliseconds: number): Promise<Delay> {
  const pattern = /\/app\/api\/(?!live)/
  let on = false
  let waiting = 0
  await page.route(pattern, async (route) => {
    waiting++
    try {
      const slow = on
      const response = await route.fetch()
      if (slow) await sleep(milliseconds)
      await route.fulfill({ response })
    } catch {
      // The page has navigated away in the meantime.
    } finally {
      waiting--
    }
  })
  return {
    get waiting() {
      return waiting
    },
    set() {
      on = true
    },
    async end() {
      on = false
      await page.unroute(pattern)
    },
  }
}
