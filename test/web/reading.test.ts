import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page, Route } from 'playwright-core'
import { proposeDraft } from '../../src/core/drafts/drafts.ts'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { agentOf } from '../support/agents.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { openDesk } from '../support/desk.ts'
import { examine, walkTo } from '../support/page-check.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
let spool: TestSpool
before(async () => {
  if (browserMissing) return
  browser = await launchChromium()
  spool = await startSpool('sqlite')
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
})

const hour = 3_600_000

test('closing a thread by its button goes on to the next', { skip: browserMissing }, async () => {
  const desk = await openDesk(spool)
  const now = Date.now()
  const received = await desk.receiveAll(
    [1, 2, 3].map((number) => ({ subject: `Question ${number}`, date: now - number * hour })),
  )
  await using reader = await visit(spool, { browser })
  const { page } = reader
  await signInAt(spool, reader, desk.user, `/open/${received[0]!.threadId}`)
  const heading = page.locator('.thread .head h1')
  const close = page.getByRole('button', { name: 'Close and go to next' })
  await heading.getByText('Question 1').waitFor()
  // The next one is known by the list.
  await page.locator('.row-link').nth(2).waitFor()
  await close.click()
  await heading.getByText('Question 2').waitFor()
  await close.click()
  await heading.getByText('Question 3').waitFor()
  for (const { threadId } of received.slice(0, 2))
    await until('it is closed', async () => (await desk.thread(threadId)).status === 'closed')
  assert.equal((await desk.thread(received[2]!.threadId)).status, 'open')
  // The last one leaves the list empty, and the list is what is shown.
  await close.click()
  await page.waitForURL(/\/open$/)
  // A closed thread is not closed again.
  await walkTo(page, `/closed/${received[0]!.threadId}`)
  await heading.getByText('Question 1').waitFor()
  assert.equal(await close.count(), 0)
  assert.deepEqual(reader.problems, [])
})

test('a subject and the name of a file are shown whole, however long', { skip: browserMissing }, async () => {
  const desk = await openDesk(spool)
  const end = 'and this is its end'
  const subject = `${'Where is my order, which I am still waiting for? '.repeat(7)}${end}`
  const filename = `${'invoice-'.repeat(20)}${end.replaceAll(' ', '-')}.txt`
  const attachments = [{ filename, type: 'application/octet-stream', content: 'Paid.' }]
  const { threadId } = await desk.receive({ subject, attachments })
  for (const width of [1440, 390]) {
    await using reader = await visit(spool, { browser, width })
    const { page } = reader
    await signInAt(spool, reader, desk.user, `/open/${threadId}`)
    for (const place of [page.locator('.thread .head h1'), page.locator('.file a span')]) {
      await place.waitFor()
      const {
        width: needed,
        height,
        room,
      } = await place.evaluate((node) => ({
        width: node.scrollWidth - node.clientWidth,
        height: node.scrollHeight - node.clientHeight,
        room: node.ownerDocument.defaultView!.innerWidth - node.getBoundingClientRect().right,
      }))
      assert.deepEqual([needed > 0, height > 0, room >= 0], [false, false, true], await place.innerText())
    }
    await takePicture(page, `long-subject-${width}`)
    assert.deepEqual(await examine(page, `long-subject-${width}`), [])
  }
})

test('a thread that could not be loaded can be tried again', { skip: browserMissing }, async () => {
  const desk = await openDesk(spool)
  const { threadId } = await desk.receive({ subject: 'Far away' })
  await using reader = await visit(spool, { browser })
  const { page } = reader
  await signInAt(spool, reader, desk.user, '/open')
  const itself = `**/app/api/threads/${threadId}?*`
  await page.route(itself, (route) => route.abort())
  await page.locator(`[data-thread="${threadId}"]`).click()
  await page.locator('.thread').getByText("Can't reach Spool.").waitFor()
  await page.unroute(itself)
  await page.locator('.thread').getByRole('button', { name: 'Try again' }).click()
  await page.locator('.thread .head h1').getByText('Far away').waitFor()
})

