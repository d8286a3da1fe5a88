import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { readConfig } from '../../src/config.ts'
import { everyMessage } from '../../src/core/threads/list.ts'
import { openDatabase, transaction } from '../../src/store/database.ts'
import type { Database } from '../../src/store/db.ts'
import { compileQuery, namedQuery, textQuery, type CompiledSql } from '../../src/store/statement.ts'
import { countFound, walkLeft } from '../../src/store/threads/found.ts'
import type { ThreadListing } from '../../src/store/threads/listing.ts'
import { listThreadPage } from '../../src/store/threads/pages.ts'
import { matchingNumbers } from '../../src/store/threads/search.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'

const messages = 30_000
const limit = 50

/** All have `all`, half of them `even`, the others `odd`, one in five `fifth`, one in 3,000 `rare`, the oldest `old`. */
const words = `'all ' || CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END
  || CASE WHEN n % 5 = 3 THEN ' fifth' ELSE '' END
  || CASE WHEN n % 3000 = 7 THEN ' rare' ELSE '' END || CASE WHEN n < 200 THEN ' old' ELSE '' END`

/** Every thread has `each` messages. */
function fillSql(sqlite: boolean, each = 1): string[] {
  const countTo = (most: number): string =>
    `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${most})`
  const counted = countTo(messages)
  const target = sqlite ? 'message_search (rowid, words)' : 'message_search (message, words)'
  const terms = sqlite ? words : `array_to_tsvector(string_to_array(${words}, ' '))`
  const bytes = sqlite ? `CAST('m' || n AS BLOB)` : `convert_to('m' || n, 'UTF8')`
  return [
    `INSERT INTO inboxes (id, address, name, created_at) VALUES ('inb_1', 'i@shop.example', 'I', 1)`,
    `INSERT INTO users (id, email, name, role, created_at) VALUES ('usr_1', 'u@shop.example', 'U', 'member', 1)`,
    `INSERT INTO threads (id, inbox, timestamp, status, sender_address, message_count, note_count, attachment_count,
       draft_count, created_at, updated_at, revision, last_inbound)
     ${countTo(messages / each)} SELECT 'thr_' || (1000000 + n), 1, 1000000 + n, 'open', '', 1, 0, 0, 0, n, n, 1, 1 FROM counted`,
    `INSERT INTO thread_summaries (thread, item)
     SELECT number, '{"id":"' || id || '","timestamp":"2026-01-01T00:00:00.000Z"' FROM threads`,
    `INSERT INTO messages (id, inbox, thread, arrival, timestamp, direction, identity, subject, sender, recipients, preview,
       attachment_count, hidden_text_removed, warnings, truncated, kind)
     ${counted} SELECT 'msg_' || n, 1, (n + ${each - 1}) / ${each}, n, 1000000 + n, 'inbound', ${bytes}, '', '{}', '{}', '', 0, 0, '[]', 0, 'personal' FROM counted`,
    `INSERT INTO ${target} ${counted} SELECT n, ${terms} FROM counted`,
  ]
}

/** Words; those that begin with a minus are excluded. */
function listingOf(words: string[]): ThreadListing {
  const terms = words.filter((word) => !word.startsWith('-'))
  const without = words.filter((word) => word.startsWith('-')).map((word) => [word.slice(1)])
  const inbox = { number: 1, id: 'inb_1', name: 'I', address: 'i@shop.example', aliases: [] }
  return {
    inboxes: [inbox],
    url: 'http://localhost',
    userId: 'usr_1',
    unread: false,
    statuses: null,
    assignee: undefined,
    from: null,
    search: { ...everyMessage, terms, without },
    updatedSince: null,
  }
}

/** Two common words that never meet; those that do; a rare one; one that only old mail has. */
const searches: [terms: string[], expected: (n: number) => boolean][] = [
  [['all'], () => true],
  [['all', 'even'], (n) => n % 2 === 0],
  [['even', 'odd'], () => false],
  [['all', 'fifth'], (n) => n % 5 === 3],
  [['all', '-even'], (n) => n % 2 === 1],
  [['old', '-even'], (n) => n < 200 && n % 2 === 1],
  [['rare'], (n) => n % 3000 === 7],
  [['all', 'rare'], (n) => n % 3000 === 7],
  [['old'], (n) => n < 200],
  [['absent'], () => false],
]

/** Asks as `db` would, and keeps what was asked. */
function listen(db: Database): { store: Database; asked: CompiledSql[] } {
  const asked: CompiledSql[] = []
  const keep = (query: Parameters<typeof compileQuery>[1]): void =>
    void asked.push(compileQuery(db.dialect, query))
  const reader = {
    dialect: db.dialect,
    build: db.build,
    first: (query: Parameters<Database['first']>[0]) => (keep(query), db.first(query)),
    all: (query: Parameters<Database['all']>[0]) => (keep(query), db.all(query)),
  }
  return { store: { ...reader, slowReader: reader } as unknown as Database, asked }
}

/** Where several words never meet, SQLite reads all that it knows of them to say so of a range. */
function readsAll({ sql, parameters }: CompiledSql): boolean {
  return sql.includes('s.rowid BETWEEN') && parameters.some((value) => String(value).includes(' AND '))
}

