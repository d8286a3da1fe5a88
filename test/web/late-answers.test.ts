import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page, Route } from 'playwright-core'
import { browserMissing, signInAt, visit, type Visitor } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { sendBy } from '../support/outgoing.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

/** Holds the answers to matching requests; the server has read and done them by then. */
async function holdAnswers(
  page: Page,
  path: string | RegExp,
  method: string,
  options: { times?: number } = {},
): Promise<{ asked: Promise<void>; release(): void }> {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const hold = async (route: Route): Promise<void> => {
    if (route.request().method() !== method) return route.fallback()
    const response = await route.fetch()
    asked.resolve()
    await released.promise
    await route.fulfill({ response })
  }
  await page.route(path, hold, options)
  return { asked: asked.promise, release: () => released.resolve() }
}

async function sitDown(
  spool: TestSpool,
  path: string,
): Promise<{ desk: Desk; visitor: Visitor; page: Page; threadId: string }> {
  const desk = await openDesk(spool)
  const { threadId } = await desk.receive({ subject: 'Question' })
  const visitor = await visit(spool, { browser })
  await signInAt(spool, visitor, desk.user, path.replace('{id}', threadId))
  return { desk, visitor, page: visitor.page, threadId }
}

/** From the mail to a thread of the list. */
async function leaveFor(page: Page, threadId: string): Promise<void> {
  await page.getByRole('link', { name: 'Back' }).click()
  await page.locator(`[data-thread="${threadId}"]`).click()
  await page.getByRole('article').waitFor()
}

const textOf = (page: Page): Promise<string> => page.getByLabel('Text of the mail').inputValue()

/** The drafts of whoever is signed in. */
const draftsOf = (page: Page): Promise<{ id: string; text: string }[]> =>
  page.evaluate(`fetch('/app/api/drafts?status=editing&author=person')
    .then((answer) => answer.json())
    .then(({ data }) => data.map(({ id, text }) => ({ id, text })))`)

/** Whether the new mail's copy on this device is gone: the page has the server's answer. */
const isTaken = (page: Page): Promise<boolean> =>
  page.evaluate(`Object.keys(localStorage).every((key) => !/^spool:draft:.*:new$/.test(key))`)

