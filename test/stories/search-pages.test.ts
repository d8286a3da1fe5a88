import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { readConfig } from '../../src/config.ts'
import { everyMessage } from '../../src/core/threads/list.ts'
import { openDatabase, transaction } from '../../src/store/database.ts'
import type { Database } from '../../src/store/db.ts'
import { compileQuery, textQuery, type CompiledSql } from '../../src/store/statement.ts'
import { countFound } from '../../src/store/threads/found.ts'
import type { ThreadListing } from '../../src/store/threads/listing.ts'
import { listThreadPage } from '../../src/store/threads/pages.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'

const threads = 30_000
const limit = 50

/** Every message has `all`; the even ones `even`, the odd ones `odd`; one in 3,000 is `rare`; only old ones are `old`. */
const words = `'all ' || CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END
  || CASE WHEN n % 3000 = 7 THEN ' rare' ELSE '' END || CASE WHEN n < 200 THEN ' old' ELSE '' END`

function fillSql(sqlite: boolean): string[] {
  const counted = `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${threads})`
  const target = sqlite ? 'message_search (rowid, words)' : 'message_search (message, words)'
  const terms = sqlite ? words : `array_to_tsvector(string_to_array(${words}, ' '))`
  const bytes = sqlite ? `CAST('m' || n AS BLOB)` : `convert_to('m' || n, 'UTF8')`
  return [
    `INSERT INTO inboxes (id, address, name, created_at) VALUES ('inb_1', 'i@shop.example', 'I', 1)`,
    `INSERT INTO users (id, email, name, role, created_at) VALUES ('usr_1', 'u@shop.example', 'U', 'member', 1)`,
    `INSERT INTO threads (id, inbox, timestamp, status, sender_address, message_count, note_count, attachment_count,
       draft_count, created_at, updated_at, revision, last_inbound)
     ${counted} SELECT 'thr_' || (1000000 + n), 1, 1000000 + n, 'open', '', 1, 0, 0, 0, n, n, 1, 1 FROM counted`,
    `INSERT INTO thread_summaries (thread, subject, sender_name, sender_address, state, preview, rest)
     SELECT number, '""', 'null', '""', '"timestamp":"2026-01-01T00:00:00.000Z","status":"open"', '""', '"revision":1' FROM threads`,
    `INSERT INTO messages (id, inbox, thread, arrival, timestamp, direction, identity, subject, sender, recipients, preview,
       attachment_count, hidden_text_removed, warnings, truncated, kind)
     ${counted} SELECT 'msg_' || n, 1, n, n, 1000000 + n, 'inbound', ${bytes}, '', '{}', '{}', '', 0, 0, '[]', 0, 'personal' FROM counted`,
    `INSERT INTO ${target} ${counted} SELECT n, ${terms} FROM counted`,
  ]
}

function listingOf(terms: string[]): ThreadListing {
  const inbox = { number: 1, id: 'inb_1', name: 'I', address: 'i@shop.example', aliases: [] }
  return {
    inboxes: [inbox],
    url: 'http://localhost',
    userId: 'usr_1',
    unread: false,
    statuses: null,
    assignee: undefined,
    from: null,
    search: { ...everyMessage, terms },
    updatedSince: null,
  }
}

/** Two common words that never meet; those that do; a rare one; one that only old mail has. */
const searches: [terms: string[], expected: (n: number) => boolean][] = [
  [['all'], () => true],
  [['all', 'even'], (n) => n % 2 === 0],
  [['even', 'odd'], () => false],
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
  return { store: { ...reader, slowReader: reader, parallelReader: reader } as unknown as Database, asked }
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

/** How many rows PostgreSQL took from tables for it, those thrown away included. */
async function countRows(client: Client, asked: readonly CompiledSql[]): Promise<number> {
  let rows = 0
  for (const { sql, parameters } of asked) {
    const answer = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      parameters as unknown[],
    )
    rows += rowsRead(answer.rows[0]!['QUERY PLAN'][0].Plan)
  }
  return rows
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
      for (let n = threads; n > 0; n--) if (isExpected(n)) expected.push(`thr_${1_000_000 + n}`)
      const { store, asked } = listen(db)
      const { items, next } = await listThreadPage(store, listingOf(terms), { after: null, limit })
      const ids = (JSON.parse(`[${items}]`) as { id: string }[]).map(({ id }) => id)
      assert.deepEqual(ids, expected.slice(0, limit), name)
      assert.equal(next !== null, expected.length > limit, name)
      assert.ok(asked.length <= 8, `${name}: ${asked.length} questions`)
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

async function connect({ env }: FreshDatabase): Promise<Client> {
  const client = new Client({ connectionString: env['SPOOL_DATABASE_URL'] })
  await client.connect()
  await client.query('VACUUM ANALYZE')
  return client
}
