import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { sendBy } from '../support/outgoing.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startCuttingProxy, type Cut } from '../support/smtp-cut.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

for (const database of oneDatabase(0))
  test(
    `${database}: mail that the server rejects says why, is corrected and sent`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '0' })
      await using sink = await startSmtpSink()
      sink.refuse = (step, address) => (step === 'rcpt' && address === 'carla@brandt.example' ? 550 : null)
      await sendBy(spool.spool, spool.inbox, sink.port)
      const { threadId } = await spool.receive({ messageId: '<4711@brandt.example>' })
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('It is on its way.')
      await page.keyboard.press('Control+Enter')
      await page.getByText("Couldn't send to Carla Brandt").waitFor()
      const card = page.getByRole('region', { name: 'Draft by Ada' })
      await card.getByText("This message couldn't be sent.").waitFor()
      await card.getByText('No rcpt for carla@brandt.example').waitFor()
      await takePicture(page, `not-sent-${database}`)
      // It is listed among the drafts, with what is wrong.
      await page.goto('/review')
      const row = page.locator('.row', { hasText: 'Order 4711 has not arrived' })
      await row.getByText('Not sent', { exact: true }).waitFor()
      await row.click()
      await card.getByRole('button', { name: 'Edit and try again' }).click()
      await card.getByText("This message couldn't be sent.").waitFor({ state: 'detached' })
      await card.getByRole('button', { name: 'Remove Carla Brandt' }).click()
      await card.getByRole('combobox', { name: 'To', exact: true }).fill('office@brandt.example')
      await card.getByRole('combobox', { name: 'To', exact: true }).press('Enter')
      await card.getByText('Saved', { exact: true }).waitFor()
      await card.getByRole('button', { name: 'Send', exact: true }).click()
      const mail = await until('the mail', async () => sink.mails[0])
      assert.deepEqual(mail.to, ['office@brandt.example'])
      await page.getByText('No drafts to review').waitFor()

      // New mail arrives before it is sent.
      spool.spool.undoSeconds = 60
      await page.goto(`/open/${threadId}`)
      await page.getByText('sent by Ada').first().waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('It will come tomorrow.')
      await page.keyboard.press('Control+Enter')
      await page.getByText(/^Sending to Carla Brandt/).waitFor()
      await spool.receive({ inReplyTo: '<4711@brandt.example>', text: 'It has arrived.' })
      await page.getByText("Couldn't send to Carla Brandt").waitFor()
      await card.getByText('New mail has arrived since this draft was written.').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
      assert.equal(sink.mails.length, 1)
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(0))
  test(
    `${database}: what is heard before the answer to sending is not forgotten`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '0' })
      await using sink = await startSmtpSink()
      sink.refuse = (step) => (step === 'rcpt' ? 550 : null)
      await sendBy(spool.spool, spool.inbox, sink.port)
      const { threadId } = await spool.receive({})
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      await page.route('**/drafts/*/send', async (route) => {
        // Told by the event stream, the page asks for the thread with its draft.
        const heard = page.waitForResponse(
          async (answer) =>
            answer.url().includes(threadId) &&
            (await answer.text().catch(() => '')).includes('"status":"failed"'),
        )
        const response = await route.fetch()
        await heard
        await route.fulfill({ response })
      })
      await page.keyboard.press('r')
      await page.keyboard.type('It is on its way.')
      await page.keyboard.press('Control+Enter')
      await page.getByText("Couldn't send to Carla Brandt").waitFor()
      await page.getByText("This message couldn't be sent.").waitFor()
      await page.unrouteAll({ behavior: 'wait' })
    },
  )

