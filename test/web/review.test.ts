import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { discardDraft, proposeDraft } from '../../src/core/drafts/drafts.ts'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { agentOf } from '../support/agents.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk } from '../support/desk.ts'
import { sendBy } from '../support/outgoing.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk } from '../support/sample-desk.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

for (const database of oneDatabase(3))
  test(
    `${database}: a stale draft must be confirmed before sending; a draft is discarded with a reason`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '1' })
      await using sink = await startSmtpSink()
      await sendBy(spool.spool, spool.inbox, sink.port)
      const desk = await fillDesk(spool)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/review/${desk.invoice.threadId}`)
      const card = page.getByRole('region', { name: 'Draft by Triage' })
      await card.getByText('New mail has arrived since this draft was written.').waitFor()
      await card.getByText('“Please send it to our bookkeeper as well').waitFor()
      await card.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByText(/read it and confirm the draft first/).waitFor()
      assert.equal(sink.mails.length, 0)
      await card.getByRole('button', { name: "I've read it" }).click()
      await card
        .getByText('New mail has arrived since this draft was written.')
        .waitFor({ state: 'detached' })
      await card.getByRole('button', { name: 'Send', exact: true }).click()
      await until('the mail', async () => sink.mails[0])

      await page.goto(`/review/${desk.order.threadId}`)
      await card.getByRole('button', { name: 'Discard…' }).click()
      await page.getByLabel('Reason (optional)').fill('Answered by phone')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await page.getByText('Ada discarded a draft: Answered by phone').waitFor()
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(2))
  test(
    `${database}: after a merge a draft says what happened, and speaks of new mail only if some arrived`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const earlier = await spool.receive({ subject: 'Order', text: 'When will it come?' })
      const later = await spool.receive({ subject: 'Parcel', messageId: '<parcel@brandt.example>' })
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/open/${later.threadId}`)
      await page.getByRole('article').waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('It is on its way.')
      const card = page.getByRole('region', { name: 'Draft by Ada' })
      await card.getByText('Saved', { exact: true }).waitFor()
      await joinThreads(spool.spool, spool.actor, earlier.threadId, later.threadId)
      const merged = card.getByText('This thread was merged with another one since this draft was written.')
      const fresh = card.getByText('New mail has arrived since this draft was written.')
      await merged.waitFor()
      assert.equal(await fresh.count(), 0)
      await takePicture(page, 'merged-draft')
      await card.getByRole('button', { name: "I've read it" }).click()
      await merged.waitFor({ state: 'detached' })
      await spool.receive({ inReplyTo: '<parcel@brandt.example>', text: 'It has arrived.' })
      await fresh.waitFor()
      await card.getByText('“It has arrived.”').waitFor()
      assert.equal(await merged.count(), 0)
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(4))
  test(`${database}: a viewer can read a draft but not change it`, { skip: browserMissing }, async () => {
    await using spool = await startSpool(database)
    const desk = await fillDesk(spool)
    const viewer = await spool.makeUser('vera@shop.example', 'viewer', [spool.inbox])
    await using vera = await visit(spool, { browser })
    await signInAt(spool, vera, viewer, `/open/${desk.order.threadId}`)
    await vera.page
      .getByText('You can read drafts. Only members and admins can edit and send them.')
      .waitFor()
    for (const name of ['Send', 'Discard…', 'Reply', 'Snooze', 'New message'])
      assert.equal(await vera.page.getByRole('button', { name }).count(), 0, name)
    for (const key of ['r', 'e', 'c', 'm', '#']) await vera.page.keyboard.press(key)
    assert.equal(await vera.page.locator('textarea').count(), 0)
    assert.equal((await spool.thread(desk.order.threadId)).status, 'open')
    assert.deepEqual(vera.problems, [])
  })

for (const database of oneDatabase(1))
  test(
    `${database}: all drafts can be reached, however many, agents' first`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const desk = await openDesk(spool)
      const triage = await agentOf(spool.spool, desk.token)
      const received = await desk.receiveAll(
        Array.from({ length: 52 }, (_, index) => ({
          subject: `Question ${index}`,
          text: `Words of ${index}`,
        })),
      )
      for (const { threadId } of received)
        for (const text of ['One answer', 'Another answer'])
          await proposeDraft(spool.spool, triage, { threadId, text })
      // Changed last, but still last in the list.
      await proposeDraft(spool.spool, desk.actor, { threadId: received[0]!.threadId, text: 'By a person' })
      await using reader = await visit(spool, { browser })
      const { page } = reader
      await signInAt(spool, reader, desk.user, '/review')
      const rows = page.locator('.row-link')
      await rows.first().waitFor()
      assert.ok((await rows.count()) <= 100, 'not all at once')
      await until('all of them', async () => {
        await rows.last().scrollIntoViewIfNeeded()
        return (await rows.count()) === 105
      })
      await rows.last().getByText('By a person').waitFor()
      // It does not need review: it is listed under a separate title and not counted.
      const ofPeople = page.getByRole('list', { name: "Your team's drafts" })
      assert.equal(await ofPeople.locator('.row-link').count(), 1)
      await page.locator('.rail [href="/review"] .count', { hasText: /^104$/ }).waitFor()
      assert.equal(await page.getByText(/^Draft by person/).count(), 1)
      // Two drafts in one thread are two steps.
      await rows.first().click()
      const first = page.url()
      await page.keyboard.press('j')
      await page.waitForURL((url) => url.href !== first)
      const second = page.url()
      await page.keyboard.press('j')
      await page.waitForURL((url) => ![first, second].includes(url.href))
      // A refresh loads as many drafts as before.
      await discardDraft(spool.spool, desk.actor, {
        draftId: new URL(second).searchParams.get('draft')!,
        revision: 1,
        reason: null,
      })
      await until('one less', async () => (await rows.count()) === 104)
      assert.deepEqual(reader.problems, [])
    },
  )

test('beside a thread, the other threads of its sender are current', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  const from = 'Nora Voss <nora@voss.example>'
  const order = await spool.receive({ from, subject: 'Desk lamp' })
  const twice = await spool.receive({ from, subject: 'Desk lamp again' })
  const bill = await spool.receive({ from, subject: 'Bill for the lamp' })
  await using ada = await visit(spool, { browser })
  const { page } = ada
  await signInAt(spool, ada, spool.ada, `/open/${order.threadId}`)
  const others = page.getByRole('region', { name: /Nora Voss/ })
  await others.getByRole('link', { name: 'Desk lamp again' }).waitFor()
  await joinThreads(spool.spool, spool.actor, order.threadId, twice.threadId)
  await others.getByRole('link', { name: 'Desk lamp again' }).waitFor({ state: 'detached' })
  await others.getByRole('heading', { name: 'Also open' }).waitFor()
  await changeStatus(spool.spool, spool.actor, bill.threadId, 'closed')
  await others.getByRole('heading', { name: 'Also open' }).waitFor({ state: 'detached' })
  await others.getByRole('link', { name: 'Bill for the lamp' }).waitFor()
  assert.deepEqual(ada.problems, [])
})
