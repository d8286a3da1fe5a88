import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { textQuery } from '../../src/store/statement.ts'
import { openDatabase } from '../../src/store/database.ts'
import { readContent } from '../../src/store/threads/attachments.ts'
import { countClosed } from '../../src/store/numbers.ts'
import { listInboxes } from '../../src/store/inboxes/inboxes.ts'
import { listThreadPage } from '../../src/store/threads/pages.ts'
import { loadThread } from '../../src/store/threads/threads.ts'
import { dialectSql } from '../../src/store/migrations.ts'
import { first } from '../../src/store/migrations/0001-first.ts'
import { runCommands } from '../support/command.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'
import { commands, listMigrations, tomorrow as name } from '../support/store-version.ts'

const files = [0, 1, 262_144, 262_145, 800_000].map((size) => {
  const content = Buffer.alloc(size, 'A file of before. ')
  return { hash: createHash('sha256').update(content).digest(), content }
})

/** As the first versions kept what a list says; half a character came from a text that was cut. */
const summary = String.raw`"id":"thr_1","subject":"Whole \"ä\" \\\\ud83d","sender":{"name":null,"address":"a@b.example"},"timestamp":"1970-01-01T00:00:00.001Z","status":"closed","assignment":{"id":"usr_1","name":"Ada \"A\"","email":"ada@shop.example","assignedAt":"1970-01-01T00:00:00.001Z"},"preview":"What it says \ud83d","messageCount":4,"noteCount":0,"attachmentCount":0,"draftCount":0,"snoozedUntil":null,"createdAt":"1970-01-01T00:00:01.000Z","updatedAt":"1970-01-01T00:00:00.001Z","revision":1`

/** A thread that the team began, was asked in and answered, and closed twice in one quarter of an hour. */
const conversation = [
  `INSERT INTO inboxes (id, address, name, created_at) VALUES ('inb_1', 'a@shop.example', 'A', 1)`,
  `INSERT INTO threads (id, inbox, subject, sender_address, timestamp, status, preview, message_count, note_count, attachment_count,
     draft_count, created_at, updated_at, revision, last_inbound, summary)
   VALUES ('thr_1', 1, '', '', 1, 'closed', '', 4, 0, 0, 0, 1000, 1, 1, 1, '${summary}')`,
  ...[
    ['outbound', 1000],
    ['inbound', 2000],
    ['outbound', 5000],
    ['outbound', 9000],
  ].map(
    ([direction, time]) =>
      `INSERT INTO messages (id, inbox, thread, arrival, timestamp, direction, identity, subject, sender, recipients, preview,
         attachment_count, hidden_text_removed, warnings, truncated, kind)
       VALUES ('msg_${time}', 1, 1, 1, ${time}, '${direction}', '\\x${time}', '', '{}', '{}', '', 0, 0, '[]', 0, 'ordinary')`,
  ),
  ...['closed', 'open', 'closed'].map(
    (to, index) =>
      `INSERT INTO history VALUES ('his_${index}', 1, ${900_000 + index}, 'status_changed', '{"from":"x","to":"${to}"}')`,
  ),
]

/** A store as the first version left it, with files in one piece. */
async function makeOldStore({ kind, env, folder }: FreshDatabase): Promise<void> {
  const statements = [
    ...first.statements(dialectSql[kind]),
    'CREATE TABLE migrations (name TEXT PRIMARY KEY)',
    `INSERT INTO migrations VALUES ('${first.name}')`,
    ...conversation,
  ]
  if (kind === 'sqlite') {
    const store = new Sqlite(join(folder, 'spool.db'))
    for (const statement of statements) store.exec(statement)
    const insert = store.prepare('INSERT INTO attachment_contents VALUES (?, ?)')
    for (const { hash, content } of files) insert.run(hash, content)
    store.close()
  } else {
    const client = new Client({ connectionString: env['SPOOL_DATABASE_URL'] })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    for (const { hash, content } of files)
      await client.query('INSERT INTO attachment_contents VALUES ($1, $2)', [hash, content])
    await client.end()
  }
}

for (const kind of databases)
  test(`${kind}: a store of the first version is brought up to date, and its files and numbers are whole`, async () => {
    await using database = await freshDatabase(kind)
    await makeOldStore(database)
    const url = database.env['SPOOL_DATABASE_URL'] ?? null
    await using db = await openDatabase({
      url,
      folder: database.folder,
      writer: 'inline',
      earlier: 'migrate',
    })
    for (const { hash, content } of files) {
      const pieces: Uint8Array[] = []
      for await (const piece of readContent(db, { hash, size: content.length })) pieces.push(piece)
      assert.equal(Buffer.compare(Buffer.concat(pieces), content), 0, `${content.length} bytes`)
    }
    const { asked_at, answered_at, subject, sender_name, sender_address, preview } = await loadThread(db, 1)
    assert.deepEqual([asked_at, answered_at], [2000, 5000])
    assert.deepEqual(
      [subject, sender_name, sender_address],
      [String.raw`Whole "ä" \\ud83d`, null, 'a@b.example'],
    )
    assert.match(preview, /^What it says \ufffd+$/)
    const [inbox] = await listInboxes(db)
    const listing = {
      userId: 'usr_1',
      unread: false,
      statuses: null,
      assignee: undefined,
      from: null,
      search: null,
      updatedSince: null,
      inboxes: [inbox!],
      url: 'http://localhost',
    }
    const { items } = await listThreadPage(db, listing, { after: null, limit: 10 })
    assert.equal(
      String(items),
      // Half a character, which PostgreSQL cannot read.
      `{${kind === 'sqlite' ? summary : summary.replace(String.raw` \ud83d`, String.raw` \ufffd`)},"unread":false,"inbox":{"id":"inb_1","name":"A","address":"a@shop.example"},"webUrl":"http://localhost/threads/thr_1"}`,
      'a list says what it said, to the letter',
    )
    const closed = await countClosed(db, { inboxes: [1], from: 0, until: 86_400_000 })
    assert.deepEqual([...closed], [[1, 2]])
  })

for (const kind of databases)
  test(`${kind}: a store that a newer version has changed is refused by serve and by commands, and left as it is`, async () => {
    await using database = await freshDatabase(kind)
    const { env, folder } = database
    const options = { url: env['SPOOL_DATABASE_URL'] ?? null, folder, writer: 'inline' } as const
    {
      await using db = await openDatabase(options)
      await db.transaction(async (db) => {
        await db.run(textQuery('DELETE FROM migrations WHERE name = ?', ['0011-list-indexes']))
        await db.run(textQuery('INSERT INTO migrations VALUES (?)', [name]))
      })
    }
    const copy = join(folder, 'copy.db')
    const move = ['move', '--to', 'postgres://127.0.0.1:9/spool']
    // The server last: one that takes the store would go on.
    const every = [...commands, ['backup', copy], ...(kind === 'sqlite' ? [move] : []), ['doctor'], ['serve']]
    const ran = await runCommands(every.map((words) => ({ words, env: { ...env, SPOOL_PORT: '0' } })))
    const sentence =
      /^(MEND {2}store: )?A newer version of Spool made this store: it has the migration "9999-of-tomorrow", which/m
    for (const [index, words] of every.entries()) {
      const { code, stdout, stderr } = ran[index]!
      assert.equal(code, 1, words.join(' '))
      assert.match(words[0] === 'doctor' ? stdout : stderr, sentence)
    }
    assert.equal(existsSync(copy), false)
    await assert.rejects(openDatabase(options), { code: 'conflict' })
    const names = await listMigrations(database)
    assert.deepEqual([names.includes(name), names.includes('0011-list-indexes')], [true, false])
  })