interface Plan {
  'Relation Name'?: string
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

function rowsRead(plan: Plan): number {
  const isTable = plan['Relation Name'] !== undefined
  const own = isTable ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0
  return own * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0)
}

/** How many rows PostgreSQL took from tables for it, those thrown away included, with the plan that it keeps. */
async function countRows(client: Client, asked: readonly CompiledSql[]): Promise<number> {
  await client.query('SET plan_cache_mode = force_generic_plan')
  let rows = 0
  for (const { sql, parameters } of asked) {
    await client.query(`PREPARE asked AS ${sql}`)
    const values = parameters.map((value) => literal(client, value)).join(', ')
    const answer = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked${values && `(${values})`}`,
    )
    await client.query('DEALLOCATE asked')
    rows += rowsRead(answer.rows[0]!['QUERY PLAN'][0].Plan)
  }
  return rows
}

function literal(client: Client, value: unknown): string {
  const text = Array.isArray(value) ? `{${value.join()}}` : String(value)
  return client.escapeLiteral(text)
}

for (const kind of databases)
  test(`${kind}: a search costs the page, however many messages have its words`, async () => {
    await using database = await freshDatabase(kind)
    const { databaseUrl, dataFolder } = readConfig(database.env)
    await using db = await openDatabase({ url: databaseUrl, folder: dataFolder, writer: 'inline' })
    await transaction(db, async (tx) => {
      for (const statement of fillSql(kind === 'sqlite')) await tx.run(textQuery(statement, []))
    })
    const client = kind === 'postgres' ? await connect(database) : null
    for (const [terms, isExpected] of searches) {
      const name = terms.join(' ')
      const expected: string[] = []
      for (let n = messages; n > 0; n--) if (isExpected(n)) expected.push(`thr_${1_000_000 + n}`)
      const { store, asked } = listen(db)
      const { items, next } = await listThreadPage(store, listingOf(terms), { after: null, limit })
      const ids = (JSON.parse(`[${items}]`) as { id: string }[]).map(({ id }) => id)
      assert.deepEqual(ids, expected.slice(0, limit), name)
      assert.equal(next !== null, expected.length > limit, name)
      assert.ok(asked.length <= 12, `${name}: ${asked.length} questions`)
      assert.deepEqual(asked.filter(readsAll), [], `${name}: the whole index was read for a part of the list`)
      if (client) {
        const rows = await countRows(client, asked)
        assert.ok(rows < 2_500, `${name}: ${rows} rows were read`)
      }
      const counted = await countFound(db, listingOf(terms))
      assert.deepEqual(counted, {
        count: Math.min(expected.length, 10_000),
        isAll: expected.length <= 10_000,
      })
    }
    await client?.end()
  })

test(
  'postgres: a rare word is looked up, although threads are long',
  { skip: !databases.includes('postgres') },
  async () => {
    await using database = await freshDatabase('postgres')
    const { databaseUrl, dataFolder } = readConfig(database.env)
    await using db = await openDatabase({ url: databaseUrl, folder: dataFolder, writer: 'inline' })
    await transaction(db, async (tx) => {
      for (const statement of fillSql(false, 12)) await tx.run(textQuery(statement, []))
    })
    await using client = await connect(database)
    const { store, asked } = listen(db)
    const { items } = await listThreadPage(store, listingOf(['rare']), { after: null, limit })
    assert.equal((JSON.parse(`[${items}]`) as unknown[]).length, 10)
    const rows = await countRows(client, asked)
    assert.ok(rows < 10_000, `${rows} rows were read`)
  },
)

test('postgres: no search starts other processes', { skip: !databases.includes('postgres') }, async () => {
  await using database = await freshDatabase('postgres')
  const client = await connect(database)
  // As if every table was large.
  for (const setting of ['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size'])
    await client.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting} = 0', current_database()); END $$`,
    )
  await client.end()
  const { databaseUrl, dataFolder } = readConfig(database.env)
  await using db = await openDatabase({ url: databaseUrl, folder: dataFolder, writer: 'inline' })
  const explain = `EXPLAIN SELECT count(*) FROM messages WHERE number IN (${matchingNumbers.postgres})`
  const plan = await db.all(namedQuery<{ 'QUERY PLAN': string }>(explain)({ match: "'all'" }))
  assert.doesNotMatch(plan.map((line) => line['QUERY PLAN']).join('\n'), /Gather/)
})

async function connect({ env }: FreshDatabase): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: env['SPOOL_DATABASE_URL'] })
  await client.connect()
  await client.query('VACUUM ANALYZE')
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

test('a search walks on as long as to collect all matches would take longer', () => {
  const large = { walked: 128, messages: 1_000_000 }
  // 12,000 messages have the words: the page is full after 4,000 threads.
  assert.equal(walkLeft({ ...large, wanted: 50, found: 2, matched: 2, walked: 160 }), 4_000)
  // Of these there are only 120 in a small store.
  assert.equal(walkLeft({ wanted: 50, found: 2, matched: 2, walked: 160, messages: 10_000 }), null)
  assert.equal(walkLeft({ ...large, wanted: 50, found: 0, matched: 0, walked: 1_152 }), null)
  // Nearly all have the words, but not where they are looked for.
  assert.notEqual(walkLeft({ ...large, wanted: 50, found: 0, matched: 120 }), null)
})
