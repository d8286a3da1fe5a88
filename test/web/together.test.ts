import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startConversation } from '../../src/core/drafts/compositions.ts'
import { listDrafts, proposeDraft, reviseDraft } from '../../src/core/drafts/drafts.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { person } from '../../src/model/access.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk } from '../support/sample-desk.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

for (const database of oneDatabase(5))
  test(
    `${database}: two people in one thread: notes, presence and conflicting edits`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { order, tom: colleague } = await fillDesk(spool)
      await using ada = await visit(spool, { browser })
      await using tom = await visit(spool, { browser })
      const path = `/open/${order.threadId}`
      await signInAt(spool, ada, spool.ada, path)
      await signInAt(spool, tom, colleague, path)
      await ada.page.getByText('Tom is reading').waitFor()
      await tom.page.getByText('Ada is reading').waitFor()

      await tom.page.keyboard.press('n')
      await tom.page.keyboard.type('@Ad')
      await tom.page.getByRole('option', { name: 'Ada' }).waitFor()
      await tom.page.keyboard.press('Enter')
      await tom.page.keyboard.type('the carrier called back')
      await tom.page.keyboard.press('Enter')
      await ada.page.locator('.note .at', { hasText: '@Ada' }).waitFor()
      await ada.page.getByText('the carrier called back').waitFor()

      const field = ada.page.getByLabel('Text of the mail')
      const theirs = tom.page.getByLabel('Text of the mail')
      const start = await field.inputValue()
      await theirs.fill(`${start}\nFrom Tom.`)
      await ada.page.getByText('Tom is writing').waitFor()
      await tom.page.getByText('Saved', { exact: true }).waitFor()
      await until('what Tom wrote, with Ada', async () => (await field.inputValue()).endsWith('From Tom.'))

      // Both edit at once: nothing is overwritten, and the later one sees both versions.
      await ada.context.setOffline(true)
      await field.fill(`${start}\nFrom Ada.`)
      await theirs.fill(`${start}\nFrom Tom, again.`)
      await tom.page.getByText('Saved', { exact: true }).waitFor()
      await ada.context.setOffline(false)
      await ada.page
        .getByText('Tom changed this draft while you were writing. Nothing was overwritten.')
        .waitFor()
      assert.equal(await field.inputValue(), `${start}\nFrom Ada.`)
      await ada.page.getByRole('button', { name: 'Keep mine' }).click()
      await until('what Ada wrote, with Tom', async () => (await theirs.inputValue()).endsWith('From Ada.'))

      // A draft that is discarded by somebody else takes no word with it that is being written.
      const discard = async (): Promise<void> => {
        await tom.page.getByRole('button', { name: 'Discard…' }).click()
        await tom.page.getByRole('button', { name: 'Discard', exact: true }).click()
      }
      const discarded = ada.page.getByText('Tom discarded a draft')
      await discard()
      await ada.page.getByText('Tom sent, discarded or withdrew this draft.').waitFor()
      await discarded.waitFor()
      await until('a new draft', async () => (await theirs.inputValue()).endsWith('From Ada.'))
      await ada.context.route('**/app/api/drafts/**', (route) => route.abort())
      await field.press('End')
      await ada.page.keyboard.type(' Not yet saved')
      await ada.page.getByText(/^Offline, saved/).waitFor()
      await discard()
      await until('both are told', async () => (await discarded.count()) === 2)
      await ada.context.unroute('**/app/api/drafts/**')
      await ada.page.keyboard.type(', and more.')
      await until('it is saved', async () =>
        (await theirs.inputValue()).endsWith('From Ada. Not yet saved, and more.'),
      )
      assert.equal(await field.count(), 1)
      assert.deepEqual([...ada.problems, ...tom.problems], [])
    },
  )