test(
  'what one has just changed stays, also when an answer from before comes',
  { skip: browserMissing },
  async () => {
    const desk = await openDesk(spool)
    const messageId = `<changed@${desk.inbox.id}>`
    const { threadId } = await desk.receive({ messageId })
    await using reader = await visit(spool, { browser })
    const { page } = reader
    const [live, before] = [Promise.withResolvers<Route>(), Promise.withResolvers<Route>()]
    await page.route('**/app/api/live', (route) => live.resolve(route), { times: 1 })
    await signInAt(spool, reader, desk.user, `/open/${threadId}`)
    await page.getByRole('article').waitFor()
    // The page reads the thread again when it begins to hear news; only that is answered, and late.
    await page.route(`**/app/api/threads/${threadId}?*`, (route) => before.resolve(route))
    await desk.receive({ inReplyTo: messageId, text: 'One more thing.' })
    await (await live.promise).continue()
    const route = await before.promise
    const old = await route.fetch()
    const changed = ['Assigned to', 'Status: Waiting'].map((name) => page.getByRole('button', { name }))
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Status: Open' }).click()
    await page.getByRole('menuitem', { name: 'Waiting' }).click()
    for (const button of changed) await button.waitFor()
    await until('it is waiting', async () => (await desk.thread(threadId)).status === 'waiting')
    await route.fulfill({ response: old })
    await page.getByRole('article').getByText('One more thing.').waitFor()
    assert.deepEqual(await Promise.all(changed.map((button) => button.count())), [1, 1])
    assert.deepEqual(reader.problems, [])
  },
)

test('news that comes while a thread is loaded is shown', { skip: browserMissing }, async () => {
  const desk = await openDesk(spool)
  const messageId = `<loading@${desk.inbox.id}>`
  const { threadId } = await desk.receive({ messageId })
  await using reader = await visit(spool, { browser })
  const { page } = reader
  await signInAt(spool, reader, desk.user, `/open/${threadId}`)
  await page.getByRole('article').waitFor()
  const held = Promise.withResolvers<Route>()
  await page.route(`**/app/api/threads/${threadId}?*`, (route) => held.resolve(route), { times: 1 })
  await desk.receive({ inReplyTo: messageId, text: 'One more thing.' })
  const route = await held.promise
  const answer = await route.fetch()
  await desk.receive({ inReplyTo: messageId, text: 'And another.' })
  await page.locator('.row', { hasText: 'And another.' }).waitFor()
  await route.fulfill({ response: answer })
  await page.getByRole('article').getByText('And another.').waitFor()
  assert.deepEqual(reader.problems, [])
})

test(
  'what the server has not answered yet stays when the thread is loaded again',
  { skip: browserMissing },
  async () => {
    const desk = await openDesk(spool)
    const messageId = `<unanswered@${desk.inbox.id}>`
    const { threadId } = await desk.receive({ messageId })
    await using reader = await visit(spool, { browser })
    const { page } = reader
    await signInAt(spool, reader, desk.user, `/open/${threadId}`)
    await page.getByRole('article').waitFor()
    const held = Promise.withResolvers<Route>()
    await page.route('**/app/api/threads/bulk', (route) => held.resolve(route), { times: 1 })
    await page.keyboard.press('m')
    const assigned = page.getByRole('button', { name: 'Assigned to' })
    await assigned.waitFor()
    await desk.receive({ inReplyTo: messageId, text: 'One more thing.' })
    await page.getByRole('article').getByText('One more thing.').waitFor()
    assert.equal(await assigned.count(), 1)
    await (await held.promise).continue()
    await until('it is assigned', async () => (await desk.thread(threadId)).assignment !== null)
    assert.deepEqual(reader.problems, [])
  },
)

