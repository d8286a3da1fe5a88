import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page, Route } from 'playwright-core'
import { addUser } from '../../src/core/people/people.ts'
import { browserMissing, signInAt, takePicture, visit, type Visitor } from '../support/browser.ts'
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

/** Holds a request until it is released or refused. */
async function hold(
  page: Page,
  path: RegExp | string,
): Promise<{ answer(): Promise<void>; refuse(): Promise<void> }> {
  const held: Route[] = []
  let open: 'hold' | 'answer' = 'hold'
  await page.route(path, (route) => {
    if (open === 'answer') return route.fallback()
    held.push(route)
    return undefined
  })
  return {
    async answer() {
      open = 'answer'
      await Promise.all(held.splice(0).map((route) => route.continue()))
    },
    async refuse() {
      open = 'answer'
      const json = { statusCode: 500, message: 'Not now.', code: 'internal', requestId: 'held' }
      await Promise.all(held.splice(0).map((route) => route.fulfill({ status: 500, json })))
    },
  }
}

async function sitDown(
  spool: TestSpool,
  touch = false,
): Promise<{ desk: Desk; visitor: Visitor; page: Page }> {
  const desk = await openDesk(spool)
  const visitor = await visit(spool, { browser, touch })
  await signInAt(spool, visitor, desk.user, '/open')
  return { desk, visitor, page: visitor.page }
}

