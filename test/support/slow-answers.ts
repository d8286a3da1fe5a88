import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** A server that takes its time, as the page sees it. */
export interface Delay {
  /** Answers that are on their way. */
  readonly waiting: number
  /** From now on every answer takes as long as was said. */
  set(): void
  end(): Promise<void>
}

/** Holds up what the page asks its private routes for; the live stream is left alone. */
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
      // The page has gone elsewhere meanwhile.
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
