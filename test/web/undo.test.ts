import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page, Route } from 'playwright-core'
import { addNote } from '../../src/core/threads/notes.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { person } from '../../src/model/access.ts'
import type { ThreadSummary } from '../../src/model/thread.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, walkPages, type Desk } from '../support/desk.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

const long = process.env['SPOOL_TEST_LONG'] === '1'
const many = long ? 1_000 : 120
type Way = 'key' | 'click'
/** The stories undo every action on both databases; here each way of asking for it meets one of them. */
const waysOn = (database: string): Way[] =>
  long ? ['key', 'click'] : [database === 'sqlite' ? 'key' : 'click']
/** In milliseconds: many take a while on a busy machine. */
const timeout = 60_000 + many * 60
const letters = (count: number): { subject: string; text: string; date: number }[] =>
  Array.from({ length: count }, (_, at) => ({
    subject: `Question ${at + 1}.`,
    text: 'Where is it?',
    date: Date.now() - at * 60_000,
  }))

async function state(desk: Desk): Promise<unknown[]> {
  const threads = await walkPages<ThreadSummary>(desk.get, '/api/v1/threads?limit=100')
  return threads.map(({ id, status, snoozedUntil, assignment, unread }) => [
    id,
    status,
    snoozedUntil,
    assignment,
    unread,
  ])
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Does it, sees that it was done, undoes it, and sees that all is as before. */
async function undoes(
  page: Page,
  desk: Desk,
  { said, by, act }: { said: RegExp | string; by: Way; act: () => Promise<void> },
): Promise<void> {
  const was = await state(desk)
  await act()
  await page.locator('.bar.undo', { hasText: said }).waitFor({ timeout })
  await until(`${said} is done`, async () => !same(await state(desk), was))
  if (by === 'key') await page.keyboard.press('z')
  else await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.', { exact: true }).waitFor({ timeout })
  assert.deepEqual(await state(desk), was, `${said} by ${by}`)
  // The notice goes before the next one comes.
  const notices = page.locator('.bar:not(.undo) button')
  // One that goes by itself meanwhile is gone too.
  for (const close of await notices.all()) await close.click({ timeout: 2_000 }).catch(() => undefined)
  await until('the notice is gone', async () => (await notices.count()) === 0)
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(
    `${database}: every action on a thread is undone by ${waysOn(database).join(' and by ')}, in another view too`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const ids = (await desk.receiveAll(letters(4))).map(({ threadId }) => threadId)
      await changeStatus(spool.spool, desk.actor, ids[3]!, 'closed')
      await using ada = await visit(spool, { browser })
      const { page } = ada
      const { keyboard } = page
      await signInAt(spool, ada, desk.user, `/open/${ids[0]}`)
      const heading = page.locator('.thread .head h1')
      for (const by of waysOn(database)) {
        for (const [said, act] of [
          [`Closed “Question 1.”`, () => keyboard.press('e')],
          [`Marked “Question 1.” as spam`, () => keyboard.press('#')],
          [`Assigned “Question 1.” to ${desk.user.name}`, () => keyboard.press('m')],
          [
            /^Snoozed “Question 1.” until/,
            async () => {
              await keyboard.press('s')
              await keyboard.type('tomorrow 10:30')
              await keyboard.press('Enter')
            },
          ],
          [
            `Marked “Question 1.” as waiting`,
            async () => {
              await page.getByRole('button', { name: 'Status: Open' }).click()
              await page.getByRole('menuitem', { name: 'Waiting' }).click()
            },
          ],
          [`Marked “Question 1.” as unread`, () => keyboard.press('u')],
        ] as const) {
          await page.goto(`/open/${ids[0]}`)
          await heading.getByText('Question 1.').waitFor()
          await until('it is read', async () => !(await desk.thread(ids[0]!)).unread)
          await undoes(page, desk, { said, by, act })
        }
        await page.goto(`/closed/${ids[3]}`)
        await heading.getByText('Question 4.').waitFor()
        await until('it is read', async () => !(await desk.thread(ids[3]!)).unread)
        await undoes(page, desk, { said: 'Reopened “Question 4.”', by, act: () => keyboard.press('E') })
      }

      // What was last comes back first, from wherever the person has gone; the thread is opened again.
      await page.goto(`/open/${ids[0]}`)
      await heading.getByText('Question 1.').waitFor()
      await page.locator('.row-link', { hasText: 'Question 2.' }).waitFor()
      await keyboard.press('e')
      await heading.getByText('Question 2.').waitFor()
      await keyboard.press('z')
      await heading.getByText('Question 1.').waitFor()
      await keyboard.press('m')
      await page.getByText(`Assigned “Question 1.” to ${desk.user.name}`).waitFor()
      await keyboard.press('e')
      await page.getByText('Closed “Question 1.”').waitFor()
      await keyboard.press('g')
      await keyboard.press('c')
      await page.waitForURL('**/closed')
      await until('it is closed', async () => (await desk.thread(ids[0]!)).status === 'closed')
      await keyboard.press('z')
      await until('open again, and still hers', async () => {
        const { status, assignment } = await desk.thread(ids[0]!)
        return status === 'open' && assignment?.id === desk.user.id
      })
      await keyboard.press('z')
      await until('nobody’s again', async () => (await desk.thread(ids[0]!)).assignment === null)
      await page.goto(`/open/${ids[0]}`)
      await page.getByText('changed the status back to open').first().waitFor()
      assert.deepEqual(ada.problems, [])
    },
  )

  // It is the page that sees to it.
  if (database === 'sqlite')
    test(
      `${database}: a thread that is opened and marked unread at once stays unread`,
      { skip: browserMissing },
      async () => {
        const spool = await shared()
        const desk = await openDesk(spool)
        const [thread] = await desk.receiveAll(letters(1))
        await using ada = await visit(spool, { browser })
        const { page } = ada
        const order: string[] = []
        const held = Promise.withResolvers<Route>()
        const reads = '**/app/api/threads/*/read'
        await page.route(reads, (route) => held.resolve(route), { times: 1 })
        page.on('request', (request) => request.url().endsWith('/threads/bulk') && order.push('unread'))
        await signInAt(spool, ada, desk.user, `/open/${thread!.threadId}`)
        const route = await held.promise
        // A notice of the thread that is open counts as read, which is told again.
        const again = page.waitForResponse(reads)
        await addNote(spool.spool, spool.actor, thread!.threadId, `@${desk.user.name} who takes this?`)
        await again
        await page.keyboard.press('u')
        await page.waitForURL('**/open')
        await page.evaluate('new Promise(requestAnimationFrame)')
        order.push('read')
        const [first, marked] = [page.waitForResponse(reads), page.waitForResponse('**/app/api/threads/bulk')]
        await route.continue()
        await Promise.all([first, marked])
        assert.deepEqual(order, ['read', 'unread'])
        assert.equal((await desk.thread(thread!.threadId)).unread, true)
      },
    )

  if (database === 'sqlite')
    test(
      `${database}: the thread that was opened instead stays unread, also if reading it took long`,
      { skip: browserMissing },
      async () => {
        const spool = await shared()
        const desk = await openDesk(spool)
        const [one, two] = (await desk.receiveAll(letters(2))).map(({ threadId }) => threadId)
        await using ada = await visit(spool, { browser })
        const { page } = ada
        await signInAt(spool, ada, desk.user, `/open/${one}`)
        await page.locator('.row-link', { hasText: 'Question 2.' }).waitFor()
        await until('the first is read', async () => !(await desk.thread(one!)).unread)
        const held = Promise.withResolvers<Route>()
        await page.route(`**/threads/${two}/read`, (route) => held.resolve(route), { times: 1 })
        await page.keyboard.press('e')
        const route = await held.promise
        const unread = page.waitForResponse(`**/threads/${two}/unread`)
        const undone = page.waitForResponse('**/app/api/threads/undo')
        await page.keyboard.press('z')
        await page.waitForURL(`**/open/${one}`)
        await undone
        const read = page.waitForResponse(`**/threads/${two}/read`)
        await route.continue()
        await Promise.all([read, unread])
        assert.equal((await desk.thread(two!)).unread, true)
      },
    )

  if (database === 'sqlite')
    test(
      `${database}: rows that were asked for before all came back are not taken for the list`,
      { skip: browserMissing },
      async () => {
        const spool = await shared()
        const desk = await openDesk(spool)
        await desk.receiveAll(letters(60))
        await using ada = await visit(spool, { browser })
        const { page } = ada
        const held: Route[] = []
        const hold = (url: RegExp, most: number): Promise<unknown> =>
          page.route(url, (route) => (held.length < most ? void held.push(route) : route.fallback()))
        await hold(/\/api\/threads\?.*cursor=/, 1)
        await signInAt(spool, ada, desk.user, '/open')
        const rest = await until('the rest is asked for', async () => held[0])
        const oldRest = await rest.fetch()
        for (const key of ['X', 'X']) await page.keyboard.press(key)
        await page.getByText('All 60 selected').waitFor()
        await page.keyboard.press('e')
        await page.getByText('Closed 60 threads').waitFor()
        await hold(/\/api\/threads\?/, 3)
        await desk.receive({ subject: 'One more.' })
        const top = await until('the list is asked for', async () => held[1])
        const oldTop = await top.fetch()
        await page.keyboard.press('z')
        await page.getByText('Undone.', { exact: true }).waitFor()
        await rest.fulfill({ response: oldRest })
        await top.fulfill({ response: oldTop })
        const anew = await until('it is asked for again', async () => held[2])
        await page.evaluate('new Promise(requestAnimationFrame)')
        assert.deepEqual(await page.locator('.row-link').allInnerTexts(), [])
        await anew.continue()
        await page.locator('.row-link', { hasText: 'Question 9.' }).waitFor()
      },
    )

  test(
    `${database}: ${many} threads, all that match, are changed and undone as one`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await desk.receiveAll(letters(many))
      await using ada = await visit(spool, { browser })
      const { page } = ada
      const { keyboard } = page
      await signInAt(spool, ada, desk.user, '/open')
      const bar = page.getByRole('toolbar')
      const total = new Intl.NumberFormat('en').format(many)
      for (const by of waysOn(database)) {
        for (const [said, act] of [
          [`Closed ${total} threads`, () => keyboard.press('e')],
          [`Marked ${total} threads as spam`, () => keyboard.press('#')],
          [`Assigned ${total} threads to ${desk.user.name}`, () => keyboard.press('m')],
          [
            `Marked ${total} threads as read`,
            async () => {
              await bar.getByRole('button', { name: 'More actions' }).click()
              await page.getByRole('menuitem', { name: 'Mark as read' }).click()
            },
          ],
          [
            new RegExp(`^Snoozed ${total} threads until`),
            async () => {
              await keyboard.press('s')
              await keyboard.type('tomorrow 10:30')
              await keyboard.press('Enter')
            },
          ],
        ] as const)
          await undoes(page, desk, {
            said,
            by,
            async act() {
              await page.locator('.row-link').first().waitFor()
              if (by === 'key') {
                await keyboard.press('X')
                await keyboard.press('X')
              } else {
                await page.getByRole('checkbox', { name: 'Select all', exact: true }).click()
                await bar.getByText(`Select all ${total} threads`).click()
              }
              await bar.getByText(`All ${total} selected`).waitFor()
              await act()
            },
          })
      }
      // The list is whole again.
      await until(
        'the first row',
        async () => (await page.locator('.row', { hasText: 'Question 1.' }).count()) > 0,
      )
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: what a colleague did meanwhile stays, and the page says so`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const tom = await spool.makeUser(`tom-${desk.user.id}@shop.example`, 'member', [desk.inbox])
      const ids = (await desk.receiveAll(letters(3))).map(({ threadId }) => threadId)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      const { keyboard } = page
      await signInAt(spool, ada, desk.user, `/open/${ids[0]}`)
      const heading = page.locator('.thread .head h1')
      await heading.getByText('Question 1.').waitFor()
      await keyboard.press('e')
      await until('closed', async () => (await desk.thread(ids[0]!)).status === 'closed')
      await assignThread(spool.spool, person(tom), ids[0]!, tom)
      await keyboard.press('z')
      await page.getByText(`Undone. Changes by ${tom.name} were kept.`).waitFor()
      const { status, assignment } = await desk.thread(ids[0]!)
      assert.deepEqual([status, assignment?.id], ['open', tom.id])

      await page.goto(`/open/${ids[1]}`)
      await heading.getByText('Question 2.').waitFor()
      await keyboard.press('e')
      await until('closed', async () => (await desk.thread(ids[1]!)).status === 'closed')
      await changeStatus(spool.spool, person(tom), ids[1]!, 'waiting')
      await keyboard.press('z')
      await page.getByText(`Couldn't undo: ${tom.name} changed this thread in the meantime.`).waitFor()
      assert.equal((await desk.thread(ids[1]!)).status, 'waiting')
      await takePicture(page, 'undo-kept')

      // What one did oneself since is nobody else's doing.
      await page.goto(`/open/${ids[2]}`)
      await heading.getByText('Question 3.').waitFor()
      await until('read', async () => !(await desk.thread(ids[2]!)).unread)
      await keyboard.press('u')
      await until('unread', async () => (await desk.threads('?unread=1')).some(({ id }) => id === ids[2]))
      await page.locator(`[data-thread="${ids[2]}"]`).click()
      await until('read', async () => (await desk.threads('?unread=1')).every(({ id }) => id !== ids[2]))
      await keyboard.press('z')
      await page.getByText('Nothing undone: this has changed since.').waitFor()
      assert.deepEqual(ada.problems, [])
    },
  )
}
