import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { sendBy } from '../support/outgoing.ts'
import { examine, walkTo } from '../support/page-check.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk, type SampleDesk } from '../support/sample-desk.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
let spool: TestSpool
let desk: SampleDesk
let sink: SmtpSink
before(async () => {
  if (browserMissing) return
  browser = await launchChromium()
  spool = await startSpool('sqlite', { SPOOL_UNDO_SECONDS: '30' })
  desk = await fillDesk(spool)
  sink = await startSmtpSink()
  await sendBy(spool.spool, spool.inbox, sink.port)
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
  await sink?.[Symbol.asyncDispose]()
})

const box = async (element: Locator) => (await element.boundingBox())!
const hasFocus = (element: Locator) =>
  until(`${element} has the focus`, () =>
    element.evaluate((node) => node === node.ownerDocument.activeElement),
  )

test('offline, one banner says so and covers nothing', { skip: browserMissing }, async () => {
  await using ada = await visit(spool, { browser })
  const { page } = ada
  await page.route(/\/app\/api\/(live|threads\/bulk)/, (route) => route.abort())
  await signInAt(spool, ada, spool.ada, `/open/${desk.photos.threadId}`)
  await page.getByRole('article').first().waitFor()
  const banner = page.getByRole('status').filter({ hasText: "Can't reach Spool. Retrying…" })
  await banner.waitFor()
  const { y, height } = await box(banner)
  for (const part of ['nav.rail', '.list', '.thread'])
    assert.ok((await box(page.locator(part))).y >= y + height, `${part} is below the banner`)
  assert.deepEqual(await examine(page, 'offline'), [])
  await page.keyboard.press('e')
  await page.getByText("Your change wasn't saved. Can't reach Spool.").waitFor()
  await page.unrouteAll()
  // The page tries more and more rarely, at last every 15 seconds.
  await banner.waitFor({ state: 'detached', timeout: 40_000 })
})

test('everybody in sight has a colour of their own', { skip: browserMissing }, async () => {
  await using ada = await visit(spool, { browser })
  const { page } = ada
  await signInAt(spool, ada, spool.ada, `/open/${desk.order.threadId}`)
  for (const shown of ['.row-link', '.note .av >> nth=2', 'article .av', '.draft .tail'])
    await page.locator(shown).first().waitFor()
  const shown = await page
    .locator('.av')
    .evaluateAll((all) =>
      all.map((each) => [
        each.getAttribute('data-initials'),
        each.ownerDocument.defaultView!.getComputedStyle(each).backgroundColor,
      ]),
    )
  const colours = new Map(shown as [string, string][])
  assert.ok(colours.size >= 4)
  assert.equal(new Set(colours.values()).size, colours.size, JSON.stringify([...colours]))
  assert.equal(new Set(shown.map(String)).size, colours.size, 'one person, one colour')
})

test(
  'the focus ring of a row, and the subject of a reply, cut no letter',
  { skip: browserMissing },
  async () => {
    await using ada = await visit(spool, { browser })
    const { page } = ada
    const subject = 'A question about the delivery of order 4711'
    const { threadId } = await spool.receive({ from: 'Carla Brandt <carla@brandt.example>', subject })
    await signInAt(spool, ada, spool.ada, '/open')
    assert.equal(await page.getByRole('link', { name: 'New message' }).count(), 1, 'the other is for phones')
    const row = page.locator('.row-link').first()
    const [link, name] = [await box(row), await box(row.locator('b'))]
    const ring = await row.evaluate((node) => {
      node.focus()
      const { outlineOffset, outlineWidth } = node.ownerDocument.defaultView!.getComputedStyle(node)
      return Number.parseFloat(outlineWidth) - Number.parseFloat(outlineOffset)
    })
    assert.ok(
      name.x - link.x > ring - 2,
      `the ring is ${ring} px wide, the name is ${name.x - link.x} px away`,
    )

    await walkTo(page, `/open/${threadId}`)
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    const field = page.getByLabel('Subject')
    await field.waitFor()
    assert.equal(await field.inputValue(), `Re: ${subject}`)
    assert.ok(
      await field.evaluate((node) => node.scrollWidth <= node.clientWidth),
      'the subject is shown whole',
    )
    await page.getByText('From support@shop.example').waitFor()
  },
)