for (const database of oneDatabase(3))
  test(
    `${database}: a forward that a colleague discards stays a forward, with its recipients and files`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { photos, tom: colleague } = await fillDesk(spool)
      await using ada = await visit(spool, { browser })
      await using tom = await visit(spool, { browser })
      const path = `/open/${photos.threadId}`
      await signInAt(spool, ada, spool.ada, path)
      await signInAt(spool, tom, colleague, path)
      await ada.page.getByRole('article').first().waitFor()
      await ada.page.keyboard.press('f')
      const card = ada.page.getByRole('region', { name: 'Draft by Ada' })
      await card.getByRole('button', { name: 'Remove delivery-note.pdf' }).click()
      await card.getByText('delivery-note.pdf').waitFor({ state: 'detached' })
      await ada.context.route('**/app/api/drafts/*', (route) => route.abort())
      await card.getByRole('combobox', { name: 'To', exact: true }).fill('carrier@trans.example')
      await card.getByRole('combobox', { name: 'To', exact: true }).press('Enter')
      await ada.page.getByText(/^Offline, saved/).waitFor()
      await tom.page.getByRole('button', { name: 'Discard…' }).click()
      await tom.page.getByRole('button', { name: 'Discard', exact: true }).click()
      await ada.page.getByText('Tom sent, discarded or withdrew this draft.').waitFor()
      await ada.context.unroute('**/app/api/drafts/*')
      const drafts = await until('a new draft', async () => {
        const about = { threadId: photos.threadId, statuses: null }
        const { data } = await listDrafts(spool.spool, spool.actor, about)
        return data.length === 2 && data
      })
      assert.deepEqual(
        drafts.map(({ kind, status, to, subject, attachments }) => ({
          status,
          about: [
            kind,
            subject,
            ...to.map(({ address }) => address),
            ...attachments.map((file) => file.filename),
          ],
        })),
        [
          {
            status: 'editing',
            about: ['forward', 'Fwd: Damaged on arrival', 'carrier@trans.example', 'corner.png'],
          },
          { status: 'discarded', about: ['forward', 'Fwd: Damaged on arrival', 'corner.png'] },
        ],
      )
      await card.getByText('version 1').waitFor()
      await card.getByRole('link', { name: /corner\.png/ }).waitFor()
      await takePicture(ada.page, 'forward-again')
      assert.deepEqual([...ada.problems, ...tom.problems], [])
    },
  )

for (const database of oneDatabase(4))
  test(
    `${database}: a draft that somebody else is writing cannot be sent, by button or shortcut`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { invoice, tom: colleague } = await fillDesk(spool)
      await using ada = await visit(spool, { browser })
      await using tom = await visit(spool, { browser })
      const path = `/open/${invoice.threadId}`
      await signInAt(spool, ada, spool.ada, path)
      await signInAt(spool, tom, colleague, path)
      await ada.page.getByText('Only your team sees this').waitFor()
      await tom.page.getByRole('article').first().waitFor()
      await tom.page.keyboard.press('r')
      await tom.page.keyboard.type('Hello Jonas, we have')
      const half = ada.page.getByRole('region', { name: 'Draft by Tom' })
      const writing = 'You can send this when Tom stops writing.'
      await half.getByText(writing).waitFor()
      const send = half.getByRole('button', { name: /^Send/ })
      assert.equal(await send.count(), 0)
      await takePicture(ada.page, 'colleague-draft')
      await half.getByLabel('Text of the mail').focus()
      // Whoever pauses for some seconds is no longer writing.
      await tom.page.keyboard.type(' changed it')
      await half.getByText(writing).waitFor()
      await ada.page.keyboard.press('Control+Enter')
      await ada.page.getByRole('alert').getByText(writing).waitFor()
      // Only that one: the agent's proposal in the same thread is not blocked, and its writer may send.
      const proposal = ada.page.getByRole('region', { name: 'Draft by Triage' })
      assert.equal(await proposal.getByRole('button', { name: 'Send', exact: true }).count(), 1)
      const own = tom.page.getByRole('region', { name: 'Draft by Tom' })
      assert.equal(await own.getByRole('button', { name: 'Send', exact: true }).count(), 1)
      await tom.page.goto('/open')
      await send.first().waitFor()

      // A draft without a thread has presence as well.
      const begun = await startConversation(spool.spool, person(colleague), {
        inboxId: spool.inbox.id,
        subject: 'News',
        text: 'Dear all,',
      })
      for (const { page } of [ada, tom]) {
        await page.goto(`/compose/${begun.id}`)
        await page.getByLabel('Text of the mail').waitFor()
      }
      await ada.page.getByText('Tom is reading').waitFor()
      assert.equal(await send.count(), 1)
      // Editing the recipients counts as writing, too.
      await tom.page.getByLabel('Subject').fill('Old news')
      await half.getByText(writing).waitFor()
      assert.equal(await send.count(), 0)
      await tom.page.goto('/open')
      await send.waitFor()
      assert.deepEqual([...ada.problems, ...tom.problems], [])
    },
  )

test(
  'changes made elsewhere appear live, also after a lost connection',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    await spool.receive({ subject: 'First', text: 'One' })
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada)
    await page.locator('.row', { hasText: 'First' }).waitFor()
    await spool.receive({ subject: 'Second', text: 'Two' })
    await page.locator('.row', { hasText: 'Second' }).waitFor()
    await ada.context.setOffline(true)
    const third = await spool.receive({ subject: 'Third', text: 'Three' })
    await proposeDraft(spool.spool, person(spool.ada), { threadId: third.threadId, text: 'Words' })
    await ada.context.setOffline(false)
    await page.locator('.row', { hasText: 'Third' }).waitFor({ timeout: 30_000 })
    await page.locator('.rail a', { hasText: 'Unread' }).locator('.count', { hasText: '3' }).waitFor()
    assert.deepEqual(ada.problems, [])
  },
)

