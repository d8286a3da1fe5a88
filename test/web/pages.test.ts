import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
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
  { name: 'account', path: '/account', ready: '.card' },
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
    name: 'join',
    path: `/open/${desk.photos.threadId}`,
    ready: '.file',
    open: async (page) => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Join with another thread…' }).click()
      await page.getByRole('dialog').getByRole('textbox').fill('order')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Bulk order/ })
        .click()
    },
  },
  {
    name: 'versions',
    path: `/review/${desk.order.threadId}`,
    ready: '.draft .tail',
    open: press('Versions'),
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

/** Where people are who are not signed in yet. */
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
  { name: 'set-up', path: '/setup#a-link', ready: 'input[type=email]' },
  { name: 'invitation', path: invitation, ready: 'input[type=password]' },
  { name: 'invitation-gone', path: '/invitations#gone', ready: '[role=alert]' },
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
      const faults: string[] = []
      // Forms and dialogs are made of the same on a phone, only narrower.
      const isPhone = look.name === 'phone'
      for (const { name, path, ready, open } of gates()) {
        // Two addresses that differ behind the # only are one page to the browser.
        await page.goto('about:blank')
        await page.goto(path)
        await page.locator(ready).first().waitFor()
        await open?.(page)
        faults.push(...(await examine(page, `${name}-${look.name}`, !isPhone)))
      }
      await signInAt(spool, ada, spool.ada)
      for (const { name, path, ready, open } of pages()) {
        await walkTo(page, path)
        await page.locator(ready).first().waitFor()
        await open?.(page)
        faults.push(...(await examine(page, `${name}-${look.name}`, !isPhone || !open)))
        if (open) await page.keyboard.press('Escape')
      }
      assert.deepEqual(faults, [])
      assert.deepEqual(ada.problems, [])
    },
  )

/** Within the page, as a link does; each is loaded whole by its address in the other tests. */
async function walkTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
}

async function examine(page: Page, name: string, withAxe: boolean): Promise<string[]> {
  await takePicture(page, name)
  const faults = (await page.evaluate(findFaults)) as string[]
  return [...faults, ...(withAxe ? await runAxe(page) : [])].map((fault) => `${name}: ${fault}`)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function runAxe(page: Page): Promise<string[]> {
  // Through the debugger: the page's own policy lets no such script in.
  if (!(await page.evaluate(`typeof axe !== 'undefined'`))) await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    `axe.run(document, { iframes: false, resultTypes: ['violations'] })`,
  )) as { violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}

/** Runs in the page: what sticks out to the side, is cut off, or cannot be reached. */
const findFaults = `(() => {
  const faults = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) faults.push('the page is ' + (root.scrollWidth - innerWidth) + ' px too wide')
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const name = (element) => element.tagName + '.' + element.className + ' "' + (element.textContent || '').slice(0, 40) + '"'
  const scrolls = (element) => {
    for (let each = element.parentElement; each; each = each.parentElement)
      if (/auto|scroll/.test(getComputedStyle(each).overflowY + getComputedStyle(each).overflowX)) return true
    return false
  }
  for (const element of document.querySelectorAll('button, a, input, select, textarea, summary')) {
    if (!shown(element) || element.closest('.hidden, .pick')) continue
    const box = element.getBoundingClientRect()
    if (box.width === 0 || box.height === 0) continue
    if (box.left < -1 || box.right > innerWidth + 1) faults.push('to the side: ' + name(element))
    else if ((box.bottom < 0 || box.top > innerHeight) && !scrolls(element)) faults.push('out of sight: ' + name(element))
  }
  for (const element of document.querySelectorAll('button, .chip, h1, h2, label, p, summary, .words')) {
    if (!shown(element) || element.closest('.hidden')) continue
    const style = getComputedStyle(element)
    const cut = element.scrollWidth > element.clientWidth + 1 && style.overflowX !== 'visible' && style.overflowX !== 'auto'
    if (cut && style.textOverflow !== 'ellipsis') faults.push('clipped: ' + name(element))
  }
  return faults
})()`
