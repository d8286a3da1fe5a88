import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bulkInsert } from '../../src/store/bulk.ts'
import { openDatabase } from '../../src/store/database.ts'
import type { Tx } from '../../src/store/db.ts'
import { textQuery } from '../../src/store/statement.ts'
import { databases, freshDatabase } from '../support/databases.ts'

const bulk = bulkInsert('settings', { name: 'text', value: 'text' })
const insert = (name: string) =>
  textQuery<never>('INSERT INTO settings (name, value) VALUES (?, ?)', [name, ''])
const returning = (name: string) =>
  textQuery<{ name: string }>('INSERT INTO settings (name, value) VALUES (?, ?) RETURNING name', [name, ''])
const named = `SELECT name FROM settings WHERE name LIKE 'test %' ORDER BY name`
const names = async (db: Pick<Tx, 'all'>): Promise<string[]> =>
  (await db.all(textQuery<{ name: string }>(named, []))).map(({ name }) => name)

const ways: Record<string, (db: Tx) => Promise<unknown>> = {
  run: (db) => db.run(insert('test 2')),
  queue: (db) => db.queue(insert('test 2')),
  add: (db) => db.add(bulk, { name: 'test 2', value: '' }),
  'INSERT … RETURNING': (db) => db.all(returning('test 2')),
}

for (const database of databases)
  for (const writer of database === 'sqlite' ? (['thread', 'inline'] as const) : (['inline'] as const)) {
    const title = `${database}, writer ${writer}`

    test(`${title}: a transaction reads what is committed and what it has written, in whatever way`, async () => {
      await using fresh = await freshDatabase(database)
      await using db = await openDatabase({
        url: fresh.env.SPOOL_DATABASE_URL ?? null,
        folder: fresh.folder,
        writer,
      })
      for (const [name, write] of Object.entries(ways)) {
        await db.transaction((tx) => tx.run(textQuery(`DELETE FROM settings WHERE name LIKE 'test %'`, [])))
        await db.transaction((tx) => tx.run(insert('test 1')))
        await db.transaction(async (tx) => {
          assert.deepEqual(await names(tx), ['test 1'], name)
          await write(tx)
          assert.deepEqual(await names(tx), ['test 1', 'test 2'], name)
        })
        assert.deepEqual(await names(db), ['test 1', 'test 2'], name)
      }
    })

    test(`${title}: a queued write that fails leaves nothing of its transaction`, async () => {
      await using fresh = await freshDatabase(database)
      await using db = await openDatabase({
        url: fresh.env.SPOOL_DATABASE_URL ?? null,
        folder: fresh.folder,
        writer,
      })
      await assert.rejects(
        db.transaction(async (tx) => {
          await tx.queue(insert('test 1'))
          await tx.queue(insert('test 1'))
        }),
        /unique/i,
      )
      assert.deepEqual(await names(db), [])
      await db.transaction((tx) => tx.queue(insert('test 2')))
      assert.deepEqual(await names(db), ['test 2'])
    })
  }
