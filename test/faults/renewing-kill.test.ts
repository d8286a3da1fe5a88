import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Logger } from 'pino'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { countToRenew } from '../../src/core/forms/forms.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { currentForm } from '../../src/model/mail/form.ts'
import { startRenewingMail } from '../../src/workers/renew-mail.ts'
import { Child } from '../support/child.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { writeMail } from '../support/letter.ts'
import { mustHold } from '../support/must-hold.ts'
import { ageMessages } from '../support/old-form.ts'
import { until } from '../support/until.ts'

const messages = 100
/** On a busy machine a process takes its time to start. */
const timeout = 180_000
const secret = 'DE02120300000000202051'

for (const database of databases)
  test(`${database}: renewing stored mail goes on where a killed server left it, newest first`, async () => {
    await using store = await freshDatabase(database)
    await using spool = await openSpool(readConfig(store.env), 'inline')
    const inbox = await addInbox(spool, 'support@shop.example', 'Support')
    const batch = Array.from({ length: messages }, (_, number) => ({
      mail: parseMail(
        Buffer.from(writeMail({ html: `<p>Letter ${number}</p><p style="display:none">${secret}</p>` })),
      ),
      direction: 'inbound' as const,
      envelopeDate: null,
      seen: true,
      quiet: true,
    }))
    const received = await receiveMail(spool, inbox, batch)
    await ageMessages(
      spool.db,
      received.map(({ messageId }) => messageId),
      secret,
    )
    const threads = () =>
      spool.db.all(spool.db.build.selectFrom('threads').select(['revision', 'updated_at']).orderBy('number'))
    const before = await threads()
    {
      await using child = new Child('test/faults/child/renew.ts', [], store.env)
      await until('some are renewed', async () => (await countToRenew(spool)) < messages, timeout)
      await child.kill()
    }
    const left = await countToRenew(spool)
    const rows = await spool.db.all(
      spool.db.build.selectFrom('messages').select('form').orderBy('number', 'desc'),
    )
    mustHold.deepEqual(
      rows.map(({ form }) => form),
      [...Array<number>(messages - left).fill(currentForm), ...Array<number>(left).fill(0)],
    )
    const log: { say: string; messages: number }[] = []
    const info = ({ messages }: { messages: number }, say: string) => void log.push({ say, messages })
    await using _renewing = startRenewingMail(spool, { info: info as Logger['info'] }, (error) =>
      assert.fail(String(error)),
    )
    await until('the others are, and the log says so', async () => log.length === 2, timeout)
    assert.equal(await countToRenew(spool), 0)
    assert.deepEqual(log, [
      { say: 'parsing stored mail again by the rules of this version', messages: left },
      { say: 'all stored mail has been parsed again', messages: left },
    ])
    const bodies = await spool.db.all(
      spool.db.build.selectFrom('message_bodies').select(['text', 'html']).orderBy('message'),
    )
    mustHold.deepEqual(
      bodies.map(({ text }) => text),
      batch.map(({ mail }) => mail.text),
    )
    mustHold.ok(bodies.every(({ html }) => !html!.includes(secret)))
    mustHold.deepEqual(await threads(), before)
  })
