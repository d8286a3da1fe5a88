import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { proposeDraft } from '../../src/core/drafts/drafts.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
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

const hour = 3_600_000

for (const database of oneDatabase(0)) {
  const shared = shareSpool(database, { SPOOL_UNDO_SECONDS: '60' })

  test(
    `${database}: an undo that fails is shown as not done and can be repeated`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const [first] = await desk.receiveAll(
        [1, 2].map((number) => ({ subject: `Question ${number}`, date: Date.now() - number * hour })),
      )
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, desk.user, `/open/${first!.threadId}`)
      const row = page.locator('.row', { hasText: 'Question 1' })
      const isClosed = async (): Promise<boolean> => (await desk.thread(first!.threadId)).status === 'closed'
      await page.getByRole('article').waitFor()
      await page.keyboard.press('e')
      await until('it is closed', isClosed)
      await page.locator('.bar.undo', { hasText: 'Closed' }).waitFor()
      await page.route(/\/app\/api\/threads[/?]/, (route) => route.abort())
      await page.keyboard.press('z')
      const again = page.getByRole('button', { name: 'Try again' }).first()
      await again.waitFor()
      await page.locator('.bar.undo', { hasText: 'Closed' }).waitFor()
      assert.equal(await row.count(), 0)
      assert.equal(await page.locator('.status-name').first().innerText(), 'Closed')
      await page.unrouteAll()
      await again.click()
      await page.locator('.rows .empty').waitFor({ state: 'detached' })
      await page.keyboard.press('z')
      await row.waitFor()
      await until('it is open', async () => !(await isClosed()))
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: sending can be undone whatever the browser's clock says`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await using sink = await startSmtpSink()
      await sendBy(spool.spool, desk.inbox, sink.port)
      for (const wrong of [hour, -hour]) {
        const { threadId } = await desk.receive({})
        await using visitor = await visit(spool, { browser })
        const { page } = visitor
        await page.addInitScript(`{
          const now = Date.now
          Date.now = () => now() + ${wrong}
        }`)
        await signInAt(spool, visitor, desk.user, `/open/${threadId}`)
        await page.getByRole('article').waitFor()
        await page.keyboard.press('r')
        await page.keyboard.type('It is on its way.')
        await page.keyboard.press('Control+Enter')
        const bar = page.locator('.bar.undo', { hasText: 'Sending to Carla Brandt' })
        await bar.waitFor()
        const seconds = /in (\d+) s/.exec(await bar.innerText())?.[1] ?? '0'
        assert.ok(Number(seconds) <= 60, `${seconds} seconds`)
        await bar.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Sending cancelled.').waitFor()
        assert.deepEqual(visitor.problems, [])
      }
    },
  )

  test(
    `${database}: a new mail restored for another inbox is sent from that inbox`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const { inbox } = await openDesk(spool)
      const second = await spool.makeInbox('second@shop.example')
      const user = await spool.makeUser('two@shop.example', 'member', [inbox, second])
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, user, '/compose')
      const from = page.getByLabel('From')
      const other = await from.locator('option:not(:checked)').innerText()
      await from.selectOption(other)
      await page.getByLabel('Subject').fill('Hello')
      await page.reload()
      await until('it is restored', async () => (await page.getByLabel('Subject').inputValue()) === 'Hello')
      assert.equal(await from.locator('option:checked').innerText(), other)
      await page.getByLabel('Text of the mail').fill('Hello')
      await page.waitForURL('**/compose/*')
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: a mailbox is checked after its provider is known, and a failed lookup is repeated`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, spool.ada, '/settings/inboxes/new')
      const tried: string[] = []
      await page.route('**/settings/try', (route) => {
        tried.push(route.request().postDataJSON().server.host)
        return route.fulfill({
          contentType: 'application/json; charset=utf-8',
          body: JSON.stringify({ ok: false, problem: 'refused', message: 'Nobody answers.' }),
        })
      })
      for (const kind of ['late', 'failed', 'late and failed'] as const) {
        tried.length = 0
        await page.reload()
        const looked = Promise.withResolvers<void>()
        const submitted = Promise.withResolvers<void>()
        await page.route(
          '**/settings/providers',
          async (route) => {
            looked.resolve()
            if (kind !== 'failed') await submitted.promise
            return kind === 'late' ? route.fallback() : route.abort()
          },
          { times: 1 },
        )
        const failed = kind === 'failed' && page.waitForEvent('requestfailed')
        await page.getByLabel('Email address').fill('team@gmail.com')
        await page.getByLabel('Password').fill('a password')
        await looked.promise
        await failed
        await page.keyboard.press('Enter')
        submitted.resolve()
        await until('both servers are tried', async () => tried.length === 2)
        assert.deepEqual(tried.toSorted(), ['imap.gmail.com', 'smtp.gmail.com'], kind)
      }
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: without its count, a search shows how many threads are loaded`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await desk.receiveAll(Array.from({ length: 150 }, (_, number) => ({ subject: `Oak ${number}` })))
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await page.route('**/search/count?*', (route) => route.abort())
      await signInAt(spool, visitor, desk.user, '/search?q=oak')
      await page.getByText('100+ threads', { exact: true }).waitFor()
    },
  )

  test(
    `${database}: a signature that cannot be loaded cannot be overwritten`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, desk.user, '/settings/profile')
      const field = page.getByLabel('Below your mail')
      await field.fill('Best regards')
      await page.locator('form', { has: field }).getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.', { exact: true }).waitFor()
      await page.route('**/signature', (route) => route.abort(), { times: 1 })
      await page.reload()
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      assert.equal(await field.count(), 0)
      await page.getByRole('button', { name: 'Try again' }).click()
      await until('it is loaded', async () => (await field.inputValue()) === 'Best regards')
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: the bar of a mail sent again outlives the one of its failure`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '60' })
      await using sink = await startSmtpSink()
      sink.refuse = (step) => (step === 'rcpt' ? 550 : null)
      await sendBy(spool.spool, spool.inbox, sink.port)
      const { threadId } = await spool.receive({})
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await page.clock.install()
      await signInAt(spool, visitor, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      spool.spool.undoSeconds = 0
      await page.keyboard.press('r')
      await page.keyboard.type('It is on its way.')
      await page.keyboard.press('Control+Enter')
      await page.getByText("Couldn't send to Carla Brandt").waitFor()
      spool.spool.undoSeconds = 60
      await page.getByRole('button', { name: 'Edit and try again' }).click()
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const bar = page.locator('.bar.undo', { hasText: /Sending to Carla Brandt/ })
      await bar.waitFor()
      // The time after which the first bar goes.
      await page.clock.fastForward(12_000)
      assert.equal(await bar.count(), 1)
      await bar.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Sending cancelled.').waitFor()
    },
  )

  test(
    `${database}: new mail that could not be loaded is loaded later`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const messageId = '<question@brandt.example>'
      const { threadId } = await desk.receive({ subject: 'Question', messageId })
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, desk.user, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      const failed = [/threads\?/, new RegExp(`threads/${threadId}\\?`)].map((path) =>
        page.waitForEvent('requestfailed', (request) => path.test(request.url())),
      )
      await page.route(/\/app\/api\/threads[/?]/, (route) => route.abort())
      await desk.receive({ inReplyTo: messageId, text: 'Any news?' })
      await Promise.all(failed)
      await page.unrouteAll()
      await page.getByRole('article').getByText('Any news?').waitFor()
      await page.locator('.row', { hasText: 'Any news?' }).waitFor()
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: earlier messages, notes and signing out say if they fail`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const messageId = '<long@brandt.example>'
      const { threadId } = await desk.receive({ subject: 'Long', messageId, date: Date.now() - hour })
      await desk.receiveAll(Array.from({ length: 25 }, () => ({ inReplyTo: messageId })))
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      const notes = /\/notes\?/
      await page.route(notes, (route) => route.abort())
      await signInAt(spool, visitor, desk.user, `/open/${threadId}`)
      const alert = page.locator('.foot-bars').getByRole('alert')
      const dismiss = async (): Promise<void> => {
        await alert.getByText("Can't reach Spool.").waitFor()
        await alert.getByRole('button').click()
        await alert.waitFor({ state: 'detached' })
      }
      await dismiss()
      await page.route(/historyCursor/, (route) => route.abort())
      await page.getByRole('button', { name: 'Show earlier messages' }).click()
      await dismiss()
      await page.route('**/app/api/session', (route) => route.abort())
      await page.getByRole('button', { name: 'Sign out' }).click()
      await dismiss()
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: drafts that could not be listed can be listed again`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const { threadId } = await desk.receive({ subject: 'Question' })
      await proposeDraft(spool.spool, desk.actor, { threadId, text: 'An answer' })
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await page.route(/\/app\/api\/drafts\?/, (route) => route.abort())
      await signInAt(spool, visitor, desk.user, '/review')
      const again = page.getByRole('button', { name: 'Try again' })
      await again.waitFor()
      await page.unrouteAll()
      await again.click()
      await page.locator('.row', { hasText: 'An answer' }).waitFor()
      assert.deepEqual(visitor.problems, [])
    },
  )
}