test(
  'all recipients can be seen, one by one, and a thread can be printed',
  { skip: browserMissing },
  async () => {
    const desk = await openDesk(spool)
    const guests = Array.from({ length: 60 }, (_, at) => `Guest ${at} <guest-${at}@brandt.example>`)
    const { threadId } = await desk.receive({
      subject: 'To many',
      to: [`${desk.inbox.address}`, ...guests].join(',\r\n '),
      text: `${Array.from({ length: 120 }, (_, at) => `Line ${at} of a long letter.`).join('\n')}\nThe very last line.`,
      attachments: [{ filename: 'guests.txt', type: 'text/plain', content: 'Guest 0' }],
    })
    await using reader = await visit(spool, { browser })
    const { page } = reader
    await signInAt(spool, reader, desk.user, `/open/${threadId}`)
    const mail = page.getByRole('article')
    await mail.locator('summary').click()
    const lines = mail.locator('.mail-details dd').filter({ hasText: 'guest-59@' }).locator('span')
    // The details are loaded when somebody first looks at them.
    await lines.last().waitFor()
    assert.equal(await lines.count(), 61)
    assert.equal(await lines.last().innerText(), 'Guest 59 <guest-59@brandt.example>')
    const [first, second] = await Promise.all([lines.nth(0).boundingBox(), lines.nth(1).boundingBox()])
    assert.ok(first!.y < second!.y, 'one below the other')
    assert.deepEqual(await examine(page, 'recipients'), [])

    await page.emulateMedia({ media: 'print' })
    for (const gone of [
      'nav.rail',
      'section.list',
      'aside.notes',
      '.acts',
      '.answer',
      '.msg > header .menu',
      '.file button',
    ])
      assert.equal(await page.locator(gone).first().isVisible(), false, gone)
    const left = await page.evaluate<string[]>(
      `['html', 'body', '.app', 'main', '.thread', '.body'].filter((each) => {
      const box = document.querySelector(each)
      return box.scrollHeight > box.clientHeight + 1 && getComputedStyle(box).overflowY !== 'visible'
    })`,
    )
    assert.deepEqual(left, [], 'nothing of the mail is left inside a box that scrolls')
    assert.ok(await page.getByRole('heading', { name: 'To many' }).isVisible())
    const printed = await page.pdf()
    // More than one sheet: it is not cut where the screen ends.
    assert.ok(printed.toString('latin1').split(/\/Type\s*\/Page\b/).length > 3, 'several sheets')
    await takePicture(page, 'print')
    assert.deepEqual(reader.problems, [])
  },
)

test(
  'beside a thread stands who wrote, what is open and what was before',
  { skip: browserMissing },
  async () => {
    const desk = await openDesk(spool)
    const now = Date.now()
    const letter = (subject: string, ago: number, from?: string) =>
      desk.receive({
        subject,
        date: now - ago * hour,
        ...(from ? { from } : {}),
        messageId: `<${subject.replaceAll(' ', '-')}@${desk.inbox.id}>`,
      })
    const before = await letter('An earlier order', 900)
    await changeStatus(spool.spool, desk.actor, before.threadId, 'closed', null)
    const other = await letter('Another open one', 90)
    await letter('Somebody else', 80, 'Jonas Weber <jonas@weber.example>')
    const here = await letter('The present one', 2)
    await desk.receive({
      from: 'Jonas Weber <jonas@weber.example>',
      subject: 'Re: The present one',
      date: now - hour,
      inReplyTo: `<The-present-one@${desk.inbox.id}>`,
      text: 'I am copied.',
    })
    await using reader = await visit(spool, { browser })
    const { page } = reader
    await signInAt(spool, reader, desk.user, `/open/${other.threadId}`)
    const carla = page.getByRole('region', { name: 'About Carla Brandt' })
    await carla.getByRole('link', { name: /The present one/ }).click()
    await page.waitForURL(`**/open/${here.threadId}`)
    // The newest mail is Jonas's.
    const jonas = page.getByRole('region', { name: 'About Jonas Weber' })
    await jonas.getByRole('link', { name: /Somebody else/ }).waitFor()
    await page.getByRole('button', { name: 'About Carla Brandt' }).click()
    await carla.getByText('carla@brandt.example').waitFor()
    await carla.getByRole('link', { name: /Another open one/ }).waitFor()
    const earlier = carla.getByRole('link', { name: /An earlier order/ })
    await earlier.waitFor()
    assert.equal(await carla.getByRole('link', { name: /Somebody else|The present one/ }).count(), 0)
    assert.deepEqual(await examine(page, 'person'), [])
    await earlier.click()
    await page.locator('.thread .head h1').getByText('An earlier order').waitFor()
    assert.deepEqual(reader.problems, [])
  },
)

