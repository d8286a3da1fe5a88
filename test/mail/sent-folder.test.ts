import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectImap, type ImapConnection } from '../../src/mail/imap/connection.ts'
import { chooseFolders } from '../../src/mail/imap/folder.ts'
import {
  appendToSent,
  findFolder,
  findSentFolder,
  hasMessageId,
  listFolders,
} from '../../src/mail/imap/sent-folder.ts'
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
    assert.equal(findSentFolder(connection, await listFolders(connection)), 'Sent')
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
    assert.equal(findSentFolder(named, await listFolders(named)), 'Gesendet')
    await using loose = await connect(dovecot, '&sent=gesendet')
    assert.equal(findSentFolder(loose, await listFolders(loose)), 'Gesendet')
    await using wrong = await connect(dovecot, '&sent=Nowhere')
    const listed = await listFolders(wrong)
    assert.throws(() => findSentFolder(wrong, listed), /has no folder Nowhere; it has .*Gesendet/)
    await assert.rejects(appendToSent(wrong, raw), /has no folder Nowhere/)
  },
)

test('a folder is found by its exact name, else without regard to case', { skip }, async () => {
  await using dovecot = await startDovecot({ users: { team: 'secret' } })
  await using connection = await connect(dovecot)
  for (const name of ['Orders', 'orders', 'Returns']) await connection.client.mailboxCreate(name)
  for (const [folders, found] of [
    ['Orders', ['Orders']],
    ['orders', ['orders']],
    ['orders,Orders', ['orders', 'Orders']],
    ['inbox,returns', ['INBOX', 'Returns']],
  ] as const) {
    await using named = await connect(dovecot, `&folders=${folders}`)
    const names = (await chooseFolders(named)).folders.filter(({ isSent }) => !isSent).map(({ name }) => name)
    assert.deepEqual(names, found, folders)
  }
  // A server that keeps all folders below INBOX.
  const folders = [{ path: 'INBOX' }, { path: 'INBOX.Sent' }]
  const below = { client: { namespace: { prefix: 'INBOX.' } }, server: connection.server }
  assert.equal(findFolder(below as never, folders, 'Sent'), 'INBOX.Sent')
})
