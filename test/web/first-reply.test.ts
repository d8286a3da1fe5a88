import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import PostalMime from 'postal-mime'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { sendBy } from '../support/outgoing.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

for (const database of databases)
  test(`${database}: from signing in to the first reply`, { skip: browserMissing }, async () => {
    await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '60' })
    await using sink = await startSmtpSink()
    await sendBy(spool.spool, spool.inbox, sink.port)
    await spool.receive({
      to: `depot@carrier.example, ${spool.inbox.address}`,
      // Answers to it would come back to us.
      headers: { 'Reply-To': spool.inbox.address },
      text: 'Hello,\n\nmy order 4711 was due on 3 November. Where is it?\n\n-- \nCarla',
    })
    await spool.receive({
      from: 'Jonas Weber <jonas@weber.example>',
      subject: 'Wrong VAT id',
      text: 'Please correct it.',
    })
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada)
    await page.getByText('Order 4711 has not arrived').click()
    await page.getByRole('article').getByText('my order 4711 was due on 3 November').waitFor()
    assert.match(page.url(), /\/open\/thr_/)
    await page.keyboard.press('r')
    await page.keyboard.type('Hello Carla,')
    await page.getByText('Saved', { exact: true }).waitFor()
    // Saving does not move the cursor.
    const kept = Promise.withResolvers<void>()
    const saves = '**/app/api/drafts/**'
    await page.route(saves, (route) => kept.promise.then(() => route.fallback()))
    await page.keyboard.type('\n\nit leaves the depot today.\n\nAda')
    await page.getByText(/^Saved on this device$|^Saving…$/).waitFor()
    kept.resolve()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.locator('.row', { hasText: 'Order 4711' }).getByText('Your draft').waitFor()
    await page.getByText('Also sent: signature and quoted text').click()
    const shown = await page.locator('.draft').evaluate((card) => ({
      text: card.querySelector('textarea')!.value,
      tail: card.querySelector('.tail .mail-text')!.textContent ?? '',
    }))
    await takePicture(page, `first-reply-${database}`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(/^Sending to Carla Brandt in \d+ s$/).waitFor()
    const undo = page.getByRole('button', { name: 'Undo' })
    assert.equal(await undo.count(), 1, 'one is enough')
    await undo.click()
    await page.getByText('Sending cancelled. Your draft is back.').waitFor()
    assert.equal(sink.mails.length, 0, 'nothing left')
    spool.spool.undoSeconds = 1
    await page.getByLabel('Text of the mail').focus()
    await page.keyboard.press('Control+Enter')
    await page.getByText(/^Sent to Carla Brandt$/).waitFor()
    const mail = await until('the mail', async () => sink.mails[0])
    const { text = '' } = await PostalMime.parse(mail.source)
    assert.equal(text.trim(), `${shown.text.trimEnd()}\n\n${shown.tail}`.trim())
    assert.deepEqual(mail.to, ['carla@brandt.example'])
    await page.getByText('to Carla Brandt · sent by Ada').waitFor()
    assert.deepEqual(ada.problems, [])
  })
