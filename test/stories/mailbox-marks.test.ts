import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { shareSpool } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'
import { openOffice, type Office } from '../support/mail-office.ts'
import { followMailbox } from '../support/mail-user.ts'
import { callTool } from '../support/mcp.ts'
import { skipWithout } from '../support/parts/install.ts'
import { until } from '../support/until.ts'
import { openSession } from '../support/web-client.ts'

const skip = skipWithout('dovecot')

/** Opens the thread with this subject in the web inbox, as the desk's user. */
async function openThread({ spool, desk }: Office, subject: string): Promise<void> {
  const { id } = (await desk.threads()).find((thread) => thread.subject === subject)!
  const web = await openSession(spool.spool, spool.url, desk.user)
  await web.do('POST', `/threads/${id}/read`, {})
}

/** For each mail of the folder, in order, whether it is marked as read. */
async function seen({ user }: Office, folder: string): Promise<boolean[]> {
  return [...(await user.flags(folder)).values()].map((flags) => flags.has('\\Seen'))
}

// Most of it is waiting for the next look at the mailbox: all at once.
describe('read marks in mailboxes', { concurrency: true }, () => {
  for (const database of databases) {
    const started = shareSpool(database)

    test(`${database}: mail is marked as read in the mailbox when somebody opens it`, { skip }, async () => {
      await using office = await openOffice(started)
      const { desk, user } = office
      await user.write('INBOX', { subject: 'old', messageId: '<old@a.example>' })
      await user.write('INBOX', { subject: 'unopened' })
      await user.write('Sent', { subject: 'Re: old', inReplyTo: '<old@a.example>' })
      await office.follow('&mark-seen=1')
      await office.upToDate()
      await user.write('INBOX', { subject: 'Re: old', inReplyTo: '<old@a.example>' })
      await user.write('INBOX', { subject: 'new' })
      await until('the new mail', async () => (await desk.threads()).length === 3)

      // Programs and agents read, too.
      for (const { id } of await desk.threads()) {
        await desk.thread(id)
        await callTool(office.spool.url, desk.token, 'get_thread', { threadId: id })
      }
      await openThread(office, 'old')
      await until('the opened thread is marked', async () => (await seen(office, 'INBOX'))[0] === true)
      assert.deepEqual(await seen(office, 'INBOX'), [true, false, true, false])
      assert.deepEqual(await seen(office, 'Sent'), [false])
    })

    test(
      `${database}: without the choice, opening mail writes nothing to the mailbox`,
      { skip },
      async () => {
        await using office = await openOffice(started)
        await office.user.write('INBOX', { subject: 'opened before' })
        await office.user.write('INBOX', { subject: 'opened after' })
        await office.follow()
        await office.upToDate()
        await openThread(office, 'opened before')
        await office.follow('&mark-seen=1')
        await openThread(office, 'opened after')
        await until('the other is marked', async () => (await seen(office, 'INBOX'))[1] === true)
        assert.deepEqual(await seen(office, 'INBOX'), [false, true])
      },
    )

    test(
      `${database}: what is opened while the mail server is away is marked later, also where it was moved to`,
      { skip },
      async () => {
        await using office = await openOffice(started)
        const { desk, user, spool } = office
        for (const folder of ['Orders', 'Rebuilt']) await user.client.mailboxCreate(folder)
        for (const subject of ['moved', 'deleted', 'stays']) await user.write('INBOX', { subject })
        const rebuilt = [writeMail({ subject: 'rebuilt' }), writeMail({ subject: 'other' })]
        for (const raw of rebuilt) await user.append('Rebuilt', raw)
        const options = '&folders=INBOX,Orders,Rebuilt&mark-seen=1'
        await office.follow(options)
        await until('the mail', async () => (await desk.threads()).length === 5)
        await office.upToDate()

        const away = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
        await once(away, 'listening')
        const { port } = away.address() as AddressInfo
        await followMailbox(spool.spool, desk.inbox, { port }, { user: office.name, options })
        for (const subject of ['moved', 'deleted', 'rebuilt']) await openThread(office, subject)
        const lock = await user.client.getMailboxLock('INBOX')
        await user.client.messageMove('1', 'Orders')
        await user.client.messageDelete('1')
        lock.release()
        await user.client.mailboxDelete('Rebuilt')
        await user.client.mailboxCreate('Rebuilt')
        for (const raw of rebuilt.toReversed()) await user.append('Rebuilt', raw)

        await office.follow(options)
        await until('the moved mail is marked', async () => (await seen(office, 'Orders'))[0] === true)
        await until('the rebuilt folder is marked', async () => (await seen(office, 'Rebuilt'))[1] === true)
        assert.deepEqual(await seen(office, 'INBOX'), [false])
        assert.deepEqual(await seen(office, 'Rebuilt'), [false, true])
        away.close()
      },
    )
  }
})
