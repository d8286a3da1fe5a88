import { mustHold as assert } from './must-hold.ts'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import type { DatabaseKind, FreshDatabase } from './databases.ts'

type Ask = (sql: string) => Promise<Record<string, unknown>[]>

/** How each database reads a field of JSON text. */
const member = {
  sqlite: (name: string) => `json_extract(data, '$.${name}')`,
  postgres: (name: string) => `(CAST(data AS json) ->> '${name}')`,
}

/** Selects those of `ids` that do not have exactly one event of this type. */
function withoutEvent(ids: string, type: string, id: string): string {
  return `SELECT id FROM (${ids}) AS things LEFT JOIN (SELECT ${id} AS about FROM events WHERE type = '${type}') AS told
    ON about = id GROUP BY id HAVING count(about) <> 1`
}

/** Queries that must return no rows if all threads and their events are complete. */
const broken = (of: (name: string) => string): Record<string, string> => ({
  'threads whose count of messages is wrong': `SELECT id FROM threads t
    WHERE message_count <> (SELECT count(*) FROM messages WHERE thread = t.number)`,
  'threads without a message': `SELECT id FROM threads WHERE message_count = 0`,
  'threads whose count of notes is wrong': `SELECT id FROM threads t
    WHERE note_count <> (SELECT count(*) FROM notes WHERE thread = t.number)`,
  'threads whose count of files is wrong': `SELECT id FROM threads t WHERE attachment_count <>
    (SELECT count(*) FROM attachments a JOIN messages m ON m.number = a.message WHERE m.thread = t.number)`,
  'threads whose rendered text is not that of the row': `SELECT id FROM threads t
    LEFT JOIN thread_summaries s ON s.thread = t.number WHERE s.item IS NULL OR s.item NOT LIKE
    '{"id":"' || id || '",%,"messageCount":' || message_count || ',"noteCount":' || note_count || ',%"revision":' || revision`,
  'messages without a body': `SELECT id FROM messages WHERE number NOT IN (SELECT message FROM message_bodies)`,
  'messages without their source': `SELECT id FROM messages WHERE number NOT IN (SELECT message FROM message_sources)`,
  'bodies without a message': `SELECT message FROM message_bodies WHERE message NOT IN (SELECT number FROM messages)`,
  'files without content': `SELECT id FROM attachments WHERE hash NOT IN (SELECT hash FROM attachment_pieces)`,
  'contents that belong to no file': `SELECT hash FROM attachment_pieces WHERE hash NOT IN (SELECT hash FROM attachments)`,
  'messages without the event of their arrival': `SELECT id FROM messages m WHERE NOT EXISTS
    (SELECT 1 FROM events WHERE seq = m.arrival AND type = 'message.received' AND ${of('messageId')} = m.id)`,
  'events of arrival without a message': `SELECT seq FROM events WHERE type = 'message.received'
    AND seq NOT IN (SELECT arrival FROM messages)`,
  'threads whose beginning was not told once': withoutEvent(
    `SELECT id FROM threads`,
    'thread.created',
    of('threadId'),
  ),
  'notes that were not told once': withoutEvent(`SELECT id FROM notes`, 'note.created', of('noteId')),
  // Old mail from a first sync starts closed, which is not a status change.
  'closed threads that were not told once': withoutEvent(
    `SELECT id FROM threads WHERE status = 'closed' AND history_run IS NULL`,
    'thread.status_changed',
    of('threadId'),
  ),
  'assigned threads that were not told once': withoutEvent(
    `SELECT id FROM threads WHERE assignee_id IS NOT NULL`,
    'thread.assigned',
    of('threadId'),
  ),
  'a log with holes': `SELECT last_seq FROM log WHERE last_seq <> (SELECT count(*) FROM events)
    OR last_seq <> (SELECT coalesce(max(seq), 0) FROM events)`,
  'threads nobody finds unread': `SELECT id FROM threads WHERE number NOT IN (SELECT thread FROM unread)`,
  'threads without a key to join by': `SELECT id FROM threads WHERE number NOT IN (SELECT thread FROM thread_keys)`,
  'mail stored twice': `SELECT subject FROM messages GROUP BY subject HAVING count(*) > 1`,
})

/** Checks the database directly, bypassing Spool. Expects each subject to be a unique word and no thread to be read. */
export async function checkWhole(database: FreshDatabase): Promise<number> {
  return database.kind === 'sqlite' ? checkSqlite(database) : checkPostgres(database)
}

/** The check counts as a write. A server in this process can release the lock only while the thread is not blocked. */
async function whenFree(write: () => unknown): Promise<void> {
  for (const until = Date.now() + 10_000; ;) {
    try {
      write()
      return
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || Date.now() > until) throw error
      await sleep(5)
    }
  }
}

async function checkSqlite({ folder }: FreshDatabase): Promise<number> {
  const sqlite = new Sqlite(join(folder, 'spool.db'), { timeout: 0 })
  try {
    assert.deepEqual(sqlite.pragma('integrity_check'), [{ integrity_check: 'ok' }])
    assert.deepEqual(sqlite.pragma('foreign_key_check'), [])
    await whenFree(() =>
      sqlite.exec(`INSERT INTO message_search (message_search) VALUES ('integrity-check')`),
    )
    await checkRows('sqlite', async (sql) => sqlite.prepare(sql).all() as Record<string, unknown>[])
    const messages = sqlite.prepare('SELECT number, subject FROM messages').all() as {
      number: number
      subject: string
    }[]
    const search = sqlite.prepare('SELECT rowid FROM message_search WHERE message_search MATCH ?').pluck()
    for (const { number, subject } of messages) assert.deepEqual(search.all(`"${subject}"`), [number])
    const indexed = sqlite.prepare('SELECT count(*) FROM message_search_docsize').pluck().get()
    assert.equal(indexed, messages.length)
    return messages.length
  } finally {
    sqlite.close()
  }
}

async function checkPostgres({ env }: FreshDatabase): Promise<number> {
  const client = new Client({ connectionString: env['SPOOL_DATABASE_URL'] })
  await client.connect()
  const ask: Ask = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows
  try {
    await checkRows('postgres', ask)
    const lost = `SELECT id FROM messages m LEFT JOIN message_search s ON s.message = m.number
      AND s.words @@ CAST(m.subject AS tsquery) WHERE s.message IS NULL`
    assert.deepEqual(await ask(lost), [], 'messages that are not found')
    const [row] = await ask(
      'SELECT (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM message_search) AS indexed',
    )
    assert.equal(Number(row!['indexed']), Number(row!['messages']))
    return Number(row!['messages'])
  } finally {
    await client.end()
  }
}

async function checkRows(kind: DatabaseKind, ask: Ask): Promise<void> {
  for (const [what, sql] of Object.entries(broken(member[kind]))) assert.deepEqual(await ask(sql), [], what)
}