test(
  'a thread of 400 messages opens like one of 20, and showing earlier ones keeps the place',
  { skip: browserMissing },
  async () => {
    const desk = await openDesk(spool)
    const write = async (count: number) => {
      const root = `<${count}@${desk.inbox.id}>`
      const start = Date.now() - (count + 1) * hour
      const received = await desk.receiveAll(
        Array.from({ length: count }, (_, at) => ({
          subject: `${count} messages`,
          date: start + at * hour,
          text: `This is number ${at}.`,
          html: `<p>This is <b>number ${at}</b>.</p>${'<p>And more of it.</p>'.repeat(40)}`,
          ...(at === 0 ? { messageId: root } : { inReplyTo: root, references: [root] }),
        })),
      )
      return received
    }
    const [short, long] = [await write(20), await write(400)]
    const threadId = long[0]!.threadId
    await using reader = await visit(spool, { browser })
    const { page } = reader
    await signInAt(spool, reader, desk.user)
    await page.locator('.row-link').first().waitFor()
    const few = await openAndWeigh(page, short[0]!.threadId, 19)
    const many = await openAndWeigh(page, threadId, 399)
    assert.ok(many.bytes < 2 * few.bytes, `${many.bytes} bytes against ${few.bytes}`)
    assert.ok(many.elements < 1.6 * few.elements, `${many.elements} elements against ${few.elements}`)

    const messages = page.locator('.msg')
    const shown = await messages.count()
    assert.ok(shown < 60, `${shown} messages`)
    const earlier = page.getByRole('button', { name: 'Show earlier messages' })
    for (let clicks = 0; clicks < 8 && (await earlier.count()) > 0; clicks++) {
      const top = await messages.count()
      await earlier.scrollIntoViewIfNeeded()
      // The first one that stands below the button.
      const name = await messages.first().innerText()
      const before = (await messages.first().boundingBox())!
      await earlier.click()
      await until('more are shown', async () => (await messages.count()) > top)
      const same = messages.nth((await messages.count()) - top)
      assert.equal(await same.innerText(), name)
      const after = (await same.boundingBox())!
      assert.ok(Math.abs(after.y - before.y) <= 2, `moved from ${before.y} to ${after.y}`)
    }
    assert.equal(await messages.count(), 400)
    await messages.first().getByText('This is number 0.').waitFor()
    await takePicture(page, 'long-thread')

    // What a draft quotes is shown, however far back it stands.
    const triage = await agentOf(spool.spool, await spool.makeToken(desk.user, { name: 'Triage' }))
    await proposeDraft(spool.spool, triage, {
      threadId,
      text: 'You wrote that this is number 300.',
      citations: [{ messageId: long[300]!.messageId, quote: 'This is number 300.' }],
    })
    await page.reload()
    await page.locator(`article#${long[300]!.messageId}`).waitFor()
    assert.deepEqual(reader.problems, [])
  },
)

test(
  'mail that arrives while the tab is hidden stays unread until it is seen',
  { skip: browserMissing },
  async () => {
    const desk = await openDesk(spool)
    const messageId = '<seen@brandt.example>'
    const { threadId } = await desk.receive({ messageId })
    await using reader = await visit(spool, { browser })
    const { page } = reader
    await signInAt(spool, reader, desk.user, `/open/${threadId}`)
    const isUnread = async (): Promise<boolean> => (await desk.thread(threadId)).unread
    await until('it is read', async () => !(await isUnread()))
    const turn = (state: string): Promise<void> =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
      document.dispatchEvent(new Event('visibilitychange'))`)
    await turn('hidden')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    // Once the second of them is shown, the page is done with the first.
    for (const count of [2, 3]) {
      await desk.receive({ inReplyTo: messageId, text: `Question ${count}` })
      await until('it is shown', async () => (await page.getByRole('article').count()) === count)
    }
    assert.deepEqual(
      asked.filter((url) => url.endsWith('/read')),
      [],
    )
    assert.equal(await isUnread(), true)
    await turn('visible')
    await until('it is read', async () => !(await isUnread()))
    assert.deepEqual(reader.problems, [])
  },
)

/** What opening a thread brings: bytes of the answer, and elements of the page. */
async function openAndWeigh(
  page: Page,
  threadId: string,
  last: number,
): Promise<{ bytes: number; elements: number }> {
  const answer = page.waitForResponse((response) => response.url().includes(`/threads/${threadId}?`))
  // Whole, so that nothing was loaded ahead.
  await page.goto(`/open/${threadId}`)
  const bytes = (await (await answer).body()).length
  await page.frameLocator('article:last-of-type iframe').getByText(`number ${last}`).waitFor()
  return { bytes, elements: await page.evaluate<number>(`document.querySelectorAll('.thread *').length`) }
}