for (const database of oneDatabase(0)) {
  const shared = shareSpool(database)

  test(
    `${database}: queued keys are dropped by Escape, by a click elsewhere, and if the thread does not open`,
    { skip: browserMissing },
    async () => {
      const { desk, visitor, page } = await sitDown(await shared())
      await using _ = visitor
      const { keyboard } = page
      const [one, two] = [await desk.receive({ subject: 'One' }), await desk.receive({ subject: 'Two' })]
      const row = (id: string) => page.locator(`[data-thread="${id}"]`)
      const answering = page.getByLabel('Text of the mail')

      const escaped = await hold(page, `**/threads/${one.threadId}?*`)
      const refused = await hold(page, `**/threads/${two.threadId}?*`)
      await row(one.threadId).click()
      await keyboard.type('rHello')
      await keyboard.press('Escape')
      await escaped.answer()
      await page.getByRole('article').waitFor()
      assert.equal(await answering.count(), 0)
      assert.match(page.url(), new RegExp(one.threadId), 'Escape took back the keys alone')

      await row(two.threadId).click()
      await keyboard.type('re')
      await refused.refuse()
      await page.getByText('Not now.').waitFor()
      await page.goto('/open')
      const left = await hold(page, `**/threads/${two.threadId}?*`)
      await row(two.threadId).click()
      await keyboard.type('re')
      await row(one.threadId).click()
      await left.answer()
      await page.getByRole('article').waitFor()
      assert.equal(await answering.count(), 0)

      // Text typed into a field stays there, and nothing takes the focus from it. On a slow machine the search may
      // begin before the thread has opened, and shows its results instead: then the same is tried again.
      await until('a thread that opens before the search begins', async () => {
        await page.goto('/open')
        const busy = await hold(page, `**/threads/${two.threadId}?*`)
        await row(two.threadId).click()
        await keyboard.type('r')
        await page.getByPlaceholder('Search mail').focus()
        await Promise.all([keyboard.type('here'), busy.answer()])
        const opened = page.getByRole('article')
        await opened.or(page.getByText('No results.')).first().waitFor()
        return (await opened.count()) > 0
      })
      assert.equal(await page.getByPlaceholder('Search mail').inputValue(), 'here')
      assert.equal(await answering.count(), 0)
      const statuses = (await desk.threads()).map(({ status }) => status)
      assert.deepEqual(statuses, ['open', 'open'])
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: lists, forwards and menus get the keys typed while they opened; browser shortcuts are left alone`,
    { skip: browserMissing },
    async () => {
      const { desk, visitor, page } = await sitDown(await shared())
      await using _ = visitor
      const { keyboard } = page
      const { threadId } = await desk.receive({ subject: 'One' })
      await page.locator('.row-link').waitFor()

      // A list that has not loaded yet: j waits for it, and r for the thread.
      await page.goto('/closed')
      await page.getByText('No closed threads.').waitFor()
      const list = await hold(page, '**/app/api/threads?*')
      const thread = await hold(page, `**/threads/${threadId}?*`)
      await keyboard.type('gojrYes')
      await keyboard.press('Backspace')
      await keyboard.press('Enter')
      await keyboard.type('s, now')
      await list.answer()
      await page.waitForURL(`**/open/${threadId}`)
      await thread.answer()
      const field = page.getByLabel('Text of the mail')
      await until(
        'the words',
        async () => (await field.count()) > 0 && (await field.inputValue()).endsWith('now'),
      )
      assert.equal(await field.inputValue(), 'Ye\ns, now')
      await page.getByRole('button', { name: 'Discard…' }).click()
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await field.waitFor({ state: 'detached' })

      // The server creates a forward; text typed meanwhile goes to its recipient field.
      const forward = await hold(page, '**/app/api/drafts')
      await page.locator('.thread .body').focus()
      await keyboard.type('fe@x.example')
      await keyboard.press('Enter')
      await forward.answer()
      await page.locator('.who[title="e@x.example"]').waitFor()

      // Tab moves on, and Ctrl+Enter needs a visible draft: neither is queued.
      const other = await desk.receive({ subject: 'Two' })
      const slow = await hold(page, `**/threads/${other.threadId}?*`)
      const row = page.locator(`[data-thread="${other.threadId}"]`)
      await row.click()
      await keyboard.type('rSoon')
      await keyboard.press('Control+Enter')
      await keyboard.press('Tab')
      assert.equal(await row.evaluate((link) => link.matches(':focus')), false)
      await slow.answer()
      await until('the words', async () => (await field.count()) > 0 && (await field.inputValue()) === 'Soon')
      assert.equal(page.context().pages().length, 1)
      assert.equal((await desk.thread(other.threadId)).status, 'open')
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: the assign menu filters by what is typed, also before the team has loaded`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      // Also with a keyboard at a tablet, which does not hover.
      const { desk, visitor, page } = await sitDown(spool, true)
      await using _ = visitor
      const { keyboard } = page
      for (const name of ['Jason Sole', 'Sofia Lind', 'Jürgen Sommer'])
        await addUser(spool.spool, {
          email: `${name.split(' ')[1]!.toLowerCase()}-${desk.user.email}`,
          name,
          role: 'member',
          inboxes: [desk.inbox.id],
          password: null,
        })
      const { threadId } = await desk.receive({ subject: 'One' })
      const team = await hold(page, '**/app/api/people')
      await page.locator('.row-link').click()
      await page.getByRole('article').waitFor()
      await keyboard.press('i')
      await page.getByText('Loading…').waitFor()
      await keyboard.type('jur')
      await keyboard.press('Enter')
      await team.answer()
      const assignee = async (): Promise<string | undefined> => (await desk.thread(threadId)).assignment?.name
      await until('Jürgen has it', async () => (await assignee()) === 'Jürgen Sommer')
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await keyboard.press('i')
      const names = page.getByRole('menuitem')
      await until('all are offered', async () => (await names.count()) === 6)
      await keyboard.type('so')
      // A match on the first name comes before one on the surname.
      const offered = async (): Promise<string> =>
        (await names.allTextContents()).map((name) => name.trim().split(' ').slice(-2).join(' ')).join()
      await until(
        'those are offered that match',
        async () => (await offered()) === 'Sofia Lind,Jason Sole,Jürgen Sommer',
      )
      await takePicture(page, 'assign-menu')
      await keyboard.press('ArrowDown')
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      await until('Jason has it', async () => (await assignee()) === 'Jason Sole')
      await keyboard.press('i')
      await keyboard.type('zz')
      await keyboard.press('Enter')
      await page.getByText('No matches.').waitFor()
      await keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await keyboard.press('i')
      await keyboard.type('nob')
      await keyboard.press('Enter')
      await until('nobody has it', async () => (await assignee()) === undefined)

      // A short menu jumps to the item that starts with the letter.
      await page.getByRole('button', { name: 'Status: Open' }).click()
      await keyboard.type('w')
      await keyboard.press('Enter')
      await until('it waits', async () => (await desk.thread(threadId)).status === 'waiting')
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: a suggestion is taken only if it matches the field; a complete address is taken as it is`,
    { skip: browserMissing },
    async () => {
      const { desk, visitor, page } = await sitDown(await shared())
      await using _ = visitor
      const { keyboard } = page
      await desk.receive({ from: 'Tom Berg <tom@berg.example.org>' })
      await desk.receive({})
      await page.locator('.row-link').first().waitFor()
      const held = Promise.withResolvers<void>()
      await page.route('**/assets/compose-*.js', async (route) => {
        await held.promise
        await route.continue()
      })
      const offer = (name: RegExp) => page.getByRole('option', { name })
      const add = async (typed: string, seen: RegExp, rest: string, key: string): Promise<void> => {
        await keyboard.type(typed)
        await offer(seen).waitFor()
        await keyboard.type(rest)
        await keyboard.press(key)
      }
      // The code of a new mail may come after what is typed into it.
      await keyboard.press('c')
      await keyboard.type('tom')
      held.resolve()
      await offer(/Tom Berg/).waitFor()
      // Escape closes the suggestions, and what was typed goes on.
      await keyboard.press('Escape')
      await offer(/Tom Berg/).waitFor({ state: 'detached' })
      await keyboard.type('@')
      assert.equal(await page.getByRole('combobox', { name: 'To', exact: true }).inputValue(), 'tom@')
      await keyboard.press('Control+a')
      await keyboard.press('Delete')
      // No new suggestions arrive: only earlier ones remain.
      await add('tom', /Tom Berg/, '', 'Enter')
      await keyboard.press('Backspace')
      await keyboard.type('tom')
      await offer(/Tom Berg/).waitFor()
      await page.route('**/app/api/addresses?*', () => undefined)
      await keyboard.type('@berg.example')
      assert.equal(await page.locator('[role=option][aria-selected=true]').count(), 0)
      await keyboard.press('Enter')
      await page.locator('.who[title="tom@berg.example"]').waitFor()
      await page.unroute('**/app/api/addresses?*')
      await add('tom', /Tom Berg/, '@berg', 'ArrowUp')
      await keyboard.press('Enter')
      await add('bra', /Carla/, 'ndt', 'Tab')
      await page.locator('.who[title="carla@brandt.example"]').waitFor()
      // As everywhere, it also goes on to the next field.
      await keyboard.type('Hi')
      assert.equal(await page.getByLabel('Subject').inputValue(), 'Hi')
      const chips = await page
        .locator('.who')
        .evaluateAll((all) => all.map((chip) => chip.getAttribute('title')))
      assert.deepEqual(chips, ['tom@berg.example', 'tom@berg.example.org', 'carla@brandt.example'])
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: a recipient removed while another is typed stays removed`,
    { skip: browserMissing },
    async () => {
      const { visitor, page } = await sitDown(await shared())
      await using _ = visitor
      await page.goto('/compose')
      const to = page.getByRole('combobox', { name: 'To', exact: true })
      for (const name of ['alice', 'carol']) {
        await to.fill(`${name}@other.example`)
        await to.press('Enter')
      }
      await to.fill('bob@other.example')
      await page.getByRole('button', { name: 'Remove alice@other.example' }).click()
      await page.locator('.who[title="bob@other.example"]').waitFor()
      const chips = await page
        .locator('.who')
        .evaluateAll((all) => all.map((chip) => chip.getAttribute('title')))
      assert.deepEqual(chips, ['carol@other.example', 'bob@other.example'])
      assert.deepEqual(visitor.problems, [])
    },
  )
}
