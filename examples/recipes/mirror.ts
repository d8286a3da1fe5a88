// Keeps a copy of everything in an SQLite database. Run it as often as you like, with SPOOL_URL and SPOOL_TOKEN: it
// fetches only what has changed since the last run.
import { DatabaseSync } from 'node:sqlite'
import { isEntry, Spool } from '@spool-inbox/client'

const { SPOOL_URL = '', SPOOL_TOKEN = '' } = process.env
const spool = new Spool({ url: SPOOL_URL, token: SPOOL_TOKEN })

const db = new DatabaseSync('mirror.db')
db.exec(`
  CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, subject TEXT, status TEXT, updated_at TEXT, json TEXT);
  CREATE TABLE IF NOT EXISTS entries (thread_id TEXT, position INTEGER, type TEXT, json TEXT, PRIMARY KEY (thread_id, position));
  CREATE TABLE IF NOT EXISTS notes (id TEXT PRIMARY KEY, thread_id TEXT, text TEXT, json TEXT);
  CREATE TABLE IF NOT EXISTS position (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), cursor TEXT);
`)
const saveThread = db.prepare('INSERT INTO threads VALUES (?, ?, ?, ?, ?)')
const saveEntry = db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?)')
const saveNote = db.prepare('INSERT INTO notes VALUES (?, ?, ?, ?)')
const saveCursor = db.prepare('INSERT OR REPLACE INTO position VALUES (1, ?)')
const forget = ['threads WHERE id', 'entries WHERE thread_id', 'notes WHERE thread_id'].map((of) =>
  db.prepare(`DELETE FROM ${of} = ?`),
)

const last = db.prepare('SELECT cursor FROM position').get() as { cursor: string } | undefined
const dump = spool.export(last ? { cursor: last.cursor } : {})
let count = 0
for await (const { thread, history, notes } of dump) {
  // A thread and the position after it are one commit, so a run can be cut off anywhere.
  db.exec('BEGIN')
  // What was merged into this thread is a thread no more.
  const merged = history.filter((entry) => isEntry(entry, 'merged')).map(({ threadId }) => threadId)
  for (const id of [thread.id, ...merged]) for (const statement of forget) statement.run(id)
  saveThread.run(thread.id, thread.subject, thread.status, thread.updatedAt, JSON.stringify(thread))
  for (const [position, entry] of history.entries())
    saveEntry.run(thread.id, position, entry.type, JSON.stringify(entry))
  for (const note of notes) saveNote.run(note.id, thread.id, note.text, JSON.stringify(note))
  saveCursor.run(dump.cursor)
  db.exec('COMMIT')
  count++
}
saveCursor.run(dump.cursor)
console.log(`${count} threads are new or have changed`)