for (const database of oneDatabase(0))
  test(
    `${database}: mail that the server refuses for now is said to be tried again`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '0' })
      await using sink = await startSmtpSink()
      sink.refuse = (step) => (step === 'rcpt' ? 451 : null)
      await sendBy(spool.spool, spool.inbox, sink.port)
      const { threadId } = await spool.receive({})
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('It is on its way.')
      await page.keyboard.press('Control+Enter')
      const bar = page.locator('.bar.undo')
      await bar.getByText("Couldn't send to Carla Brandt yet. Spool will try again.").waitFor()
      const card = page.getByRole('region', { name: 'Draft by Ada' })
      await card.getByText('Not sent yet. Spool will try again.').waitFor()
      await card.getByText('No rcpt for carla@brandt.example').waitFor()
      await takePicture(page, 'sent-again')
      await bar.getByRole('button', { name: 'Undo' }).click()
      await bar.waitFor({ state: 'detached' })
      await card.getByRole('button', { name: 'Send', exact: true }).waitFor()
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(1))
  test(
    `${database}: a half-typed recipient is included, or blocks sending`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '0' })
      await using sink = await startSmtpSink()
      await sendBy(spool.spool, spool.inbox, sink.port)
      const { threadId } = await spool.receive({})
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('It is on its way.')
      const card = page.getByRole('region', { name: 'Draft by Ada' })
      const to = card.getByRole('combobox', { name: 'To', exact: true })
      const send = card.getByRole('button', { name: 'Send', exact: true })
      const notice = page.getByText('carmen@ is not a valid address.')
      for (const way of [() => to.press('Control+Enter'), () => send.click()]) {
        await to.fill('carmen@')
        await way()
        await notice.first().waitFor()
        assert.equal(await to.inputValue(), 'carmen@')
      }
      await to.fill('carmen@other.example')
      await send.click()
      const mail = await until('the mail', async () => sink.mails[0])
      assert.deepEqual(mail.to.toSorted(), ['carla@brandt.example', 'carmen@other.example'])
      assert.equal(sink.mails.length, 1)
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(1))
  test(`${database}: a person settles mail whose delivery is unknown`, { skip: browserMissing }, async () => {
    await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '0' })
    await using sink = await startSmtpSink()
    const cuts: Cut[] = ['answer withheld', 'answer withheld']
    await using proxy = await startCuttingProxy(sink.port, () => cuts.shift() ?? null)
    await sendBy(spool.spool, spool.inbox, proxy.port)
    const first = await spool.receive({ subject: 'First', text: 'One?' })
    const second = await spool.receive({ subject: 'Second', text: 'Two?' })
    await using ada = await visit(spool, { browser })
    const { page } = ada
    const card = page.getByRole('region', { name: 'Draft by Ada' })
    const answer = async (path: string): Promise<void> => {
      await page.goto(path)
      await page.getByRole('article').waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('Yes.')
      await page.keyboard.press('Control+Enter')
      await card.getByText("We couldn't confirm it was sent.").waitFor()
    }
    await signInAt(spool, ada, spool.ada)
    await answer(`/open/${first.threadId}`)
    await takePicture(page, `unknown-${database}`)
    // It claims no more than is known, and cannot be resent by mistake.
    assert.equal(await card.getByText('not sent').count(), 0)
    assert.equal(await card.getByRole('button', { name: 'Send', exact: true }).count(), 0)
    await card.getByRole('button', { name: 'Mark as sent' }).click()
    await page.getByText('to Carla Brandt · sent by Ada').waitFor()
    await card.waitFor({ state: 'detached' })
    assert.equal(sink.mails.length, 1)
    assert.equal((await spool.thread(first.threadId)).messageCount, 2)

    await answer(`/open/${second.threadId}`)
    await card.getByRole('button', { name: 'Edit and try again' }).click()
    await card.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('to Carla Brandt · sent by Ada').waitFor()
    // Sent twice because a person said so, with different Message-IDs so that no server drops one as a duplicate.
    assert.equal(sink.mails.length, 3)
    assert.equal(new Set(sink.mails.map(({ messageId }) => messageId)).size, 3)
    assert.deepEqual(ada.problems, [])
  })