test(
  'notes written while the connection was lost appear once it is back',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const { threadId } = await spool.receive({})
    const say = (text: string) => addNote(spool.spool, person(spool.ada), threadId, text)
    await using ada = await visit(spool, { browser })
    const { page } = ada
    const note = (text: string) => page.locator('.note', { hasText: text })
    const live = '**/app/api/live*'
    await page.route(live, (route) => route.abort())
    await say('Before')
    await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
    await note('Before').waitFor()
    // The page has followed no events yet.
    await say('Between')
    await page.unroute(live)
    await note('Between').waitFor()

    const notes = '**/notes?*'
    await page.route(notes, (route) => route.abort())
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/notes?'))
    await say('Afterwards')
    await failed
    await page.unroute(notes)
    await note('Afterwards').waitFor()

    // Also if they have never been loaded.
    await page.route(notes, (route) => route.abort())
    await page.goto(`/open/${threadId}`)
    await page.getByRole('alert').getByText("Can't reach Spool").waitFor()
    await page.unroute(notes)
    await note('Afterwards').waitFor()
    assert.deepEqual(ada.problems, [])
  },
)

test('mail that arrives while the list is loading appears as well', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  await spool.receive({ subject: 'First', text: 'One' })
  await using ada = await visit(spool, { browser })
  const { page } = ada
  await signInAt(spool, ada, spool.ada)
  const row = (subject: string) => page.locator('.row', { hasText: subject })
  const unread = (count: string) =>
    page.locator('.rail a', { hasText: 'Unread' }).locator('.count', { hasText: count })
  await row('First').waitFor()
  await unread('1').waitFor()
  // The list is read before the third mail, and arrives after the page was told of it.
  const read = Promise.withResolvers<void>()
  const heard = Promise.withResolvers<void>()
  await page.route(
    '**/app/api/threads?*',
    async (route) => {
      const response = await route.fetch()
      read.resolve()
      await heard.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await spool.receive({ subject: 'Second', text: 'Two' })
  await read.promise
  await spool.receive({ subject: 'Third', text: 'Three' })
  await unread('3').waitFor()
  heard.resolve()
  await row('Second').waitFor()
  await row('Third').waitFor()
  assert.deepEqual(ada.problems, [])
})

test('a draft revised elsewhere is updated', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  const { order } = await fillDesk(spool)
  await using ada = await visit(spool, { browser })
  await signInAt(spool, ada, spool.ada, `/open/${order.threadId}`)
  await ada.page.getByText('Hello Carla,').first().waitFor()
  await reviseDraft(spool.spool, person(spool.ada), {
    draftId: order.draft.id,
    revision: 1,
    text: 'Other words.',
  })
  await until(
    'the new words',
    async () => (await ada.page.getByLabel('Text of the mail').inputValue()) === 'Other words.',
  )
  // The cursor stays between the same letters.
  const field = ada.page.getByLabel('Text of the mail')
  await field.focus()
  await ada.page.keyboard.press('Control+Home')
  for (const _ of 'Other') await ada.page.keyboard.press('ArrowRight')
  let revision = 2
  for (const text of ['Other words. And more.', 'First. Other words. And more.']) {
    await reviseDraft(spool.spool, person(spool.ada), { draftId: order.draft.id, revision: revision++, text })
    await until(`“${text}”`, async () => (await field.inputValue()) === text)
  }
  await ada.page.keyboard.type('s')
  assert.equal(await field.inputValue(), 'First. Others words. And more.')
})

test('a new mail revised elsewhere is updated', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  await fillDesk(spool)
  const by = person(spool.ada)
  const draft = await startConversation(spool.spool, by, {
    inboxId: spool.inbox.id,
    to: ['carla@brandt.example'],
    subject: 'Offer',
    text: 'First words.',
  })
  await using ada = await visit(spool, { browser })
  await signInAt(spool, ada, spool.ada, `/compose/${draft.id}`)
  const field = ada.page.getByLabel('Text of the mail')
  await until('the first words', async () => (await field.inputValue()) === 'First words.')
  await reviseDraft(spool.spool, by, { draftId: draft.id, revision: 1, text: 'Other words.' })
  await until('the new words', async () => (await field.inputValue()) === 'Other words.')
  assert.deepEqual(ada.problems, [])
})
