import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { assignThread } from '../../src/core/threads/threads.ts'
import { person, type Actor } from '../../src/model/access.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

/** Of one second each, so that their order is known: the first is the newest. */
async function receive(desk: Desk, count: number): Promise<string[]> {
  const now = Date.now()
  const letters = Array.from({ length: count }, (_, at) => ({
    from: `Person ${at} <p${at}@x.example>`,
    subject: `Question ${at + 1}.`,
    text: 'Where is it?',
    date: now - 60_000 - at * 1000,
  }))
  // Of two that are merged, the one stored first stays.
  return (await desk.receiveAll(letters.toReversed())).map(({ threadId }) => threadId).toReversed()
}

/** A colleague at the same desk. */
async function seat(spool: TestSpool, desk: Desk) {
  const user = await spool.makeUser(`colleague-${desk.user.email}`, 'member', [desk.inbox])
  const actor: Actor = person(user)
  return { user, actor }
}

const opened = (page: Page, number: number) =>
  page
    .getByRole('heading', { name: `Question ${number}.` })
    .first()
    .waitFor()
const statuses = (desk: Desk, ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await desk.thread(id)).status))
const marked = (page: Page): Promise<number> => page.locator('.pick input:checked').count()
/** All that the page does in answer to a key it does at once. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))')

for (const database of oneDatabase(0)) {
  const shared = shareSpool(database)

  test(
    `${database}: marked and open rows stay in Unread when they have been read and the list is refreshed`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const ids = await receive(desk, 4)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      const { keyboard } = page
      await signInAt(spool, ada, desk.user, '/unread')
      await page.locator('.row-link').nth(3).waitFor()
      for (const [number, key] of ['x', 'x', ''].entries()) {
        await keyboard.press('j')
        await opened(page, number + 1)
        if (key) await keyboard.press(key)
      }
      await until('all three are read', async () => (await desk.threads('?unread=1')).length === 1)
      await desk.receive({ subject: 'Something new', date: Date.now() })
      await page.locator('.row', { hasText: 'Something new' }).waitFor()
      assert.equal(await marked(page), 2)
      assert.equal(await page.locator('.row').count(), 5)
      await keyboard.press('e')
      await until(
        'the marked ones are closed',
        async () => (await desk.threads('?status=closed')).length === 2,
      )
      assert.deepEqual(await statuses(desk, ids), ['closed', 'closed', 'open', 'open'])

      // Undo brings their rows back, although they have been read.
      await keyboard.press('z')
      await until('they are open again', async () => (await desk.threads('?status=closed')).length === 0)
      await desk.receive({ subject: 'Something newer', date: Date.now() })
      await page.locator('.row', { hasText: 'Something newer' }).waitFor()
      assert.equal(await page.locator('.row').count(), 6)

      // Back at the list, what has been read may go.
      await keyboard.press('Escape')
      await until('the unread ones are left', async () => (await page.locator('.row').count()) === 3)
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: a marked row that a colleague takes stays; a key whose marked rows were merged away does nothing and says so`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const ids = await receive(desk, 4)
      const [first, second, third, fourth] = ids as [string, string, string, string]
      const colleague = await seat(spool, desk)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      const { keyboard } = page
      await signInAt(spool, ada, desk.user, '/unassigned')
      await page.locator('.row-link').nth(3).waitFor()
      await keyboard.press('j')
      await opened(page, 1)
      await keyboard.press('x')
      await assignThread(spool.spool, colleague.actor, first, colleague.user)
      await assignThread(spool.spool, colleague.actor, fourth, colleague.user)
      await page.locator(`[data-thread="${fourth}"]`).waitFor({ state: 'detached' })
      // Its row shows what became of it.
      await page.locator(`.row:has([data-thread="${first}"]) .av`).waitFor()
      assert.equal(await marked(page), 1)
      await keyboard.press('j')
      await opened(page, 2)
      await joinThreads(spool.spool, colleague.actor, third, first)
      await page.getByText('no longer in this list').first().waitFor()
      assert.equal(await marked(page), 0)
      await keyboard.press('e')
      await page.getByText('Nothing was changed').waitFor()
      await settled(page)
      assert.equal((await desk.thread(second)).status, 'open')
      await keyboard.press('e')
      await until('now it is closed', async () => (await desk.thread(second)).status === 'closed')
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: r waits for the message it answers; what follows a key that cannot be used is no command`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const [first, second] = (await receive(desk, 2)) as [string, string]
      for (let count = 0; count < 21; count++)
        await assignThread(spool.spool, desk.actor, first, count % 2 === 0 ? desk.user : null)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      const { keyboard } = page
      const isHeld = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      await page.route(/historyCursor=/, async (route) => {
        isHeld.resolve()
        await released.promise
        await route.continue()
      })
      await signInAt(spool, ada, desk.user, '/open')
      await page.locator('.row-link').first().click()
      await opened(page, 1)
      await isHeld.promise
      await keyboard.type('rHello, see me')
      assert.equal(await page.getByLabel('Text of the mail').count(), 0)
      released.resolve()
      const field = page.getByLabel('Text of the mail')
      await until(
        'the reply',
        async () => (await field.count()) > 0 && (await field.inputValue()) === 'Hello, see me',
      )
      await keyboard.press('Escape')

      // Nothing has been found in this thread, so there is no next match to go to.
      await keyboard.type('.e')
      await settled(page)
      assert.deepEqual(await statuses(desk, [first, second]), ['open', 'open'])
      await page.locator('.row-link').first().click()
      await keyboard.press('e')
      await until('after a click it is closed', async () => (await desk.thread(first)).status === 'closed')
      assert.equal((await desk.thread(second)).status, 'open')
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: a sentence typed at a thread that does not load is neither commands nor a draft elsewhere`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const ids = await receive(desk, 3)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      const { keyboard } = page
      const isAsked = Promise.withResolvers<void>()
      const failing = Promise.withResolvers<void>()
      const json = { statusCode: 503, message: 'Not now.', code: 'internal', requestId: 'held' }
      await page.route(`**/threads/${ids[0]!}?*`, async (route) => {
        isAsked.resolve()
        await failing.promise
        await route.fulfill({ status: 503, json })
      })
      await signInAt(spool, ada, desk.user, '/open')
      await page.locator('.row-link').first().click()
      await isAsked.promise
      await keyboard.type('rHello')
      failing.resolve()
      await page.getByText('Not now.').waitFor()
      await keyboard.type(', me too: just her E-mail, regards', { delay: 20 })
      await settled(page)
      assert.match(page.url(), new RegExp(ids[0]!))
      assert.equal(await page.getByLabel('Text of the mail').count(), 0)
      assert.deepEqual(await statuses(desk, ids), ['open', 'open', 'open'])
      assert.deepEqual(
        (await desk.threads()).map(({ assignment }) => assignment),
        [null, null, null],
      )

      // No key acts on a thread that is not shown.
      await page.locator('.row-link').first().click()
      await page.getByText('Not now.').waitFor()
      await keyboard.type('me')
      await settled(page)
      assert.deepEqual(await statuses(desk, ids), ['open', 'open', 'open'])
      assert.equal((await desk.thread(ids[0]!)).assignment, null)
      await page.locator('.row-link').nth(1).click()
      await opened(page, 2)
      await keyboard.press('e')
      await until('the next one is closed', async () => (await desk.thread(ids[1]!)).status === 'closed')
      assert.deepEqual(await statuses(desk, ids), ['open', 'closed', 'open'])
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: after marked threads are closed, none of them is opened, nor one closed before`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const ids = await receive(desk, 5)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      const { keyboard } = page
      await signInAt(spool, ada, desk.user, '/open')
      await page.locator('.row-link').nth(4).waitFor()
      await keyboard.type('jj')
      await opened(page, 2)
      await keyboard.press('J')
      await opened(page, 3)
      await keyboard.press('k')
      await opened(page, 2)
      await keyboard.press('e')
      await opened(page, 4)
      assert.match(page.url(), new RegExp(ids[3]!))
      await until('both are closed', async () => (await desk.threads('?status=closed')).length === 2)

      // A search keeps its rows; the last one has no open one below it.
      await page.goto('/search?q=question')
      await page.locator('.row', { hasText: 'Question 4.' }).locator('.row-link').click()
      await opened(page, 4)
      await keyboard.press('e')
      await opened(page, 5)
      await keyboard.press('e')
      await until('four are closed', async () => (await desk.threads('?status=closed')).length === 4)
      await settled(page)
      assert.doesNotMatch(page.url(), new RegExp(`${ids[3]!}|${ids[4]!}`))
      assert.deepEqual(await statuses(desk, ids), ['open', 'closed', 'closed', 'closed', 'closed'])
      assert.deepEqual(ada.problems, [])
    },
  )
}
