import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import PostalMime from 'postal-mime'
import type { AgentDraft } from '../../src/model/draft.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { callTool } from '../support/mcp.ts'
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

test(
  'an agent proposes, a person edits and sends, the recipient has what was on the screen, the agent reads the outcome',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite', { SPOOL_UNDO_SECONDS: '1' })
    await using sink = await startSmtpSink()
    await sendBy(spool.spool, spool.inbox, sink.port)
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, '/review')
    await page.getByText('No draft waits for you').waitFor()
    const { threadId, messageId } = await spool.receive({ text: 'My order 4711 was due on 3 November.' })
    const token = await spool.makeToken(spool.ada, { name: 'Triage' })
    const ask = async (name: string, values: Record<string, unknown>): Promise<AgentDraft> => {
      const { isError, text, structured } = await callTool(spool.url, token, name, values)
      assert.ok(!isError, text)
      return structured as unknown as AgentDraft
    }
    const proposed = await ask('propose_draft', {
      threadId,
      text: 'Hello Carla,\n\nyour order 4711 was due on 3 November. It arrives by 18 November at the latest.\n\nBest regards',
      citations: [{ messageId, quote: 'order 4711 was due on 3 November' }],
    })

    // It comes up by itself, with its count.
    await page.getByText('Draft by Triage').click()
    await page.locator('nav .review .count', { hasText: '1' }).waitFor()
    const card = page.getByRole('region', { name: 'Draft of Triage' })
    await card.getByText('Stands nowhere in the thread: 18 November').waitFor()
    assert.equal(await card.locator('mark.un').textContent(), '18 November')
    await card.getByRole('button', { name: '“order 4711 was due on 3 November”' }).focus()
    await page
      .getByRole('article')
      .locator('mark.cite.lit', { hasText: 'order 4711 was due on 3 November' })
      .waitFor()

    const field = page.getByLabel('Text of the mail')
    await field.fill(
      'Hello Carla,\n\nyour order 4711 was due on 3 November. I called the carrier: it arrives this week.\n\nBest regards,\nAda',
    )
    await card.getByText('Cc and Bcc').click()
    await card.getByRole('combobox', { name: 'Cc', exact: true }).fill('depot@carrier.example')
    await card.getByRole('combobox', { name: 'Cc', exact: true }).press('Enter')
    await card.locator('.who.new', { hasText: 'depot@carrier.example · new to this thread' }).waitFor()
    await card.getByText('Saved', { exact: true }).waitFor()
    await card.getByRole('button', { name: 'Versions' }).click()
    await page.getByRole('dialog').locator('ins', { hasText: 'I called' }).first().waitFor()
    await page.keyboard.press('Escape')
    await card.getByText('Signature and quoted mail go with it').click()
    const shown = await card.evaluate((element) => ({
      text: element.querySelector('textarea')!.value,
      tail: element.querySelector('.tail .words')!.textContent,
    }))
    const subject = await card.getByLabel('Subject').inputValue()
    await card.getByRole('button', { name: 'Send and close' }).click()
    await page.getByText(/^Sent to Carla Brandt and 1 more$/).waitFor()

    const mail = await until('the mail', async () => sink.mails[0])
    const parsed = await PostalMime.parse(mail.source)
    assert.equal(parsed.text?.trim(), `${shown.text}\n\n${shown.tail}`.trim())
    assert.equal(parsed.subject, subject)
    assert.deepEqual(mail.to, ['carla@brandt.example', 'depot@carrier.example'])
    const { outcome, status } = await ask('get_draft', { draftId: proposed.id })
    assert.equal(status, 'sent')
    assert.ok(outcome!.editRatio! > 0 && outcome!.editRatio! < 1)
    assert.equal(outcome!.recipientsChanged, true)
    assert.equal((await spool.thread(threadId)).status, 'closed')
    assert.deepEqual(ada.problems, [])
  },
)

test(
  'what newer mail has overtaken is read and confirmed first; a draft is discarded with a reason',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite', { SPOOL_UNDO_SECONDS: '1' })
    await using sink = await startSmtpSink()
    await sendBy(spool.spool, spool.inbox, sink.port)
    const desk = await fillDesk(spool)
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, `/review/${desk.invoice.threadId}`)
    const card = page.getByRole('region', { name: 'Draft of Triage' })
    await card.getByText('New mail arrived after this draft was written.').waitFor()
    await card.getByText('“Please send it to our bookkeeper as well').waitFor()
    await card.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(/look at it and confirm the draft first/).waitFor()
    assert.equal(sink.mails.length, 0)
    await card.getByRole('button', { name: 'I have read it' }).click()
    await card.getByText('New mail arrived').waitFor({ state: 'detached' })
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

test('a viewer reads a draft and can do nothing to it', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  const desk = await fillDesk(spool)
  const viewer = await spool.makeUser('vera@shop.example', 'viewer', [spool.inbox])
  await using vera = await visit(spool, { browser })
  await signInAt(spool, vera, viewer, `/open/${desk.order.threadId}`)
  await vera.page.getByText('You can read drafts; members edit and send them.').waitFor()
  for (const name of ['Send', 'Discard…', 'Reply', 'Snooze', 'New message'])
    assert.equal(await vera.page.getByRole('button', { name }).count(), 0, name)
  for (const key of ['r', 'e', 'c', 'm', '#']) await vera.page.keyboard.press(key)
  assert.equal(await vera.page.locator('textarea').count(), 0)
  assert.equal((await spool.thread(desk.order.threadId)).status, 'open')
  assert.deepEqual(vera.problems, [])
})