for (const database of oneDatabase(1)) {
  const shared = shareSpool(database, { SPOOL_UNDO_SECONDS: '60' })

  test(
    `${database}: a new mail saved after its writer has left does not lead back to it`,
    { skip: browserMissing },
    async () => {
      const { visitor, page, threadId } = await sitDown(await shared(), '/compose')
      await using _ = visitor
      const saving = await holdAnswers(page, '**/app/api/drafts', 'POST')
      await page.getByLabel('Text of the mail').fill('A new mail')
      await saving.asked
      await leaveFor(page, threadId)
      saving.release()
      await until('the answer is here', () => isTaken(page))
      assert.equal(new URL(page.url()).pathname, `/open/${threadId}`)
      // The next new mail is another one.
      await page.keyboard.press('c')
      await page.getByLabel('Text of the mail').waitFor()
      assert.equal(await textOf(page), '')
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: who returns to a new mail before it is saved finds it again, and it is saved once`,
    { skip: browserMissing },
    async () => {
      const { visitor, page, threadId } = await sitDown(await shared(), '/compose')
      await using _ = visitor
      const saving = await holdAnswers(page, '**/app/api/drafts', 'POST')
      await page.getByLabel('Text of the mail').fill('A new mail')
      await saving.asked
      await leaveFor(page, threadId)
      await page.keyboard.press('c')
      await page.getByLabel('Text of the mail').fill('A new mail, continued')
      saving.release()
      await page.getByText('Saved', { exact: true }).waitFor()
      const drafts = await until('all of it is saved', async () => {
        const all = await draftsOf(page)
        return all.some(({ text }) => text === 'A new mail, continued') && all
      })
      assert.equal(drafts.length, 1)
      assert.equal(new URL(page.url()).pathname, `/compose/${drafts[0]!.id}`)
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: a draft that loads late does not replace the new mail begun meanwhile`,
    { skip: browserMissing },
    async () => {
      const { visitor, page } = await sitDown(await shared(), '/compose')
      await using _ = visitor
      await page.getByLabel('Text of the mail').fill('The first mail')
      await page.waitForURL('**/compose/*')
      const first = new URL(page.url()).pathname
      const loading = await holdAnswers(page, `**/app/api/drafts/${first.split('/').pop()}`, 'GET')
      await page.reload()
      await loading.asked
      await page.getByRole('link', { name: 'New message' }).click()
      await page.getByLabel('Text of the mail').fill('The second mail')
      loading.release()
      await page.getByText('Saved', { exact: true }).waitFor()
      assert.equal(await textOf(page), 'The second mail')
      assert.notEqual(new URL(page.url()).pathname, first)
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: who leaves a mail while it is being sent stays where they are`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const { desk, visitor, page, threadId } = await sitDown(spool, '/compose')
      await using _ = visitor
      await using sink = await startSmtpSink()
      await sendBy(spool.spool, desk.inbox, sink.port)
      await page.getByRole('combobox', { name: 'To', exact: true }).fill('carla@brandt.example')
      await page.keyboard.press('Enter')
      await page.getByLabel('Text of the mail').fill('Hello')
      await page.getByText('Saved', { exact: true }).waitFor()
      const sending = await holdAnswers(page, '**/app/api/drafts/*/send', 'POST')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await sending.asked
      await leaveFor(page, threadId)
      sending.release()
      await page.getByText(/Sending to carla@brandt.example/).waitFor()
      assert.equal(new URL(page.url()).pathname, `/open/${threadId}`)
      await page.keyboard.press('z')
      await page.getByText('Sending cancelled.').waitFor()
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: a note that fails keeps what was typed since; one that was saved is not reported as failed`,
    { skip: browserMissing },
    async () => {
      const { desk, visitor, page, threadId } = await sitDown(await shared(), '/open/{id}')
      await using _ = visitor
      const field = page.getByPlaceholder('Write a note…')
      const failing = Promise.withResolvers<void>()
      await page.route(
        '**/notes',
        async (route) => {
          await failing.promise
          await route.abort()
        },
        { times: 1 },
      )
      await field.fill('The first note')
      await page.keyboard.press('Enter')
      await page.keyboard.type('The second note')
      failing.resolve()
      const alert = page.getByRole('alert')
      await alert.waitFor()
      assert.equal(await field.inputValue(), 'The first note\nThe second note')
      await alert.getByRole('button').click()
      await alert.waitFor({ state: 'detached' })

      // The note is saved, and the notes cannot be read again.
      await page.route(/\/notes\?/, (route) => route.abort())
      await field.fill('Only once')
      await page.keyboard.press('Enter')
      await page.locator('.note:not(.pending)', { hasText: 'Only once' }).waitFor()
      assert.equal(await field.inputValue(), '')
      assert.equal(await alert.count(), 0)
      assert.deepEqual(
        (await desk.notes(threadId)).map(({ text }) => text),
        ['Only once'],
      )
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(`${database}: notes that load late do not hide a newer one`, { skip: browserMissing }, async () => {
    const { visitor, page, threadId } = await sitDown(await shared(), '/open')
    await using _ = visitor
    const loading = await holdAnswers(page, /\/notes\?/, 'GET', { times: 1 })
    const first = page.waitForRequest(/\/notes\?/)
    await page.locator(`[data-thread="${threadId}"]`).click()
    await loading.asked
    const loaded = page.waitForResponse(/\/notes\?/)
    await page.getByPlaceholder('Write a note…').fill('Careful')
    await page.keyboard.press('Enter')
    await loaded
    await page.locator('.note:not(.pending)', { hasText: 'Careful' }).waitFor()
    loading.release()
    await (await first).response()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => done()))')
    assert.deepEqual(await page.locator('.note p').allInnerTexts(), ['Careful'])
    assert.deepEqual(visitor.problems, [])
  })
}
