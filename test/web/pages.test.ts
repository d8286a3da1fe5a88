import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { examine, walkTo } from '../support/page-check.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk, type SampleDesk } from '../support/sample-desk.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

let browser: Browser
let spool: TestSpool
let desk: SampleDesk
before(async () => {
  if (browserMissing) return
  browser = await launchChromium()
  spool = await startSpool('sqlite')
  desk = await fillDesk(spool)
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
})

interface MainPage {
  name: string
  path: string
  /** There when it is ready to be looked at. */
  ready: string
  open?: (page: Page) => Promise<void>
}

const pages = (): MainPage[] => [
  { name: 'list', path: '/open', ready: '.row-link' },
  { name: 'thread', path: `/open/${desk.order.threadId}`, ready: '.draft .tail' },
  { name: 'review', path: `/review/${desk.order.threadId}`, ready: '.draft .tail' },
  { name: 'stale', path: `/review/${desk.invoice.threadId}`, ready: '.stale' },
  { name: 'drafts', path: '/review', ready: '.row-link' },
  { name: 'formatted-mail', path: `/open/${desk.newsletter.threadId}`, ready: '.mail-frame iframe' },
  { name: 'files', path: `/open/${desk.photos.threadId}`, ready: '.file' },
  { name: 'search', path: '/search?q=order%20is%3Aunread', ready: '.filters' },
  { name: 'nothing-found', path: '/search?q=zzz', ready: '.empty' },
  { name: 'compose', path: '/compose', ready: '.draft textarea' },
  {
    name: 'help',
    path: '/open',
    ready: '.row-link',
    open: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
]

const looks = [
  { name: 'light', width: 1440, height: 900 },
  { name: 'dark', width: 1440, height: 900, dark: true },
  { name: 'phone', width: 390, height: 844 },
]

for (const look of looks)
  test(
    `${look.name}: every main page is whole, in sight and accessible`,
    { skip: browserMissing },
    async () => {
      await using ada = await visit(spool, { ...look, browser })
      const { page } = ada
      await page.goto('/')
      await page.getByLabel('E-mail').waitFor()
      const faults = await examine(page, `sign-in-${look.name}`)
      await signInAt(spool, ada, spool.ada)
      for (const { name, path, ready, open } of pages()) {
        await walkTo(page, path)
        await page.locator(ready).first().waitFor()
        await open?.(page)
        faults.push(...(await examine(page, `${name}-${look.name}`)))
      }
      assert.deepEqual(faults, [])
      assert.deepEqual(ada.problems, [])
    },
  )
