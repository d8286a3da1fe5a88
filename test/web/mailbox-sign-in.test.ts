import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { changeInbox } from '../../src/core/inboxes/inboxes.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { Hand } from '../support/hand.ts'
import { startMailProvider } from '../support/mail-provider.ts'
import { openMailUser } from '../support/mail-user.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const skip = browserMissing || skipWithout('dovecot')
const address = 'help@shop.example'

for (const database of oneDatabase(0))
  test(
    `${database}: from an address to an answer that arrived, by sign-in alone; a refusal and a wrong account are told`,
    {
      skip,
    },
    async () => {
      await using spool = await startSpool(database, {
        SPOOL_FETCH_ALLOW: '127.0.0.1',
        SPOOL_UNDO_SECONDS: '0',
      })
      await using provider = await startMailProvider(`${spool.url}/oauth/mailbox`)
      await using dovecot = await startDovecot({
        users: { [address]: 'secret' },
        introspectionUrl: provider.introspectionUrl,
      })
      await using sink = await startSmtpSink({ mailboxOf: provider.mailboxOf })
      await using carla = await openMailUser(dovecot, address)
      await carla.write('INBOX', { to: address, subject: 'Where is order 4711?' })
      await using ada = await visit(spool)
      const { page } = ada
      await signInAt(spool, ada, spool.ada, '/settings/inboxes/new')

      const hand = new Hand(page)
      const fillIn = async (): Promise<void> => {
        await hand.fill('Mail address', address)
        await page.getByLabel('Name (optional)').focus()
        await hand.press('Sign in instead')
        await hand.fill('Sign-in server', provider.url)
        await hand.fill('Client ID', provider.client.clientId)
        await hand.fill('Client secret', provider.client.clientSecret)
        await hand.choose('IMAP encryption', 'STARTTLS')
        assert.equal(
          await page.getByLabel('IMAP port', { exact: true }).inputValue(),
          '143',
          'the port follows',
        )
        for (const [kind, { port }] of [
          ['IMAP', dovecot],
          ['SMTP', sink],
        ] as const) {
          await hand.fill(`${kind} host`, '127.0.0.1')
          await hand.fill(`${kind} port`, String(port))
          await hand.choose(`${kind} encryption`, 'None (local only)')
        }
      }
      await fillIn()
      await takePicture(page, `mailbox-sign-in-${database}`)
      await hand.press('Sign in')
      await giveName(page, hand, address)
      await page.getByRole('link', { name: /cancel/i }).click()
      await page.getByRole('alert').getByText('consent was refused').waitFor()
      assert.ok(!page.url().includes('code='), page.url())

      await hand.press('Start again')
      await fillIn()
      hand.count = 12
      await hand.press('Sign in')
      // The provider still knows who is there.
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
