/**
 * Writes until it is killed: `write.ts import COUNT` brings in the same mailbox as a command does, `write.ts serve` is a
 * server in which mail, notes and changes come in all at once. Says "wrote" after the first commit.
 */
import { pino } from 'pino'
import { startApp } from '../../../src/app.ts'
import { openSpool } from '../../../src/app/open.ts'
import { importMail } from '../../../src/cli/import-mail.ts'
import { readConfig } from '../../../src/config.ts'
import { findActiveUser, findInbox } from '../../../src/core/access/access.ts'
import { addNote } from '../../../src/core/threads/notes.ts'
import { receiveMail } from '../../../src/core/receiving/receive.ts'
import { assignThread, changeStatus } from '../../../src/core/threads/threads.ts'
import { defaultLimits } from '../../../src/mail/limits.ts'
import { parseMail } from '../../../src/mail/parse.ts'
import { person } from '../../../src/model/access.ts'
import { writeMail } from '../../support/letter.ts'
import { sameMailbox } from './mail.ts'

const config = readConfig({ ...process.env, SPOOL_PORT: '0' })
const [, , mode, count] = process.argv
if (mode === 'import') await importMailbox(Number(count))
else await serve()

async function importMailbox(count: number): Promise<void> {
  await using spool = await openSpool(config, 'inline')
  const inbox = await findInbox(spool.db, 'support@shop.example')
  const result = await importMail(spool, inbox, sameMailbox(count), {
    asRead: false,
    limits: defaultLimits,
    // Duplicates only pass by: what counts is the first that is new.
    onProgress: ({ messages }) => void (messages > 0 && process.stdout.write('wrote\n')),
  })
  process.stdout.write(`${JSON.stringify(result)}\n`)
}

async function serve(): Promise<void> {
  await using app = await startApp(config, pino({ level: 'silent' }))
  const { spool } = app
  const inbox = await findInbox(spool.db, 'support@shop.example')
  const ada = await findActiveUser(spool.db, 'ada@shop.example')
  const work = async (writer: number): Promise<void> => {
    for (let n = 0; ; n++) {
      const id = `live${process.pid}x${writer}x${n}`
      const raw = writeMail({ subject: id, messageId: `<${id}@live.example>`, text: id })
      const mail = await parseMail(Buffer.from(raw))
      const incoming = { mail, direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
      const [{ threadId } = { threadId: '' }] = await receiveMail(spool, inbox, [incoming])
      await addNote(spool, person(ada), threadId, `Note on ${id}`)
      await assignThread(spool, person(ada), threadId, ada)
      await changeStatus(spool, person(ada), threadId, 'closed')
      process.stdout.write('wrote\n')
    }
  }
  await Promise.all([1, 2, 3].map(work))
}
