import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startConversation } from '../../src/core/drafts/compositions.ts'
import { discardDraft, getDraft } from '../../src/core/drafts/drafts.ts'
import { person } from '../../src/model/access.ts'
import { SpoolError } from '../../src/model/errors.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
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

const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()

test(
  'a new mail opens again when sending it is undone, and is one click away when it fails',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite', { SPOOL_UNDO_SECONDS: '60' })
    await using sink = await startSmtpSink()
    sink.refuse = (step) => (step === 'rcpt' ? 550 : null)
    await sendBy(spool.spool, spool.inbox, sink.port)
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, '/mine')
    await page.getByRole('link', { name: 'New message' }).click()
    await page.getByRole('combobox', { name: 'To', exact: true }).fill('carla@brandt.example')
    await page.keyboard.press('Enter')
    const field = page.getByLabel('Text of the mail')
    await field.fill('Hello')
    await page.waitForURL('**/compose/*')
    const mail = page.url()
    await saved(page)
    await page.keyboard.press('Control+Enter')
    await page.waitForURL('**/mine')
    await page.locator('.bar').getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(mail)
    await until('the cursor is in it', () =>
      field.evaluate((node) => node === node.ownerDocument.activeElement),
    )
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Carla')
    await saved(page)
    assert.equal(await field.inputValue(), 'Hello Carla')

    spool.spool.undoSeconds = 0
    await page.keyboard.press('Control+Enter')
    const bar = page.locator('.bar', { hasText: "Couldn't send to carla@brandt.example" })
    await bar.getByRole('link').click()
    await page.waitForURL(mail)
    await page.getByText("This message couldn't be sent.").waitFor()
    assert.deepEqual(ada.problems, [])
  },
)

test(
  'a new mail that a colleague discards says so, and keeps what is being written',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const { tom } = await fillDesk(spool)
    const begin = () =>
      startConversation(spool.spool, spool.actor, {
        inboxId: spool.inbox.id,
        to: ['carla@brandt.example'],
        subject: 'Offer',
        text: 'First words.',
      })
    const discard = async (draftId: string): Promise<void> => {
      const { revision } = await getDraft(spool.spool, spool.actor, draftId)
      const discarding = discardDraft(spool.spool, person(tom), {
        draftId,
        revision,
        reason: 'Sent by phone',
      })
      // The page may have saved in between.
      await discarding.catch((error: unknown) =>
        error instanceof SpoolError && error.code === 'conflict' ? discard(draftId) : Promise.reject(error),
      )
    }
    await using ada = await visit(spool, { browser })
    const { page } = ada
    const read = await begin()
    await signInAt(spool, ada, spool.ada, `/compose/${read.id}`)
    const field = page.getByLabel('Text of the mail')
    await field.waitFor()
    await discard(read.id)
    await page.getByText('Tom discarded a draft: Sent by phone').waitFor()
    assert.equal(await field.count(), 0)

    const written = await begin()
    await page.goto(`/compose/${written.id}`)
    await field.press('Control+End')
    await page.keyboard.type(' And more.')
    await saved(page)
    await page.keyboard.type(' And')
    await discard(written.id)
    await page.getByText('What you were writing is kept as a new draft.').waitFor()
    await page.keyboard.type(' still.')
    await page.waitForURL((url) => url.pathname.startsWith('/compose/') && !url.href.includes(written.id))
    await saved(page)
    assert.equal(await field.inputValue(), 'First words. And more. And still.')
    const kept = await getDraft(spool.spool, spool.actor, new URL(page.url()).pathname.split('/').pop()!)
    assert.deepEqual(
      [kept.text, kept.subject, kept.to.map(({ address }) => address)],
      ['First words. And more. And still.', 'Offer', ['carla@brandt.example']],
    )
    assert.deepEqual(ada.problems, [])
  },
)

test('who sends while offline is not told that it is retried', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  const { threadId } = await spool.receive({})
  await using ada = await visit(spool, { browser })
  const { page } = ada
  await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
  await page.getByRole('article').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('It is on its way.')
  await saved(page)
  await page.context().route('**/app/api/drafts/**', (route) => route.abort())
  await page.keyboard.type(' Today.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText("Can't reach Spool.", { exact: true }).waitFor()
})
