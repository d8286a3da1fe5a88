import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { openDatabase } from '../../src/store/database.ts'
import { readContent } from '../../src/store/attachments.ts'
import { words } from '../../src/store/migrations.ts'
import { first } from '../../src/store/migrations/0001-first.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'

const files = [0, 1, 262_144, 262_145, 800_000].map((size) => {
  const content = Buffer.alloc(size, 'A file of before. ')
  return { hash: createHash('sha256').update(content).digest(), content }
})

/** A store as the first version left it, with files in one piece. */
async function makeOldStore({ kind, env, folder }: FreshDatabase): Promise<void> {
  const statements = [
    ...first.statements(words[kind]),
    'CREATE TABLE migrations (name TEXT PRIMARY KEY)',
    `INSERT INTO migrations VALUES ('${first.name}')`,
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
  test(`${kind}: a store of the first version is brought up to date, and its files are whole`, async () => {
    await using database = await freshDatabase(kind)
    await makeOldStore(database)
    const url = database.env['SPOOL_DATABASE_URL'] ?? null
    await using db = await openDatabase({ url, folder: database.folder, writer: 'inline' })
    for (const { hash, content } of files) {
      const pieces: Uint8Array[] = []
      for await (const piece of readContent(db, { hash, size: content.length })) pieces.push(piece)
      assert.equal(Buffer.compare(Buffer.concat(pieces), content), 0, `${content.length} bytes`)
    }
  })
