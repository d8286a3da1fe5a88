import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { copyInto } from '../../src/core/keeping/restore.ts'
import { openDatabase } from '../../src/store/database.ts'
import { Child } from '../support/child.ts'
import { runCommand } from '../support/command.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { mustHold } from '../support/must-hold.ts'
import { restore as restoreOld, settings } from '../support/old-store/store.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { until } from '../support/until.ts'

const { SPOOL_SECRET } = settings
/** Early and late, in small tables and in large ones. */
const places = ['users', 'threads', 'messages', 'message_search', 'unread']

/** Every row of every table, read past Spool. */
function rowsOfSqlite(file: string): Map<string, Set<string>> {
  const sqlite = new Sqlite(file, { readonly: true })
  const tables = sqlite
    .prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`,
    )
    .pluck()
    .all() as string[]
  const rows = new Map(tables.map((name) => [name, spell(sqlite.prepare(`SELECT * FROM "${name}"`).all())]))
  sqlite.close()
  return rows
}

async function rowsOfPostgres(client: Client, tables: Iterable<string>): Promise<Map<string, Set<string>>> {
  const rows = new Map<string, Set<string>>()
  for (const name of tables) rows.set(name, spell((await client.query(`SELECT * FROM "${name}"`)).rows))
  return rows
}

/** Columns stand in another order where a migration made a table anew. */
function spell(rows: unknown[]): Set<string> {
  return new Set(
    rows.map((row) =>
      JSON.stringify(
        Object.entries(row as object)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString('hex') : String(value)]),
      ),
    ),
  )
}

/** Runs it until it wants a table that is locked here, and kills it there: so it is always in the middle. */
async function killAt(
  client: Client,
  table: string,
  words: string[],
  env: Record<string, string>,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  await client.query('BEGIN')
  await client.query(`LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`)
  const child = new Child('bin/spool.js', words, env)
  await until(`it waits for ${table}`, async () => {
    if (child.process.exitCode !== null) throw new Error(child.stderr)
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`,
    )
    return rowCount! > 0
  })
  child.process.kill(signal)
  assert.equal((await child.ended).signal, signal)
  await client.query('ROLLBACK')
  // Its connection ends with the statement that it waited with.
  await until('its transaction is gone', async () => {
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'spool' AND datname = current_database()`,
    )
    return rowCount === 0
  })
}

async function connect(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

/** An old store brought up to date, so that the rows are those that a copy must have. */
async function openOld() {
  const database = await restoreOld('sqlite')
  await (
    await openDatabase({ url: null, folder: database.folder, writer: 'inline', earlier: 'migrate' })
  )[Symbol.asyncDispose]()
  return database
}

if (databases.includes('postgres')) {
  for (const what of ['move', 'restore'])
    test(`${what} is killed five times, and run again ends with a store that is equal to the last row`, async () => {
      await using old = await openOld()
      await using target = await freshDatabase('postgres')
      const file = join(old.folder, 'spool.db')
      const expected = rowsOfSqlite(file)
      const url = target.env['SPOOL_DATABASE_URL']!
      const env = { SPOOL_DATA: old.folder, SPOOL_SECRET }
      const [words, own] =
        what === 'move'
          ? [['move', '--to', url], env]
          : [['restore', file], { ...env, SPOOL_DATA: target.folder, SPOOL_DATABASE_URL: url }]
      await (await openDatabase({ url, folder: target.folder, writer: 'inline' }))[Symbol.asyncDispose]()
      await using client = await connect(url)
      for (const table of places) {
        await killAt(client, table, words, own)
        for (const name of ['users', 'messages', 'events'])
          assert.equal(
            (await client.query(`SELECT * FROM ${name}`)).rowCount,
            0,
            `${name}, killed at ${table}`,
          )
        assert.equal(existsSync(join(old.folder, 'spool.db-moved')), false)
      }
      await killAt(client, 'threads', words, own, 'SIGTERM')
      assert.deepEqual(readdirSync(target.folder), [], 'told to stop, it clears up')
      const ran = await runCommand(own, words)
      assert.equal(ran.code, 0, ran.stderr)
      mustHold.deepEqual(await rowsOfPostgres(client, expected.keys()), expected)
      mustHold.deepEqual(rowsOfSqlite(file), expected, 'what it was made from is untouched')
    })

  test('of two copies into one database at the same time one counts, and the other is refused', async () => {
    await using old = await openOld()
    await using small = await freshDatabase('sqlite')
    await runCommand(small.env, ['inbox', 'add', 'support@shop.example'])
    await using target = await freshDatabase('postgres')
    const url = target.env['SPOOL_DATABASE_URL']!
    const folders = [old.folder, small.folder]
    const ends = await Promise.allSettled(
      folders.map(async (folder) => {
        await using from = await openDatabase({ url: null, folder, writer: 'inline' })
        await using to = await openDatabase({ url, folder, writer: 'inline' })
        return await copyInto(to, from, () => undefined)
      }),
    )
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))
    assert.equal(refused.length, 1)
    assert.match(refused[0]!, /There is a store in this database already/)
    await using client = await connect(url)
    const winner = folders[ends.findIndex(({ status }) => status === 'fulfilled')]!
    const expected = rowsOfSqlite(join(winner, 'spool.db'))
    mustHold.deepEqual(await rowsOfPostgres(client, expected.keys()), expected)
  })

  test('postgres: a backup is killed five times; only a whole one ever has its name', async () => {
    await using old = await openOld()
    await using database = await freshDatabase('postgres')
    const url = database.env['SPOOL_DATABASE_URL']!
    const env = { SPOOL_DATA: database.folder, SPOOL_SECRET, SPOOL_DATABASE_URL: url }
    const filled = await runCommand(env, ['restore', join(old.folder, 'spool.db')])
    assert.equal(filled.code, 0, filled.stderr)
    await using client = await connect(url)
    const folder = scratchFolder('backup')
    const file = join(folder, 'copy.db')
    for (const table of ['users', 'threads', 'messages', 'message_sources', 'unread']) {
      await killAt(client, table, ['backup', file], env)
      assert.equal(existsSync(file), false)
    }
    const left = readdirSync(folder)
    await killAt(client, 'threads', ['backup', file], env, 'SIGINT')
    assert.deepEqual(readdirSync(folder), left, 'Ctrl+C leaves nothing')
    const ran = await runCommand(env, ['backup', file])
    assert.equal(ran.code, 0, ran.stderr)
    const copied = rowsOfSqlite(file)
    mustHold.deepEqual(copied, await rowsOfPostgres(client, copied.keys()))
  })
}

test('sqlite: a restore that is killed leaves no store, and run again it makes one', async () => {
  await using old = await openOld()
  const file = join(old.folder, 'spool.db')
  const expected = rowsOfSqlite(file)
  const folder = scratchFolder('restored')
  const env = { SPOOL_DATA: folder, SPOOL_SECRET }
  for (let kill = 1; kill <= 5; kill++) {
    await using child = new Child('bin/spool.js', ['restore', file], env)
    await until('it has begun', async () => existsSync(join(folder, 'restoring', 'spool.db')))
    await child.kill()
    // If it was too fast to be killed in the middle, what is there is whole.
    if (!existsSync(join(folder, 'spool.db'))) continue
    mustHold.deepEqual(rowsOfSqlite(join(folder, 'spool.db')), expected)
    return
  }
  const ran = await runCommand(env, ['restore', file])
  assert.equal(ran.code, 0, ran.stderr)
  assert.deepEqual(readdirSync(folder), ['spool.db'])
  mustHold.deepEqual(rowsOfSqlite(join(folder, 'spool.db')), expected)
})
