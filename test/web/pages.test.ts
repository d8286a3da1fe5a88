import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { examine, walkTo } from '../support/page-check.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk, type SampleDesk } from '../support/sample-desk.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { signInAs } from '../support/web-client.ts'

let browser: Browser
let spool: TestSpool
let desk: SampleDesk
let invitation: string
before(async () => {
  if (browserMissing) return
  browser = await launchChromium()
  spool = await startSpool('sqlite')
  desk = await fillDesk(spool)
  const admin = await signInAs(spool, spool.ada)
  const wanted = { email: 'alan@shop.example', name: 'Alan', role: 'member', inboxes: [spool.inbox.id] }
  const { url } = await admin.do<{ url: string }>('POST', '/invitations', wanted)
  invitation = url.slice(spool.url.length)
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
})

interface MainPage {
  name: string
  path: string
  /** Present when the page is ready. */
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
  { name: 'empty', path: '/snoozed', ready: '.empty' },
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
  {
    name: 'palette',
    path: `/open/${desk.photos.threadId}`,
    ready: '.file',
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'preview',
    path: `/open/${desk.photos.threadId}`,
    ready: '.file',
    open: async (page) => {
      await page.getByRole('button', { name: 'Preview delivery-note.pdf' }).click()
      // The sample is no more than the beginning of a PDF.
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'selection',
    path: '/open',
    ready: '.row-link',
    open: async (page) => {
      for (const at of [0, 1]) await page.locator('.pick input').nth(at).check({ force: true })
      await page.getByRole('toolbar', { name: '2 selected' }).waitFor()
    },
  },
  {
    name: 'snooze',
    path: `/open/${desk.photos.threadId}`,
    ready: '.file',
    open: async (page) => {
      await page.keyboard.press('s')
      await page.getByRole('dialog', { name: 'Snooze' }).waitFor()
    },
  },
  {
    name: 'assign',
    path: `/open/${desk.photos.threadId}`,
    ready: '.file',
    open: async (page) => {
      await page.keyboard.press('i')
      await page.getByRole('menuitem', { name: 'Tom' }).waitFor()
    },
  },
  {
    name: 'join',
    path: `/open/${desk.photos.threadId}`,
    ready: '.file',
    open: async (page) => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Merge with…' }).click()
      await page.getByRole('dialog').getByRole('textbox').fill('order')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Bulk order/ })
        .click()
      await page.getByRole('dialog', { name: 'Merge these two threads?' }).waitFor()
    },
  },
  {
    name: 'versions',
    path: `/review/${desk.order.threadId}`,
    ready: '.draft .tail',
    open: press('Versions'),
  },
  {
    name: 'picture',
    path: `/open/${desk.photos.threadId}`,
    ready: '.thumb',
    open: press('Image corner.png'),
  },
  { name: 'discard', path: `/review/${desk.order.threadId}`, ready: '.draft .tail', open: press('Discard…') },
]

/** A button that opens a dialog. */
function press(name: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').waitFor()
  }
}

/** Pages for people who are not signed in. */
const gates = (): MainPage[] => [
  { name: 'sign-in', path: '/', ready: 'input[type=email]' },
  {
    name: 'sign-in-refused',
    path: '/',
    ready: 'input[type=email]',
    open: async (page) => {
      await page.getByLabel('E-mail').fill('nobody@shop.example')
      await page.getByLabel('Password').fill('not the password')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'set-up-over', path: '/setup#a-link', ready: '[role=alert]' },
  { name: 'invitation', path: invitation, ready: 'input[type=password]' },
  { name: 'invitation-gone', path: '/invitations#gone', ready: '[role=alert]' },
]

const looks = [
  { name: 'light', width: 1440, height: 900 },
  { name: 'dark', width: 1024, height: 768, dark: true },
  { name: 'phone', width: 390, height: 844 },
]

for (const look of looks)
  test(
    `${look.name}: every main page is complete, visible and accessible`,
    { skip: browserMissing },
    async () => {
      await using ada = await visit(spool, { ...look, browser })
      const { page } = ada
      const faults: string[] = []
      for (const { name, path, ready, open } of gates()) {
        // The browser treats two URLs that differ only in the fragment as one page.
        await page.goto('about:blank')
        await page.goto(path)
        await page.locator(ready).first().waitFor()
        await open?.(page)
        faults.push(...(await examine(page, `${name}-${look.name}`)))
      }
      await signInAt(spool, ada, spool.ada)
      for (const { name, path, ready, open } of pages()) {
        await walkTo(page, path)
        await page.locator(ready).first().waitFor()
        await open?.(page)
        faults.push(...(await examine(page, `${name}-${look.name}`)))
        if (open) await page.keyboard.press('Escape')
      }
      assert.deepEqual(faults, [])
      assert.deepEqual(ada.problems, [])
    },
  )
