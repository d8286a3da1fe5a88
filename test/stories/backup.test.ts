import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { pino } from 'pino'
import { startApp } from '../../src/app.ts'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { everyMessage } from '../../src/core/threads/list.ts'
import { openDatabase } from '../../src/store/database.ts'
import { listThreadPage } from '../../src/store/threads/pages.ts'
import { runCommand } from '../support/command.ts'
import { freshDatabase } from '../support/databases.ts'
import { openDesk } from '../support/desk.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool } from '../support/spool.ts'

test('sqlite: a backup taken while mail arrives is a whole store of its own', async () => {
  await using spool = await startSpool('sqlite')
  const desk = await openDesk(spool)
  const folder = scratchFolder('backup')
  const before = await desk.receiveAll(
    Array.from({ length: 20 }, (_, index) => ({ subject: `Before ${index}` })),
  )
  const copied = new AbortController()
  let written = 0
  const writing = (async () => {
    while (!copied.signal.aborted) {
      await desk.receive({
        subject: `During ${written++}`,
        attachments: [{ filename: 'a', type: 'text/plain', content: 'a' }],
      })
    }
  })()
  const ran = await runCommand(spool.database.env, ['backup', join(folder, 'spool.db'), '--json'])
  copied.abort()
  await writing
  assert.equal(ran.code, 0, ran.stderr)
  assert.deepEqual([ran.json()['file'], ran.json()['holdsSecret']], [join(folder, 'spool.db'), false])
  assert.match(String(ran.json()['note']), /does not contain the secret/)
  assert.ok(written > 0, 'mail arrived meanwhile')

  const sqlite = new Sqlite(join(folder, 'spool.db'), { readonly: true })
  assert.equal(sqlite.pragma('integrity_check', { simple: true }), 'ok')
  assert.deepEqual(sqlite.pragma('foreign_key_check'), [])
  const count = (sql: string) => sqlite.prepare(`SELECT count(*) FROM ${sql}`).pluck().get()
  const messages = count('messages') as number
  assert.ok(messages >= 20 && messages <= 20 + written)
  assert.equal(count('message_bodies'), messages)
  assert.equal(count(`events WHERE type = 'message.received'`), messages, 'each message with its event')
  assert.equal(count('threads WHERE message_count = 1'), messages)
  sqlite.close()

  // With the same secret it serves, and the tokens of old are good there.
  const config = readConfig({ ...spool.database.env, SPOOL_DATA: folder, SPOOL_PORT: '0' })
  await using copy = await startApp(config, pino({ level: 'silent' }))
  const answer = await fetch(`${copy.url}/api/v1/threads/${before[0]!.threadId}`, {
    headers: { authorization: `Bearer ${desk.token}` },
  })
  assert.equal(((await answer.json()) as { subject: string }).subject, 'Before 0')
  await using beside = await openSpool(config, 'inline')
  const listing = {
    inboxes: [desk.inbox],
    url: copy.url,
    userId: desk.user.id,
    unread: false,
    statuses: null,
    assignee: undefined,
    from: null,
    search: { ...everyMessage, terms: ['before'] },
    updatedSince: null,
  }
  const { items } = await listThreadPage(beside.db, listing, { after: null, limit: 100 })
  assert.equal(String(items).split(',\n').length, 20, 'it can be searched')
})

test('sqlite: a backup ends while another process goes on committing, and has what was stored when it began', async () => {
  await using database = await freshDatabase('sqlite')
  await using db = await openDatabase({ url: null, folder: database.folder, writer: 'inline' })
  const file = join(scratchFolder('backup'), 'copy.db')
  const other = new Sqlite(join(database.folder, 'spool.db'))
  // Several turns of copying, with a commit in each.
  other.pragma('synchronous = OFF')
  const insert = other.prepare('INSERT INTO settings VALUES (?, ?)')
  other.transaction(() => {
    for (let page = 0; page < 1000; page++) insert.run(`page ${page}`, 'x'.repeat(8000))
  })()
  let copied = false
  const copying = db.copyTo!(file).finally(() => (copied = true))
  let commits = 0
  for (const isCopied = () => copied; !isCopied() && commits < 2000; commits++) {
    await nextTurn()
    insert.run(`commit ${commits}`, '')
  }
  other.close()
  await copying
  assert.ok(commits > 5 && commits < 2000, `${commits} commits while it was copied`)

  const copy = new Sqlite(file, { readonly: true })
  assert.equal(copy.pragma('integrity_check', { simple: true }), 'ok')
  const count = (name: string) =>
    copy.prepare('SELECT count(*) FROM settings WHERE name LIKE ?').pluck().get(name)
  assert.deepEqual([count('page %'), count('commit %')], [1000, 0])
  copy.close()
})
