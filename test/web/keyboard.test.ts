import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { changeUser } from '../../src/core/people/people.ts'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { person } from '../../src/model/access.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { sendBy } from '../support/outgoing.ts'
import { oneDatabase } from '../support/databases.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk } from '../support/sample-desk.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { password } from '../support/web-client.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

for (const database of oneDatabase(2))
  test(`${database}: from sign-in to sent mail by keyboard alone`, { skip: browserMissing }, async () => {
    await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '0' })
    await using sink = await startSmtpSink()
    await sendBy(spool.spool, spool.inbox, sink.port)
    await spool.receive({ text: 'Where is it?' })
    await changeUser(spool.spool, spool.ada.email, { password })
    await using ada = await visit(spool, { browser })
    const { page } = ada
    const { keyboard } = page
    await page.goto('/')
    await until('the cursor is at E-mail', () =>
      page.getByLabel('E-mail').evaluate((field) => field.matches(':focus')),
    )
    await keyboard.type(spool.ada.email)
    await keyboard.press('Tab')
    await keyboard.type(password)
    await keyboard.press('Enter')
    await page.locator('.row-link').waitFor()
    await keyboard.press('j')
    await page.getByRole('article').waitFor()
    await keyboard.press('r')
    await keyboard.type('It is on its way.')
    await keyboard.press('Control+Enter')
    const mail = await until('the mail', async () => sink.mails[0])
    assert.match(mail.source, /It is on its way\./)

    // A new conversation, with the address completed from known people.
    await page.getByText('to Carla Brandt · sent by Ada').waitFor()
    await keyboard.press('Escape')
    await keyboard.press('Escape')
    await keyboard.press('c')
    const to = page.getByRole('combobox', { name: 'To', exact: true })
    await until('the cursor is at To', () => to.evaluate((field) => field.matches(':focus')))
    await keyboard.type('carl')
    await page.getByRole('option', { name: /Carla Brandt/ }).waitFor()
    await keyboard.press('Enter')
    await page.getByLabel('Subject').focus()
    await keyboard.type('A gift')
    await keyboard.press('Tab')
    await keyboard.type('For your')
    await page.getByText('Saved', { exact: true }).waitFor()
    await keyboard.type(' patience.')
    await keyboard.press('Control+Enter')
    const gift = await until('the second mail', async () => sink.mails[1])
    assert.match(gift.source, /Subject: A gift/)
    assert.match(gift.source, /For your patience\./)
    assert.deepEqual(gift.to, ['carla@brandt.example'])
    assert.deepEqual(ada.problems, [])
  })

test(
  'moving, selecting, closing, snoozing and navigating by keyboard; back and forward',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const desk = await fillDesk(spool)
    await using ada = await visit(spool, { browser })
    const { page } = ada
    const { keyboard } = page
    await signInAt(spool, ada, spool.ada)
    await page.locator('.row-link').first().waitFor()
    const heading = page.locator('.thread .head h1')
    await keyboard.press('j')
    await heading.getByText('Order 4711 has not arrived').waitFor()
    await keyboard.press('j')
    await heading.getByText('Invoice 2026-118').waitFor()
    // The open thread stays in the list, and shows what became of it.
    await changeStatus(spool.spool, person(desk.tom), desk.invoice.threadId, 'waiting', null)
    const waits = page.locator('.row-link', { hasText: 'Invoice 2026-118' }).getByText('Waiting')
    await waits.waitFor()
    await keyboard.press('j')
    await heading.getByText('Returning the blue one').waitFor()
    await changeStatus(spool.spool, person(desk.tom), desk.invoice.threadId, 'open', null)
    await waits.waitFor({ state: 'detached' })
    for (const back of ['Invoice 2026-118', 'Order 4711']) {
      await keyboard.press('k')
      await heading.getByText(back).waitFor()
    }
    await keyboard.press('s')
    await keyboard.type('tomorrow 10:30')
    await keyboard.press('Enter')
    await heading.getByText('Invoice 2026-118').waitFor()
    const snoozed = await until('it sleeps', async () => {
      const thread = await spool.thread(desk.order.threadId)
      return thread.status === 'snoozed' && thread
    })
    assert.equal(new Date(snoozed.snoozedUntil!).getMinutes(), 30)
    await keyboard.press('e')
    await until('it is closed', async () => (await spool.thread(desk.invoice.threadId)).status === 'closed')

    await keyboard.press('x')
    await keyboard.press('j')
    await keyboard.press('x')
    await page.getByText('2 selected').waitFor()
    await keyboard.press('e')
    await until('both are closed', async () => (await spool.threads('?status=closed')).length === 3)

    await keyboard.press('g')
    await keyboard.press('c')
    await page.waitForURL('**/closed')
    await page.locator('.row-link', { hasText: 'Invoice 2026-118' }).waitFor()
    await page.goBack()
    assert.match(page.url(), /\/open/)
    await page.goForward()
    await page.waitForURL('**/closed')
    await keyboard.press('/')
    await keyboard.type('invoice status:closed')
    await keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=invoice/)
    await until('one is found', async () => (await page.locator('.row-link').count()) === 1)
    assert.deepEqual(ada.problems, [])
  },
)

test(
  'a thread that is open is followed by the one below it, whether it stays in its list or has left it',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    for (const [at, subject] of ['Last', 'Third', 'Second', 'First'].entries())
      await spool.receive({ subject, date: Date.now() - (9 - at) * 60_000 })
    await using ada = await visit(spool, { browser })
    const { page } = ada
    const { keyboard } = page
    await signInAt(spool, ada, spool.ada, '/unread')
    const row = (subject: string) => page.locator('.row', { hasText: subject })
    const heading = page.locator('.thread .head h1')
    await row('Second').click()
    await heading.getByText('Second').waitFor()
    await page.locator('.row.read', { hasText: 'Second' }).waitFor()
    await spool.receive({ subject: 'Newest' })
    await row('Newest').waitFor()
    assert.equal(await row('Second').count(), 1)
    await keyboard.press('e')
    await heading.getByText('Third').waitFor()
    await page.goto('/unassigned')
    await row('Third').click()
    await heading.getByText('Third').waitFor()
    // What the user does takes it out of the list, although it stays open.
    await keyboard.press('m')
    await row('Third').waitFor({ state: 'detached' })
    await spool.receive({ subject: 'Even newer' })
    await row('Even newer').waitFor()
    await keyboard.press('j')
    await heading.getByText('Last').waitFor()
    assert.deepEqual(ada.problems, [])
  },
)

test(
  'Escape leaves no settings with unsaved text, and a link asks first',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, `/settings/inboxes/${spool.inbox.id}`)
    await page.getByLabel('Rules').fill('Be brief.')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    const people = page.getByRole('link', { name: 'People' })
    const asked = page.waitForEvent('dialog')
    const clicked = people.click()
    const dialog = await asked
    assert.equal(dialog.message(), "Leave this page? What you typed isn't saved.")
    await dialog.dismiss()
    await clicked
    const card = page.locator('.card', { has: page.getByLabel('Rules') })
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText('1 version').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/open')

    await page.goto(`/settings/inboxes/${spool.inbox.id}`)
    await page.getByLabel('Rules').fill('Be kind.')
    page.once('dialog', (dialog) => void dialog.accept())
    await people.click()
    await page.waitForURL('**/settings/people')
    assert.deepEqual(ada.problems, [])
  },
)
