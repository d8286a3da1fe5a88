import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMailServer, setMailServer } from '../../src/core/mailboxes/mail-servers.ts'
import { findMailServer, saveMailServer } from '../../src/store/inboxes/mail-servers.ts'
import { transaction } from '../../src/store/database.ts'
import { readMailServerAddress, writeMailServerAddress } from '../../src/model/mail/server.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'

for (const database of databases) {
  const started = shareSpool(database)

  test(`${database}: a mail password is encrypted at rest, and bound to the server it was given for`, async () => {
    const { spool, ...rest } = await started()
    const { inbox } = await openDesk({ spool, ...rest })
    const server = readMailServerAddress('imap', 'imaps://team%40shop.example@mail.shop.example')
    await setMailServer(spool, inbox, { ...server, password: 'päss word' })
    assert.deepEqual(await openMailServer(spool, spool.db, inbox.number, 'imap'), {
      ...server,
      password: 'päss word',
    })
    const stored = (await findMailServer(spool.db, inbox.number, 'imap'))!
    assert.ok(!Buffer.from(stored.password!).includes('word'))
    await transaction(spool.db, (db) => saveMailServer(db, { ...stored, host: 'elsewhere.example' }))
    await assert.rejects(
      openMailServer(spool, spool.db, inbox.number, 'imap'),
      /enter the password or secret again/,
    )
  })
}

test('the address of a mail server: scheme, port, user and options', () => {
  const read = (text: string) => writeMailServerAddress(readMailServerAddress('imap', text))
  assert.equal(read('imaps://a%40b.example@mail.example'), 'imaps://a%40b.example@mail.example:993')
  assert.equal(read('imap://mail.example?sent=Gesendet'), 'imap://mail.example:143?sent=Gesendet')
  assert.equal(read('imap://[::1]:1143?tls=none'), 'imap://[::1]:1143?tls=none')
  for (const [text, reason] of [
    ['imaps://a:secret@mail.example', /password/],
    ['http://mail.example', /begins with imaps/],
    ['imaps://mail.example/INBOX', /must end after/],
    ['imap://mail.example?tls=none', /this machine/],
    ['mail.example', /begins with imaps/],
  ] as const)
    assert.throws(() => read(text), reason)
})
