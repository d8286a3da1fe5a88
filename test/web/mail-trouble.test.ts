import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { forgotten } from '../../src/core/access/secrets.ts'
import { resealPasswords, setMailServer } from '../../src/core/mailboxes/mail-servers.ts'
import { offerSetup } from '../../src/core/people/invitations.ts'
import { transaction } from '../../src/store/database.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { startEmpty } from '../support/empty-spool.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'

const skip = browserMissing || skipWithout('dovecot')
const user = 'hello@shop.example'
const plain = 'None (local only)'

test('a mail server error is shown at the field that causes it, with what to do', { skip }, async () => {
  await using dovecot = await startDovecot({ users: { [user]: 'secret' }, tls: true })
  await using sink = await startSmtpSink({ credentials: { user, password: 'secret' } })
  await using spool = await startSpool('sqlite')
  await using ada = await visit(spool)
  const { page } = ada
  await signInAt(spool, ada, spool.ada, '/settings/inboxes/new')
  await page.getByLabel('Email address').fill(user)
  await page.getByLabel('Mailbox password').fill('secret')
  await page.getByLabel('IMAP host').waitFor()
  const right = { imap: ['127.0.0.1', dovecot.port, plain], smtp: ['127.0.0.1', sink.port, plain] } as const

  const troubles: {
    what: string
    imap?: readonly [string, number, string]
    smtp?: readonly [string, number, string]
    password?: string
    field: string
    said: RegExp
  }[] = [
    {
      what: 'password',
      password: 'wrong',
      field: 'Mailbox password',
      said: /127\.0\.0\.1 rejected the password for hello@shop\.example.*check user name and password/,
    },
    {
      what: 'host',
      imap: ['imap.shop.invalid', 993, 'TLS'],
      field: 'IMAP host',
      said: /The name imap\.shop\.invalid cannot be found; check its spelling/,
    },
    {
      what: 'port',
      imap: ['127.0.0.1', 1, plain],
      field: 'IMAP port',
      said: /Nothing is listening at 127\.0\.0\.1:1; check the port/,
    },
    {
      what: 'smtp-port',
      smtp: ['127.0.0.1', 1, plain],
      field: 'SMTP port',
      said: /Nothing is listening at 127\.0\.0\.1:1; check the port/,
    },
    {
      what: 'certificate',
      imap: ['127.0.0.1', dovecot.tlsPort!, 'TLS'],
      field: 'IMAP host',
      said: /certificate of 127\.0\.0\.1 is not signed by an authority this machine knows; name the authority/,
    },
    {
      what: 'encryption',
      imap: ['127.0.0.1', dovecot.port, 'TLS'],
      field: 'IMAP encryption',
      said: /does not speak TLS at this port/,
    },
  ]
  for (const { what, imap = right.imap, smtp = right.smtp, password = 'secret', field, said } of troubles) {
    await describe(page, 'IMAP', imap)
    await describe(page, 'SMTP', smtp)
    await page.getByLabel('Mailbox password').fill(password)
    await page.getByRole('button', { name: 'Check and continue' }).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    const message = await messageAt(page, field)
    await takePicture(page, `trouble-${what}`)
    assert.match(message, said, what)
    // The messages are for somebody at this page, without a command line.
    assert.doesNotMatch(message, /--\w|spool inbox|:\/\/|\?tls/, what)
    assert.ok(!message.includes(password), 'the message does not contain the password')
  }
  await describe(page, 'IMAP', right.imap)
  await page.getByRole('button', { name: 'Check and continue' }).click()
  await page.getByText(`${user} can sign in to both servers.`).waitFor()
  await page.getByRole('button', { name: 'Connect this mailbox' }).click()
  await page.getByRole('heading', { name: 'Hello', exact: true }).waitFor()
  await page.getByText('Up to date').waitFor()
  await page.locator('nav.rail').getByText('Hello').waitFor()
  assert.deepEqual(ada.problems, [])
})

test('passwords that were lost with the secret are named at their inbox', { skip }, async () => {
  await using spool = await startSpool('sqlite')
  const at = { host: '127.0.0.1', port: 9, security: 'none', options: {}, user } as const
  for (const kind of ['imap', 'smtp'] as const)
    await setMailServer(spool.spool, spool.inbox, { kind, ...at, password: 'secret' })
  await transaction(spool.spool.db, (db) => resealPasswords(db, () => forgotten))
  await using ada = await visit(spool)
  await signInAt(spool, ada, spool.ada, '/settings/inboxes')
  await ada.page.getByText("The password for IMAP and SMTP was lost with Spool's secret").waitFor()
  await ada.page.goto(`/settings/inboxes/${spool.inbox.id}`)
  await ada.page.getByText("The password for IMAP and SMTP was lost with Spool's secret").waitFor()
  assert.deepEqual(ada.problems, [])
})

test(
  'a provider without password sign-in leads to forwarding, and the guide says what is left to do',
  { skip },
  async () => {
    await using spool = await startEmpty('sqlite')
    const link = await offerSetup(spool.app.spool)
    await using grace = await visit({ url: spool.app.url })
    const { page } = grace
    await page.goto(link!.url)
    await page.getByLabel('Your name').fill('Grace')
    await page.getByLabel('E-mail').fill('grace@shop.example')
    await page.getByLabel('Password (at least 10 characters)').fill('a long enough password')
    await page.getByRole('button', { name: 'Get started' }).click()
    await page.getByLabel('Email address').fill('shop@outlook.com')
    await page.keyboard.press('Tab')
    await page.getByText('This is a Microsoft 365 mailbox').waitFor()
    await page.getByRole('button', { name: 'Use a password instead' }).click()
    await page.getByText('Microsoft no longer accepts passwords for IMAP and SMTP').waitFor()
    await takePicture(page, 'trouble-no-passwords')
    await page.getByRole('button', { name: 'Add this inbox' }).click()
    await page.getByText("Spool doesn't fetch mail for this inbox.").waitFor()
    await takePicture(page, 'guide-forwarded')
    assert.equal(await page.getByText('Done', { exact: true }).count(), 0, 'no mail has come yet')
    await page.goto(link!.url)
    await page.getByRole('link', { name: 'Sign in instead' }).click()
    await page.locator('nav.rail').getByText('Shop').waitFor()
    assert.deepEqual(grace.problems, [])
  },
)

async function describe(
  page: Page,
  kind: 'IMAP' | 'SMTP',
  [host, port, security]: readonly [string, number, string],
): Promise<void> {
  await page.getByLabel(`${kind} host`).fill(host)
  await page.getByLabel(`${kind} port`).fill(String(port))
  await page.getByLabel(`${kind} encryption`).selectOption({ label: security })
}

/** The message for the field, where a screen reader finds it. */
async function messageAt(page: Page, label: string): Promise<string> {
  const field = page.getByLabel(label, { exact: true })
  assert.equal(await field.getAttribute('aria-invalid'), 'true', label)
  const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ')
  return (await page.locator(`[id="${ids[0]}"]`).textContent())!
}
