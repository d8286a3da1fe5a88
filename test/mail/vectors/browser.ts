import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../support/parts/chromium.ts'
import { skipWithout } from '../../support/parts/install.ts'

const script = readFileSync(new URL('./page.js', import.meta.url), 'utf8')
const address = 'http://inbox.test/'

/** A reason to skip, where there is no browser. */
export const noBrowser = skipWithout('chromium')

/** No name leads anywhere. */
export function startBrowser(): Promise<Browser> {
  return launchChromium('--host-resolver-rules=MAP * 0.0.0.0')
}

export interface Shown {
  id: number
  html: string
}

export interface Observed {
  /** Numbers of vectors whose script ran. */
  hits: Set<number>
  /** Every address asked for, but the page itself. */
  requests: string[]
  dialogs: number
  clobbered: Set<number>
  problems: { id: number; problem: string }[]
}

export interface Allowed {
  elements: string[]
  attributes: string[]
}

/** Shows cleaned vectors, looks at what the browser made of them, pokes them, and tells what came of it. */
export async function observeCleaned(
  browser: Browser,
  vectors: readonly Shown[],
  allowed: Allowed,
  apart: boolean,
): Promise<Observed> {
  return observe(browser, vectors, apart ? 60 : 650, async (page, batch, seen) => {
    const ids = batch.map(({ id }) => id)
    await call(page, apart ? 'showApart' : 'showTogether', batch)
    seen.problems.push(...(await call<Observed['problems']>(page, 'inspectVectors', allowed, ids)))
    await call(page, 'rewriteVectors')
    seen.problems.push(...(await call<Observed['problems']>(page, 'inspectVectors', allowed, ids)))
  })
}

/** Shows vectors as they are, each in a document of its own, pokes them, and tells what came of it. */
export async function observeRaw(browser: Browser, vectors: readonly Shown[]): Promise<Observed> {
  return observe(browser, vectors, 60, async (page, batch) => {
    await call(page, 'showApart', batch)
  })
}

async function observe(
  browser: Browser,
  vectors: readonly Shown[],
  batchSize: number,
  show: (page: Page, batch: readonly Shown[], seen: Observed) => Promise<void>,
): Promise<Observed> {
  const seen: Observed = { hits: new Set(), requests: [], dialogs: 0, clobbered: new Set(), problems: [] }
  const page = await openPage(browser, seen)
  for (let at = 0; at < vectors.length; at += batchSize) {
    await page.goto(address)
    await show(page, vectors.slice(at, at + batchSize), seen)
    for (const id of await call<number[]>(page, 'findClobbered')) seen.clobbered.add(id)
    await call(page, 'pokeVectors')
    for (const id of await page.evaluate<number[]>('window.hits')) seen.hits.add(id)
  }
  await page.context().close()
  return seen
}

/** An empty page of the inbox, where every request is answered here and written down. */
async function openPage(browser: Browser, seen: Pick<Observed, 'requests' | 'dialogs'>): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.on('dialog', (dialog) => {
    seen.dialogs++
    dialog.dismiss().catch(() => {})
  })
  context.on('page', (popup) => popup.close().catch(() => {}))
  await context.route('**/*', async (route) => {
    const url = route.request().url()
    if (url === address) {
      return route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><body><script>${script}</script>`,
      })
    }
    seen.requests.push(url)
    // No content: a frame stays where it is, and an image fails.
    return route.fulfill({ status: 204 }).catch(() => {})
  })
  await page.goto(address)
  return page
}

/** What a reader sees of a whole document: its text as laid out. */
export async function readVisibleText(page: Page, html: string): Promise<string> {
  await page.setContent(html, { waitUntil: 'domcontentloaded' })
  return page.evaluate<string>('document.body.innerText')
}

function call<T>(page: Page, name: string, ...passed: unknown[]): Promise<T> {
  return page.evaluate<T>(`window.${name}(${passed.map((value) => JSON.stringify(value)).join(', ')})`)
}
