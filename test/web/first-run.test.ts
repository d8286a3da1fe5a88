import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import PostalMime from 'postal-mime'
import { offerSetup } from '../../src/core/people/invitations.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { startEmpty } from '../support/empty-spool.ts'
import { Hand } from '../support/hand.ts'
import { openMailUser } from '../support/mail-user.ts'
import { fillMaildir } from '../support/mailbox-filler.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startProxy } from '../support/proxy.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { signInAs } from '../support/web-client.ts'

const skip = browserMissing || skipWithout('dovecot')
const address = 'support@shop.example'
const credentials = { user: address, password: 'secret' }
const history = process.env['SPOOL_TEST_LONG'] === '1' ? 9000 : 900
/** The line stalls here, so the first sync is still running while the newest mail is read and answered. */
const line = { messageBytes: 2_000, stallAfter: 300_000 }

for (const database of databases)
  test(`${database}: from the one-time link to the first reply, using only the page`, { skip }, async () => {
    await using dovecot = await startDovecot({ users: { [address]: credentials.password } })
    fillMaildir(dovecot, address, history, { size: line.messageBytes })
    await using proxy = await startProxy(dovecot.port)
    proxy.stallAfter(line.stallAfter)
    await using carla = await openMailUser(dovecot, address)
    await carla.write('INBOX', { text: 'Hello,\n\nmy order 4711 was due on 3 November. Where is it?' })
    await using sink = await startSmtpSink({ credentials })
    await using server = await startEmpty(database)
    const link = await offerSetup(server.app.spool)
    await using grace = await visit({ url: server.app.url })
    const { page } = grace

    const began = performance.now()
    const hand = new Hand(page)
    await hand.open(link!.url)
    await hand.fill('Your name', 'Grace')
    await hand.fill('E-mail', 'grace@shop.example')
    await hand.fill('Password (at least 10 characters)', 'a long enough password')
    await hand.press('Get started')

    await page.getByRole('heading', { name: 'Welcome, Grace' }).waitFor()
    await hand.fill('Email address', address)
    await hand.fill('Mailbox password', credentials.password)
    // An unknown provider: the page guesses, says so, and lets the user correct it.
    await page.getByText('These servers are a guess based on the address.').waitFor()
    await hand.fill('IMAP host', '127.0.0.1')
    await hand.fill('IMAP port', String(proxy.port))
    await hand.choose('IMAP encryption', 'None (local only)')
    await hand.fill('SMTP host', '127.0.0.1')
    await hand.fill('SMTP port', String(sink.port))
    await hand.choose('SMTP encryption', 'None (local only)')
    await takePicture(page, `guide-mailbox-${database}`)
    await hand.press('Check and continue')
    await page.getByText(`${address} can sign in to both servers.`).waitFor()
    assert.deepEqual(await chosenFolders(page), ['INBOX', 'Sent'])
    // The history is from years ago, and would else start closed.
    await hand.choose('Which existing mail should be open?', 'All')
    await takePicture(page, `guide-folders-${database}`)
    await hand.press('Connect this mailbox')
    await page.getByText(`of ${(history + 1).toLocaleString('en-GB')} messages`).waitFor()
    await takePicture(page, `guide-syncing-${database}`)
    await hand.press('Read your mail')
    await hand.click(page.getByText('Order 4711 has not arrived'))
    await page.getByRole('article').getByText('my order 4711 was due on 3 November').waitFor()
    const fetchedMeanwhile = await countFetched(page)
    await hand.press('Reply')
    await hand.type('Hello Carla,\n\nit leaves the depot today.\n\nGrace')
    await page.getByText('Saved', { exact: true }).waitFor()
    await hand.press('Send')
    await page.getByText('Sent to Carla Brandt', { exact: true }).waitFor()
    const seconds = (performance.now() - began) / 1000

    const mail = await until('the answer', async () => sink.mails[0])
    const { text = '' } = await PostalMime.parse(mail.source)
    assert.match(text, /it leaves the depot today/)
    assert.equal(mail.from, address)
    assert.deepEqual(mail.to, ['carla@brandt.example'])
    assert.ok(hand.count <= 30, `${hand.count} interactions`)
    assert.ok(seconds <= 180, `${seconds} s`)

    // Steps not done yet are found again and can be skipped.
    await page.getByRole('link', { name: 'First steps' }).click()
    await page.getByText('Done', { exact: true }).first().waitFor()
    for (const step of ['Invite people', 'Connect an agent']) {
      await page.getByRole('link', { name: step }).last().click()
      await page.getByRole('button', { name: 'Skip for now' }).click()
    }
    await page.locator('.row-link').first().waitFor()
    await page.getByRole('link', { name: 'First steps' }).waitFor({ state: 'detached' })
    await page.goto('/settings/guide')
    await page.getByText('You can come back to skipped steps here').waitFor()
    assert.equal(await page.getByText('Skipped', { exact: true }).count(), 2)

    assert.ok(fetchedMeanwhile < history, `${fetchedMeanwhile} were fetched when the newest was read`)
    proxy.stallAfter(null)
    proxy.cut()
    await until('the whole history', async () => (await countFetched(page)) > history, 120_000)
    assert.deepEqual(grace.problems, [])
  })

test('who skips a step and goes elsewhere stays there', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  const web = await signInAs(spool, spool.ada)
  for (const step of ['mailbox', 'agent']) await web.do('PUT', '/guide', { step, state: 'skipped' })
  await using ada = await visit(spool)
  const { page } = ada
  await signInAt(spool, ada, spool.ada, '/settings/guide/people')
  const skipStep = page.getByRole('button', { name: 'Skip for now' })
  await skipStep.waitFor()
  const held = Promise.withResolvers<Route>()
  await page.route('**/app/api/guide', (route) => held.resolve(route), { times: 1 })
  await skipStep.click()
  const route = await held.promise
  const rail = page.locator('nav.rail')
  await rail.getByRole('link', { name: 'Closed' }).click()
  const firstSteps = rail.getByRole('link', { name: 'First steps' })
  await firstSteps.waitFor()
  await route.continue()
  // It was the last one.
  await firstSteps.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/closed')
  assert.deepEqual(ada.problems, [])
})

async function chosenFolders(page: Page): Promise<string[]> {
  const labels = page.locator('.check', { has: page.locator(':checked') })
  return (await labels.allInnerTexts()).map((text) => text.split('\n')[0]!.trim())
}

async function countFetched(page: Page): Promise<number> {
  const { data } = (await page.evaluate(
    `fetch('/app/api/settings/inboxes').then((answer) => answer.json())`,
  )) as {
    data: { sync: { folders: { role: string | null; messages: number }[] } }[]
  }
  return data[0]!.sync.folders.find(({ role }) => role === 'inbox')!.messages
}
