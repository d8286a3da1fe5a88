import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkSomeSources } from '../../src/core/keeping/proof.ts'
import type { Spool } from '../../src/core/spool.ts'
import { textQuery } from '../../src/store/statement.ts'
import { runCommands } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { openDesk } from '../support/desk.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool } from '../support/spool.ts'

const change = (spool: Spool, text: string): Promise<unknown> =>
  spool.db.transaction((db) => db.run(textQuery(text, [])))

for (const database of databases) {
  test(`${database}: bytes that a disk has changed are noticed when they are read, told, and do not spread`, async () => {
    await using spool = await startSpool(database)
    const desk = await openDesk(spool)
    const attachments = [{ filename: 'a.txt', type: 'text/plain', content: 'a file' }]
    const [good, bad] = await desk.receiveAll([{ subject: 'Good', attachments }, { subject: 'Bad' }])
    const source = (id: string) => desk.get(`/api/v1/messages/${id}/source`)
    const deep = { words: ['doctor', '--deep', '--json'], env: spool.database.env }
    const file = join(scratchFolder('backup'), 'copy.db')
    const backup = { words: ['backup', file], env: spool.database.env }
    const [before] = await runCommands([deep])
    assert.equal(before!.code, 0, before!.stdout)
    assert.match(before!.stdout, /all 2 sources are as they were stored, and so are their files/)

    // As a disk would: no error, other bytes.
    const other =
      database === 'sqlite'
        ? `CAST(replace(CAST(source AS TEXT), 'Bad', 'Sad') AS BLOB)`
        : `overlay(source PLACING 'Sad' FROM 9)`
    await change(
      spool.spool,
      `UPDATE message_sources SET source = ${other}
      WHERE message = (SELECT number FROM messages WHERE id = '${bad!.messageId}')`,
    )

    const answer = await source(bad!.messageId)
    assert.equal(answer.status, 503)
    assert.match(answer.text, /The stored source of this message is damaged/)
    assert.equal((await source(good!.messageId)).status, 200)
    const thread = await desk.thread(bad!.threadId)
    assert.equal(thread.subject, 'Bad', 'its text can be read')
    assert.deepEqual((await desk.receive({ subject: 'Next' })).duplicate, false, 'mail goes on')
    const ready = await spool.get('/readyz')
    assert.equal(ready.status, 200)
    assert.match(ready.text, /The sources of 1 messages are damaged/)
    assert.match((await spool.get('/metrics')).text, /^spool_sources_damaged 1$/m)
    assert.match(spool.log.join(''), /"level":50.*the source of a message is damaged/)

    const [found, refused, made] = await runCommands([
      deep,
      backup,
      { ...backup, words: [...backup.words, '--even-if-damaged'] },
    ])
    assert.equal(found!.code, 1)
    assert.match(
      found!.stdout,
      new RegExp(`1 message \\(${bad!.messageId}\\) and 0 files are not as they were stored`),
    )
    assert.equal(refused!.code, 1)
    assert.match(refused!.stderr, /^No backup was made, because 1 stored messages and 0 files are damaged/)
    assert.deepEqual([made!.code, existsSync(file)], [0, true], made!.stderr)

    await change(
      spool.spool,
      `UPDATE attachment_pieces SET content = ${database === 'sqlite' ? `CAST('b file' AS BLOB)` : `'b file'`}`,
    )
    const [files] = await runCommands([deep])
    assert.match(files!.stdout, /and 1 file are not as they were stored/)
  })

  test(`${database}: a little is checked in the background, and what is older gets its checksum`, async () => {
    await using spool = await startSpool(database)
    const desk = await openDesk(spool)
    await desk.receiveAll(Array.from({ length: 3 }, (_, n) => ({ subject: `Mail ${n}` })))
    await change(spool.spool, 'UPDATE message_sources SET checksum = NULL')
    const unmarked = textQuery<{ message: number }>(
      'SELECT message FROM message_sources WHERE checksum IS NULL',
      [],
    )
    // The server of this store has had its turn of the hour.
    await change(spool.spool, 'DELETE FROM leases')
    assert.equal(await checkSomeSources(spool.spool, 'one'), 3)
    assert.deepEqual(await spool.spool.db.all(unmarked), [])
    assert.equal(await checkSomeSources(spool.spool, 'another'), 0, 'one node at a time')
    await change(
      spool.spool,
      `UPDATE message_sources SET source = ${database === 'sqlite' ? `CAST('other' AS BLOB)` : `'other'`} WHERE message = (SELECT max(message) FROM message_sources)`,
    )
    assert.equal(await checkSomeSources(spool.spool, 'one', 1), 3, 'from the beginning again')
    assert.equal(spool.spool.db.condition.damagedSources.size, 1)
  })
}