test(
  'the focus is where the work is: when merging, after undoing, past the rail',
  { skip: browserMissing },
  async () => {
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada)
    await page.goto(`/open/${desk.photos.threadId}`)
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('Tab')
    const skip = page.getByRole('button', { name: 'Skip to content' })
    await hasFocus(skip)
    assert.equal(await skip.evaluate((node) => node.checkVisibility({ opacityProperty: true })), true)
    await page.keyboard.press('Enter')
    await hasFocus(page.locator('.thread .body'))

    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Merge with…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge with another thread' })
    await dialog.waitFor()
    await hasFocus(dialog.getByRole('textbox'))
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await hasFocus(page.getByRole('button', { name: 'More', exact: true }))

    await page.keyboard.press('r')
    await page.keyboard.type('On its way.')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('.bar').getByRole('button', { name: 'Undo' }).click()
    const text = page.getByLabel('Text of the mail')
    await text.waitFor()
    await page.waitForFunction(`document.activeElement?.matches('.draft textarea')`)
    assert.equal(await text.inputValue(), 'On its way.')
  },
)

test(
  'Send and close opens the next thread, and Undo returns to the draft as it was',
  { skip: browserMissing },
  async () => {
    const [below, above] = [
      await spool.receive({ subject: 'Below' }),
      await spool.receive({ subject: 'Above' }),
    ]
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, `/open/${above.threadId}`)
    await page.getByRole('article').first().waitFor()
    const text = page.getByLabel('Text of the mail')
    const unread = page.locator('.row:not(.read)', { hasText: 'Below' })
    await unread.waitFor()
    await page.keyboard.press('r')
    await page.keyboard.type('On its way.')
    for (const by of ['button', 'key']) {
      await page.getByText('Saved', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Send and close' }).click()
      await page.waitForURL(`**/open/${below.threadId}`)
      await page.getByRole('article').first().waitFor()
      await unread.waitFor({ state: 'detached' })
      if (by === 'key') await page.keyboard.press('z')
      else await page.locator('.bar').getByRole('button', { name: 'Undo' }).click()
      await page.waitForURL(`**/open/${above.threadId}`)
      await text.waitFor()
      assert.equal(await text.inputValue(), 'On its way.')
      if (by === 'button') await hasFocus(text)
      // The next one was not meant to be read.
      await unread.waitFor()
    }
    assert.deepEqual(ada.problems, [])
  },
)

test('the rail leads to each place once', { skip: browserMissing }, async () => {
  await using ada = await visit(spool, { browser })
  await signInAt(spool, ada, spool.ada, '/settings/profile')
  await ada.page.getByRole('heading', { name: 'Profile' }).waitFor()
  const rail = ada.page.getByRole('navigation', { name: 'Views' })
  const paths = await rail
    .getByRole('link')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')))
  assert.equal(new Set(paths).size, paths.length, paths.join(' '))
  // The list of settings beside it has all their pages.
  assert.deepEqual(
    paths.filter((path) => path!.startsWith('/settings')),
    ['/settings', '/settings/profile'],
  )
  for (const name of ['Closed', 'Drafts to review', 'Settings'])
    assert.equal(await rail.getByRole('link', { name }).count(), 1)
  const icons = await ada.page
    .locator('.rail .icon path')
    .evaluateAll((all) => all.map((each) => each.getAttribute('d')))
  assert.equal(new Set(icons).size, icons.length, 'each has its own icon')
  assert.ok(!icons.includes('M15 5l-7 7 7 7'), 'signing out is not going back')
})

