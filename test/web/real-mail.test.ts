import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import PostalMime from 'postal-mime'
import type { AgentDraft } from '../../src/model/draft.ts'
import { browserMissing, shownMail, signInAt, visit } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { startMailHost, type MailHost } from '../support/mail-host.ts'
import { callTool } from '../support/mcp.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const skip = browserMissing || skipWithout('dovecot')
const carla = 'carla@brandt.example'
const depot = 'depot@carrier.example'
const team = 'support@shop.example'

let browser: Browser
before(async () => {
  if (!skip) browser = await launchChromium()
})
after(async () => browser?.close())

interface Scene extends AsyncDisposable {
  spool: TestSpool
  host: MailHost
}

/** A mail provider with three mailboxes, and a Spool that fetches one of them. */
async function setScene(database: 'sqlite' | 'postgres'): Promise<Scene> {
  await using stack = new AsyncDisposableStack()
  const host = stack.use(await startMailHost([team, carla, depot]))
  const spool = stack.use(await startSpool(database, { SPOOL_UNDO_SECONDS: '1' }))
  await host.serve(spool.spool, spool.inbox)
  const owned = stack.move()
  return { spool, host, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

for (const database of databases) {
  test(
    `${database}: mail arrives by IMAP and appears live, is answered, and is in both mailboxes`,
    { skip },
    async () => {
      await using scene = await setScene(database)
      const { spool, host } = scene
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada)
      await page.getByText('No open threads. New mail appears here automatically.').waitFor()
      await host.send({
        from: `Carla Brandt <${carla}>`,
        to: team,
        messageId: '<4711@brandt.example>',
        text: 'Hello,\n\nmy order 4711 was due on 3 November. Where is it?',
      })
      await page.getByText('Order 4711 has not arrived').click()
      await page.getByRole('article').getByText('my order 4711 was due on 3 November').waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('Hello Carla,\n\nit leaves the depot today.\n.\nAda')
      const shown = await shownMail(page.getByRole('region', { name: 'Draft by Ada' }))
      await page.keyboard.press('Control+Enter')
      await page.getByText('Sent to Carla Brandt', { exact: true }).waitFor()

      await using hers = await host.open(carla)
      const [received, ...more] = await until('her mail', async () => {
        const mails = await hers.read('INBOX')
        return mails.length > 0 && mails
      })
      assert.deepEqual(more, [])
      const mail = await PostalMime.parse(received!)
      assert.equal(mail.text?.trim(), shown.text)
      assert.equal(mail.subject, shown.subject)
      assert.equal(mail.inReplyTo, '<4711@brandt.example>')
      await using ours = await host.open(team)
      const filed = await until('the copy in Sent', async () => {
        const mails = await ours.read('Sent')
        return mails.length > 0 && mails
      })
      assert.deepEqual(
        filed.map((source) => source.trimEnd()),
        [received!.trimEnd()],
      )

      // Her reply joins its thread, and the copy in Sent is not stored twice.
      await host.send({
        from: `Carla Brandt <${carla}>`,
        to: team,
        subject: mail.subject!,
        inReplyTo: mail.messageId!,
        text: 'Thank you!',
      })
      await page.getByRole('article').getByText('Thank you!').waitFor()
      assert.equal(await page.getByRole('article').count(), 3)
      assert.equal((await spool.threads())[0]!.messageCount, 3)
      assert.equal((await hers.read('INBOX')).length, 1)
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: an agent proposes, a person edits and sends, the recipient gets what was on the screen, the agent reads the outcome`,
    { skip },
    async () => {
      await using scene = await setScene(database)
      const { spool, host } = scene
      const token = await spool.makeToken(spool.ada, { name: 'Triage' })
      const ask = async <Answer>(name: string, values: Record<string, unknown>): Promise<Answer> => {
        const { isError, text, structured } = await callTool(spool.url, token, name, values)
        assert.ok(!isError, text)
        return structured as Answer
      }
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, '/review')
      await page.getByText('No drafts to review').waitFor()
      await host.send({
        from: `Carla Brandt <${carla}>`,
        to: team,
        text: 'My order 4711 was due on 3 November.',
      })
      const thread = await until('the agent sees the mail', async () => {
        const { data } = await ask<{ data: { id: string }[] }>('list_threads', { unread: true })
        return data[0]
      })
      const { history } = await spool.thread(thread.id)
      const proposed = await ask<AgentDraft>('propose_draft', {
        threadId: thread.id,
        text: 'Hello Carla,\n\nyour order 4711 was due on 3 November. It arrives by 18 November at the latest.\n\nBest regards',
        citations: [{ messageId: history[0]!.id, quote: 'order 4711 was due on 3 November' }],
      })

      // It appears live, with its count.
      await page.getByText('Draft by Triage').click()
      await page.locator('nav [href="/review"] .count', { hasText: '1' }).waitFor()
      const card = page.getByRole('region', { name: 'Draft by Triage' })
      await card.getByText('Not found in this thread: 18 November').waitFor()
      assert.equal(await card.locator('mark.un').textContent(), '18 November')
      await card.getByRole('button', { name: '“order 4711 was due on 3 November”' }).focus()
      await page
        .getByRole('article')
        .locator('mark.cite.lit', { hasText: 'order 4711 was due on 3 November' })
        .waitFor()

      await page
        .getByLabel('Text of the mail')
        .fill(
          'Hello Carla,\n\nyour order 4711 was due on 3 November. I called the carrier: it arrives this week.\n\nBest regards,\nAda',
        )
      await card.getByText('Cc and Bcc').click()
      await card.getByRole('combobox', { name: 'Cc', exact: true }).fill(depot)
      await card.getByRole('combobox', { name: 'Cc', exact: true }).press('Enter')
      await card.locator('.who.new', { hasText: `${depot} · new to this thread` }).waitFor()
      await card.getByText('Saved', { exact: true }).waitFor()
      await card.getByRole('button', { name: 'Versions' }).click()
      await page.getByRole('dialog').locator('ins', { hasText: 'I called' }).first().waitFor()
      await page.keyboard.press('Escape')
      const shown = await shownMail(card)
      await card.getByRole('button', { name: 'Send and close' }).click()
      await page.getByText('Sent to Carla Brandt and 1 more', { exact: true }).waitFor()

      await using ours = await host.open(team)
      await until('the copy in Sent', async () => (await ours.read('Sent')).length > 0)
      for (const address of [carla, depot]) {
        await using theirs = await host.open(address)
        const mails = await theirs.read('INBOX')
        assert.equal(mails.length, 1, `${address} has it once`)
        const mail = await PostalMime.parse(mails[0]!)
        assert.equal(mail.text?.trim(), shown.text)
        assert.equal(mail.subject, shown.subject)
        assert.deepEqual(
          mail.to?.map((to) => to.address),
          [carla],
        )
        assert.deepEqual(
          mail.cc?.map((cc) => cc.address),
          [depot],
        )
      }
      assert.equal((await ours.read('Sent')).length, 1)
      const { outcome, status, text } = await ask<AgentDraft>('get_draft', { draftId: proposed.id })
      assert.equal(status, 'sent')
      assert.ok(outcome!.editRatio! > 0 && outcome!.editRatio! < 1)
      assert.equal(outcome!.recipientsChanged, true)
      assert.match(text, /I called the carrier/)
      assert.equal((await spool.thread(thread.id)).status, 'closed')
      assert.deepEqual(ada.problems, [])
    },
  )
}
