import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectImap, type ImapConnection } from '../../src/mail/imap/connection.ts'
import { appendToSent, findSentFolder, hasMessageId } from '../../src/mail/imap/sent-folder.ts'
import { readMailServerAddress } from '../../src/model/mail/server.ts'
import { writeMail } from '../support/letter.ts'
import { startDovecot, type Dovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'

const skip = skipWithout('dovecot')

function connect({ port }: Dovecot, options = ''): Promise<ImapConnection> {
  const address = readMailServerAddress('imap', `imap://team@127.0.0.1:${port}?tls=none${options}`)
  return connectImap({ ...address, password: 'secret' })
}

test(
  'a sent mail is put into the Sent folder once, and found there by its Message-ID',
  { skip },
  async () => {
    await using dovecot = await startDovecot({ users: { team: 'secret' } })
    await using connection = await connect(dovecot)
    const raw = Buffer.from(writeMail({ messageId: '<answer@shop.example>', text: 'Grüße' }))
    assert.equal(await findSentFolder(connection), 'Sent')
    assert.equal(await hasMessageId(connection, '<answer@shop.example>'), false)
    assert.equal(await appendToSent(connection, raw), 'Sent')
    assert.equal(await hasMessageId(connection, '<answer@shop.example>'), true)
    assert.equal(await hasMessageId(connection, '<answer@shop.exampl>'), false, 'a part of an id is no id')
    const { client } = connection
    const lock = await client.getMailboxLock('Sent', { readOnly: true })
    const [stored] = await client.fetchAll('1:*', { uid: true, flags: true, source: true })
    lock.release()
    assert.deepEqual(stored!.source, raw)
    assert.ok(stored!.flags!.has('\\Seen'))

    await client.mailboxCreate('Gesendet')
    await using named = await connect(dovecot, '&sent=Gesendet')
    assert.equal(await findSentFolder(named), 'Gesendet')
    await using wrong = await connect(dovecot, '&sent=Nowhere')
    assert.equal(
      await findSentFolder(wrong),
      'Sent',
      'a name that is none falls back to what the server says',
    )
  },
)