test(
  'on a phone, a new message is one tap away, a list has its name and a note a button',
  { skip: browserMissing },
  async () => {
    await using ada = await visit(spool, { browser, width: 390, height: 844, touch: true })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, `/open/${desk.newsletter.threadId}`)
    await page.getByRole('button', { name: /^Notes/ }).click()
    await page.getByPlaceholder('Write a note…').fill('Not for us.')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('log').getByText('Not for us.').waitFor()
    const edit = page.locator('.note').getByRole('button', { name: 'Edit' })
    await until('who cannot hover sees how to edit it', () =>
      edit.evaluate((link) => link.checkVisibility({ opacityProperty: true })),
    )
    await walkTo(page, '/open')
    const title = await box(page.getByRole('heading', { name: 'All open' }))
    assert.ok(title.height > 10, 'which list it is can be read')
    await walkTo(page, '/search?q=order')
    await page.getByRole('button', { name: 'Save view' }).tap()
    const cancel = await box(page.getByRole('button', { name: 'Cancel' }))
    const density = await box(page.getByRole('button', { name: 'Compact rows' }))
    assert.ok(cancel.x + cancel.width <= density.x, 'the form fits')
    await page.getByRole('link', { name: 'New message' }).click()
    await page.getByRole('heading', { name: 'New message' }).waitFor()
  },
)

test('on a phone, a snoozed thread says until when', { skip: browserMissing }, async () => {
  const { threadId } = await spool.receive({ subject: 'Next season' })
  const until = Date.now() + 30 * 86_400_000
  await changeStatus(spool.spool, spool.actor, threadId, 'snoozed', until)
  const vera = await spool.makeUser('vera@shop.example', 'viewer', [spool.inbox])
  for (const [user, kind] of [
    [spool.ada, 'button'],
    [vera, 'chip'],
  ] as const) {
    await using reader = await visit(spool, { browser, width: 360, height: 740, touch: true })
    const { page } = reader
    await signInAt(spool, reader, user, `/snoozed/${threadId}`)
    await page
      .locator('.head .acts small')
      .getByText(/^until \d/)
      .waitFor()
    await takePicture(page, `snoozed-phone-${kind}`)
    const { width } = await box(page.locator('.head'))
    assert.ok(
      await page.locator('.head').evaluate((head) => head.scrollWidth <= head.clientWidth),
      `${width}`,
    )
  }
})

test(
  "beside an agent's draft a reply can be written, and on a narrow phone its buttons share a line",
  { skip: browserMissing },
  async () => {
    await using ada = await visit(spool, { browser, width: 360, height: 740, touch: true })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, `/open/${desk.order.threadId}`)
    await page.getByRole('region', { name: 'Draft by Triage' }).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).tap()
    await page.getByRole('menuitem', { name: /^Reply ?r$/ }).tap()
    const card = page.getByRole('region', { name: 'Draft by Ada' })
    await hasFocus(card.getByLabel('Text of the mail'))
    const [send, discard] = await Promise.all(
      ['Send', 'Discard…'].map((name) => box(card.getByRole('button', { name, exact: true }))),
    )
    assert.equal(discard!.y, send!.y)
    await page.route('**/app/api/drafts', () => undefined)
    await page.keyboard.type('Soon.')
    const saving = card.locator('.save.saving')
    await saving.waitFor({ state: 'attached' })
    assert.equal(await saving.isVisible(), false, 'the buttons stay where they are')
  },
)

