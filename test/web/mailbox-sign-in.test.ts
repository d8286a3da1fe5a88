import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { changeInbox, listAllInboxes } from '../../src/core/inboxes/inboxes.ts'
import { appBase } from '../../src/http/routes/app/table.ts'
import { browserMissing, signInAt, takePicture, visit, type Visitor } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { Hand } from '../support/hand.ts'
import { startMailProvider, type MailProvider } from '../support/mail-provider.ts'
import { openMailUser } from '../support/mail-user.ts'
import { startDovecot, type Dovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const skip = browserMissing || skipWithout('dovecot')
const address = 'help@shop.example'
const others = ['team@shop.example', 'app@shop.example']

for (const database of oneDatabase(0))
  test(
    `${database}: from an address to an answer that arrived, by sign-in alone; what goes wrong there is told, and nothing stored`,
    {
      skip,
    },
    async () => {
      await using spool = await startSpool(database, {
        SPOOL_FETCH_ALLOW: '127.0.0.1',
        SPOOL_UNDO_SECONDS: '0',
      })
      await using provider = await startMailProvider(`${spool.url}/oauth/mailbox`)
      await using sink = await startSmtpSink()
      await using dovecot = await startDovecot({
        users: Object.fromEntries([address, ...others].map((user) => [user, 'secret'])),
        introspectionUrl: provider.introspectionUrl,
        relayPort: sink.port,
      })
      await using carla = await openMailUser(dovecot, address)
      await carla.write('INBOX', { to: address, subject: 'Where is order 4711?' })
      await using ada = await visit(spool)
      const { page } = ada
      await signInAt(spool, ada, spool.ada, '/settings/inboxes/new')

      const hand = new Hand(page)
      const nameAddress = async (who: string): Promise<void> => {
        await hand.fill('Email address', who)
        await page.getByLabel('Name (optional)').focus()
        await hand.press('Sign in instead')
      }
      const fillClient = async ({ clientId, clientSecret }: Record<'clientId' | 'clientSecret', string>) => {
        await hand.fill('Client ID', clientId)
        await hand.fill('Client secret', clientSecret)
      }
      const fillServers = async (): Promise<void> => {
        for (const [kind, port] of [
          ['IMAP', dovecot.port],
          ['SMTP', dovecot.submissionPort],
        ] as const) {
          await hand.fill(`${kind} host`, '127.0.0.1')
          await hand.fill(`${kind} port`, String(port))
          await hand.choose(`${kind} encryption`, 'None (local only)')
        }
      }
      const fillIn = async (): Promise<void> => {
        await nameAddress(address)
        await hand.fill('Sign-in server', provider.url)
        await fillClient(provider.client)
        await hand.choose('IMAP encryption', 'STARTTLS')
        const port = page.getByLabel('IMAP port', { exact: true })
        assert.equal(await port.inputValue(), '143', 'the port follows')
        await fillServers()
      }
      await fillIn()
      await takePicture(page, `mailbox-sign-in-${database}`)
      await hand.press('Sign in')
      await giveName(page, hand, address)
      await page.getByRole('link', { name: /cancel/i }).click()
      await page.getByRole('alert').getByText('consent was refused').waitFor()
      assert.ok(!page.url().includes('code='), page.url())
      await tryWrongAnswers(spool, ada, provider, dovecot)

      await hand.press('Start over')
      hand.count = 0
      await fillIn()
      await hand.press('Sign in')
      // The provider still knows who is there, whom a person tells it in three steps.
      hand.count += 3
      await hand.press('Continue')
      await page.getByText(`Signed in as ${address}.`).waitFor()
      assert.ok(!page.url().includes('code='), page.url())
      await hand.press('Open inbox')
      await hand.click(page.getByText('Where is order 4711?'))
      await hand.press('Reply')
      await hand.type('It leaves today.')
      await page.getByText('Saved', { exact: true }).waitFor()
      await hand.press('Send')
      await page.getByText('Sent to Carla Brandt', { exact: true }).waitFor()
      const mail = await until('the answer', async () => sink.mails[0])
      assert.equal(mail.from, address)
      assert.ok(hand.count <= 25, `${hand.count} interactions`)

      // With further addresses, the one to answer from is chosen in the draft.
      await changeInbox(spool.spool, address, { aliases: ['info@shop.example'] })
      await page.goto(page.url())
      await page.getByRole('button', { name: 'Reply', exact: true }).click()
      await page.keyboard.type('From the other address.')
      await page.getByLabel('From', { exact: true }).selectOption('info@shop.example')
      await page.getByText('Saved', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const second = await until('the second answer', async () => sink.mails[1])
      assert.equal(second.from, 'info@shop.example')

      // A shared mailbox, by the account that signed in already; the client is known by now.
      await page.goto('/settings/inboxes/new')
      await nameAddress('team@shop.example')
      await fillServers()
      await page.getByLabel('This is a shared mailbox').check()
      await hand.press('Sign in')
      await hand.press('Continue')
      await page.getByRole('alert').getByText(`You signed in as ${address}. `).waitFor()
      provider.mailboxes.set(address, 'team@shop.example')
      await hand.press('Start over')
      await nameAddress('team@shop.example')
      await fillServers()
      await page.getByLabel('This is a shared mailbox').check()
      await hand.press('Sign in')
      await hand.press('Continue')
      await page.getByText(`Signed in as ${address}.`).waitFor()

      // An application signs in without a person.
      provider.mailboxes.set('app', 'app@shop.example')
      await page.goto('/settings/inboxes/new')
      await nameAddress('app@shop.example')
      await hand.choose('Who signs in?', 'The application itself (client credentials)')
      await hand.press('Use another')
      await fillClient(provider.app)
      await fillServers()
      await hand.press('Check and continue')
      await page.getByText('Signed in as an application, not as a person.').waitFor()

      // The provider's own pages ask for what they like.
      const own = ada.problems.filter((problem) => !problem.startsWith('asked '))
      assert.deepEqual(own, [])
    },
  )

/** At the provider's own page. */
async function giveName(page: Page, hand: Hand, account: string): Promise<void> {
  const login = page.getByPlaceholder('Enter any login')
  await login.waitFor()
  await login.fill(account)
  await page.getByPlaceholder('and password').fill('anything')
  hand.count += 2
  await hand.press('Sign-in')
  await page.getByRole('button', { name: 'Continue' }).waitFor()
}

/** What may come back from the provider instead of a sign-in. */
async function tryWrongAnswers(
  spool: TestSpool,
  { page, context }: Visitor,
  provider: MailProvider,
  dovecot: Dovecot,
): Promise<void> {
  const at = { host: '127.0.0.1', security: 'none' }
  const wish = {
    provider: 'other',
    address,
    client: provider.client,
    imap: { ...at, port: dovecot.port },
    smtp: { ...at, port: dovecot.submissionPort },
  }
  const ask = { url: `${appBase}/settings/mailbox-sign-in`, body: JSON.stringify(wish) }
  /** Begun in this browser's session; answers where the provider sends the browser. */
  const comeBack = async (account = address): Promise<URL> => {
    const url = await page.evaluate(async ({ url, body }) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return ((await answer.json()) as { url: string }).url
    }, ask)
    return provider.consent(url, account)
  }
  const isTold = async (words: RegExp, where = page): Promise<void> => {
    await where.getByRole('alert').getByText(words).waitFor({ timeout: 60_000 })
    await where.getByRole('link', { name: 'Start over' }).waitFor()
    assert.ok(!(await listAllInboxes(spool.spool)).some((inbox) => inbox.address === address))
  }
  const told = async (back: URL, words: RegExp): Promise<void> => {
    await page.goto(back.href)
    await isTold(words)
  }
  // Too slow an answer: meanwhile the others are tried.
  const late = await context.newPage()
  const back = await comeBack()
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  provider.hold = hold
  await late.goto(back.href)
  await late.getByRole('status').getByText('Opening the mailbox…').waitFor()
  await until('the provider is asked', async () => provider.held > 0)
  provider.hold = null

  const boss = await comeBack('boss@shop.example')
  await told(boss, /You signed in as boss@shop\.example, but this inbox is help@shop\.example\. Sign in as/)
  await told(boss, /already finished.*Start it again/)
  const tampered = await comeBack()
  const state = tampered.searchParams.get('state')!
  tampered.searchParams.set('state', `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`)
  await told(tampered, /not started in this session.*Start it again/)
  const used = await comeBack()
  used.searchParams.set('code', boss.searchParams.get('code')!)
  await told(used, /refuses this sign-in \(invalid_grant\): .*used already; sign in again/)
  for (const fault of ['away', 'garbled'] as const) {
    const answer = await comeBack()
    provider[fault] = true
    await told(
      answer,
      /does not answer as a sign-in server should.*away for a while, or its address is wrong/,
    )
    provider[fault] = false
  }
  await isTold(/does not answer; check its address/, late)
  release()
  await late.close()
}