test('on a phone, going back closes the open rail', { skip: browserMissing }, async () => {
  await using ada = await visit(spool, { browser, width: 390, height: 844, touch: true })
  const { page } = ada
  await signInAt(spool, ada, spool.ada, '/open')
  await page.goto('/waiting')
  const rail = page.getByRole('navigation', { name: 'Views' })
  const menu = page.getByRole('button', { name: /^Show views/ })
  const closed = async (path: string): Promise<void> => {
    await rail.waitFor({ state: 'hidden' })
    assert.equal(new URL(page.url()).pathname, path)
  }
  await menu.tap()
  await rail.waitFor()
  await page.goBack()
  await closed('/waiting')
  // A place chosen there, or closing it otherwise, leaves no entry behind.
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => rail.getByRole('link', { name: 'Waiting' }).tap(),
    () => rail.getByRole('button', { name: /^Theme/ }).tap(),
  ]) {
    await menu.tap()
    await rail.waitFor()
    await close()
    await closed('/waiting')
    await page.waitForFunction('history.state === null')
  }
  await menu.tap()
  await rail.getByRole('link', { name: 'Closed' }).tap()
  await closed('/closed')
  await page.goBack()
  await closed('/waiting')
  await page.goBack()
  await closed('/open')
  assert.deepEqual(ada.problems, [])
})

test('Escape closes the list of names in a note, and only that', { skip: browserMissing }, async () => {
  await using ada = await visit(spool, { browser })
  const { page } = ada
  await signInAt(spool, ada, spool.ada, `/open/${desk.newsletter.threadId}`)
  await page.getByRole('article').first().waitFor()
  const field = page.getByPlaceholder('Write a note…')
  const names = page.getByRole('listbox', { name: 'People to mention' })
  await page.keyboard.press('n')
  await page.keyboard.type('Ask @To')
  await names.waitFor()
  await page.keyboard.press('Escape')
  await names.waitFor({ state: 'detached' })
  await hasFocus(field)
  // It stays closed for this name, and opens again for the next.
  await page.keyboard.type('m')
  assert.equal(await names.count(), 0)
  await page.keyboard.type(' or @')
  await names.waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  const note = page.locator('.note', { hasText: 'Ask @Tom or @' })
  await note.waitFor()

  await note.hover()
  await note.getByRole('button', { name: 'Edit' }).click()
  const own = page.getByRole('textbox', { name: 'Edit' })
  await own.press('End')
  await own.press('Backspace')
  await page.keyboard.type('@')
  await names.waitFor()
  await page.keyboard.press('Escape')
  await names.waitFor({ state: 'detached' })
  await hasFocus(own)
  await page.keyboard.press('Escape')
  await own.waitFor({ state: 'detached' })
  assert.deepEqual(ada.problems, [])
})

/** How far the first letter of an element is from the element's right edge, in pixels. */
const fromRight = (page: Page, selector: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const element = document.querySelector('${selector}')
    const letter = document.createRange()
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
    letter.setStart(text, 0)
    letter.setEnd(text, 1)
    return element.getBoundingClientRect().right - letter.getBoundingClientRect().right
  })()`)

test(
  'text from right to left starts at the right, and a long name ends before the time',
  { skip: browserMissing },
  async () => {
    const words = 'لم يصل طلبي رقم 4711 حتى الآن. هل يمكنكم مساعدتي؟'
    const { threadId } = await spool.receive({
      from: `"${'Wolfeschlegelsteinhausen'.repeat(3)}" <wolfe@long.example>`,
      subject: 'طلب رقم 4711',
      text: `${words} `.repeat(4),
    })
    await using ada = await visit(spool, { browser, width: 390, height: 844, touch: true })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, '/open')
    const row = `[data-thread="${threadId}"]`
    await page.locator(row).waitFor()
    for (const part of ['.sub', '.pre']) {
      const distance = await fromRight(page, `${row} ${part}`)
      assert.ok(distance >= 0 && distance < 30, `${part}: ${distance}`)
    }
    await page.locator(row).tap()
    await page.getByRole('article').waitFor()
    assert.ok((await fromRight(page, '.msg .mail-text')) < 30)
    const header = page.locator('.msg > header')
    const sender = await box(header.locator('.sender'))
    assert.ok(sender.x + sender.width <= (await box(header.locator('time'))).x)
    await page.getByRole('button', { name: 'Reply', exact: true }).tap()
    await page.keyboard.type(words)
    await until('the reply starts there as well', async () => (await fromRight(page, '.text-copy')) < 30)
  },
)
