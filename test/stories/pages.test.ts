import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { readConfig } from '../../src/config.ts'
import type { Status } from '../../src/model/thread.ts'
import { openDatabase, transaction } from '../../src/store/database.ts'
import type { Database } from '../../src/store/db.ts'
import { compileQuery, textQuery, type CompiledSql } from '../../src/store/statement.ts'
import type { ThreadListing } from '../../src/store/threads/listing.ts'
import { listThreadPage } from '../../src/store/threads/pages.ts'
import { databases, freshDatabase, type DatabaseKind, type FreshDatabase } from '../support/databases.ts'

const threads = 100_000
const limit = 50

/** Of the closed ones, which are most, a thousandth is nobody's, and of the others as few are somebody's; a fifth is unread. Two each have one time. */
const mailbox = [
  ...[1, 2, 3].map(
    (number) =>
      `INSERT INTO inboxes (id, address, name, created_at) VALUES ('inb_${number}', 'i${number}@shop.example', 'I', 1)`,
  ),
  `INSERT INTO users (id, email, name, role, created_at) VALUES ('usr_1', 'u@shop.example', 'U', 'member', 1)`,
  `INSERT INTO threads (id, inbox, timestamp, status, assignee_id, sender_address, message_count, note_count, attachment_count, draft_count,
     created_at, updated_at, revision, last_inbound)
   WITH RECURSIVE counted (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n + 1 < ${threads})
   SELECT 'thr_' || (1000000 + n), 1 + n % 3, 1000000 + n / 2,
     CASE WHEN n % 10 < 7 THEN 'closed' WHEN n % 10 < 9 THEN 'open' ELSE 'waiting' END,
     CASE WHEN n % 1000 > 0 AND n % 10 < 7 OR n % 1000 IN (8, 9) THEN 'usr_1' END,
     'ann@d' || (n % 5000) || '.example', 1, 0, 0, 0, n, n, 1, 1
   FROM counted`,
  `INSERT INTO thread_summaries (thread, item) SELECT number, '{"id":"' || id || '"' FROM threads`,
  `INSERT INTO unread (thread, user_id, inbox, timestamp, id)
   SELECT number, 'usr_1', inbox, timestamp, id FROM threads WHERE number % 5 = 2`,
]

interface Filter {
  inboxes: number
  unread: boolean
  statuses: readonly Status[] | null
  assignee: string | null | undefined
}

const filters: Filter[] = [
  { inboxes: 3, unread: true, statuses: null, assignee: undefined },
  { inboxes: 200, unread: true, statuses: null, assignee: undefined },
  { inboxes: 20, unread: false, statuses: null, assignee: 'usr_1' },
  // Too many for a range of an index each.
  { inboxes: 201, unread: false, statuses: null, assignee: undefined },
  ...([null, ['open'], ['closed'], ['open', 'waiting']] as const).flatMap((statuses) =>
    [undefined, null, 'usr_1'].map((assignee) => ({
      inboxes: 3,
      unread: false,
      statuses,
      assignee,
    })),
  ),
]

function listingOf({ inboxes, ...filter }: Filter): ThreadListing {
  return {
    inboxes: Array.from({ length: inboxes }, (_, index) => ({
      number: index + 1,
      id: `inb_${index + 1}`,
      name: 'I',
      address: `i${index + 1}@shop.example`,
      aliases: [],
    })),
    url: 'http://localhost',
    userId: 'usr_1',
    from: null,
    search: null,
    updatedSince: null,
    ...filter,
  }
}

/** The SQL that a list is read by, as the list itself writes it. */
async function writeList(
  kind: DatabaseKind,
  { build }: Database,
  filter: Filter,
  after: { timestamp: number; id: string } | null,
): Promise<CompiledSql> {
  const asked: CompiledSql[] = []
  const db = {
    dialect: kind,
    build,
    first: async (query: Parameters<typeof compileQuery>[1]) => {
      asked.push(compileQuery(kind, query))
      return { items: null, count: 0 }
    },
  }
  const store = { ...db, slowReader: db } as unknown as Database
  await listThreadPage(store, listingOf(filter), { after, limit })
  assert.equal(asked.length, 1)
  return asked[0]!
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Rows that were taken from a table, those thrown away included. */
function rowsRead(plan: Plan): number {
  const own = plan['Relation Name'] ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0
  return own * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0)
}

async function explainOnPostgres(
  client: Client,
  { sql, parameters }: CompiledSql,
  mode: string,
): Promise<Plan> {
  await client.query(`SET plan_cache_mode = ${mode}`)
  await client.query(`PREPARE page AS ${sql}`)
  const values = parameters.map((value) => client.escapeLiteral(String(value))).join(', ')
  const answer = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page(${values})`,
  )
  await client.query('DEALLOCATE page')
  return answer.rows[0]!['QUERY PLAN'][0].Plan
}

async function checkOnPostgres({ env }: FreshDatabase, pages: Map<string, CompiledSql>): Promise<void> {
  const client = new Client({ connectionString: env['SPOOL_DATABASE_URL'] })
  await client.connect()
  try {
    await client.query('VACUUM ANALYZE')
    // As it is asked first, and as it is asked once its plan is kept.
    for (const mode of ['force_custom_plan', 'force_generic_plan'])
      for (const [name, page] of pages) {
        const read = rowsRead(await explainOnPostgres(client, page, mode))
        assert.ok(read > 0 && read < 1_000, `${name}, ${mode}: ${read} rows were read`)
      }
  } finally {
    await client.end()
  }
}

async function checkOnSqlite(db: Database, pages: Map<string, CompiledSql>): Promise<void> {
  for (const [name, { sql, parameters }] of pages) {
    const steps = await db.all(textQuery<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters))
    const plan = steps.map(({ detail }) => detail).join('\n')
    assert.match(plan, /SEARCH s/, name)
    assert.doesNotMatch(plan, /TEMP B-TREE|SCAN (?!p\b|t USING INDEX threads_by_time)/, `${name}:\n${plan}`)
  }
}

async function openMailbox(
  kind: DatabaseKind,
): Promise<{ database: FreshDatabase; db: Database } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await freshDatabase(kind))
  const { databaseUrl, dataFolder } = readConfig(database.env)
  const db = stack.use(await openDatabase({ url: databaseUrl, folder: dataFolder, writer: 'inline' }))
  await transaction(db, async (tx) => {
    for (const statement of mailbox) await tx.run(textQuery(statement, []))
  })
  const all = stack.move()
  return { database, db, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const middle = { timestamp: 1_000_000 + threads / 4, id: `thr_${1_000_000 + threads / 2}` }

for (const kind of databases) {
  test(`${kind}: a page of a list costs the page, not the mailbox, by whichever status and assignee`, async () => {
    await using opened = await openMailbox(kind)
    const { database, db } = opened
    const pages = new Map<string, CompiledSql>()
    for (const filter of filters)
      for (const after of [null, middle])
        pages.set(JSON.stringify({ ...filter, after }), await writeList(kind, db, filter, after))
    await (kind === 'postgres' ? checkOnPostgres(database, pages) : checkOnSqlite(db, pages))
  })

  test(`${kind}: a list by sender reads the threads of that sender only`, async () => {
    await using opened = await openMailbox(kind)
    const { database, db } = opened
    for (const from of ['d7.example', 'Ann@D7.example']) {
      const asked: CompiledSql[] = []
      const reader = {
        dialect: kind,
        build: db.build,
        first: (query: Parameters<typeof compileQuery>[1]) => {
          asked.push(compileQuery(kind, query))
          return db.first(query)
        },
      }
      const store = { ...reader, slowReader: reader } as unknown as Database
      const listing = {
        ...listingOf({ inboxes: 3, unread: false, statuses: null, assignee: undefined }),
        from,
      }
      const { items } = await listThreadPage(store, listing, { after: null, limit })
      assert.equal((JSON.parse(`[${items}]`) as unknown[]).length, 20)
      for (const [index, { sql, parameters }] of asked.entries()) {
        if (kind === 'sqlite') {
          const steps = await db.all(textQuery<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters))
          const plan = steps.map(({ detail }) => detail).join('\n')
          assert.match(plan, /threads_by_sender/)
          assert.doesNotMatch(plan, /SCAN t/)
        } else await checkOnPostgres(database, new Map([[`${from} ${index}`, { sql, parameters }]]))
      }
    }
  })

  test(`${kind}: pages follow one another without a gap, for few inboxes and for very many`, async () => {
    await using opened = await openMailbox(kind)
    const { db } = opened
    for (const [filter, condition] of [
      [{}, ''],
      [{ unread: true }, 'AND number % 5 = 2'],
      [{ statuses: ['closed'] }, `AND status = 'closed'`],
      [{ statuses: ['open', 'waiting'], assignee: null }, `AND status <> 'closed' AND assignee_id IS NULL`],
      [{ assignee: 'usr_1' }, `AND assignee_id = 'usr_1'`],
    ] as const)
      for (const inboxes of [1, 2, 60, 61, 200, 201, 450]) {
        const expected = await db.all(
          textQuery<{ timestamp: number; id: string }>(
            `SELECT timestamp, id FROM threads WHERE inbox <= ? AND timestamp < ? ${condition}
             ORDER BY timestamp DESC, id DESC LIMIT 30`,
            [inboxes, middle.timestamp],
          ),
        )
        const listing = listingOf({ inboxes, unread: false, statuses: null, assignee: undefined, ...filter })
        const met: string[] = []
        // Odd, so that pages end between two of one time.
        for (let after = { ...middle, id: '' }; met.length < 30; after = expected[met.length - 1]!) {
          const { items } = await listThreadPage(db, listing, { after, limit: 5 })
          const page = JSON.parse(`[${items}]`) as { id: string }[]
          assert.equal(page.length, 5)
          met.push(...page.map(({ id }) => id))
        }
        const name = `${JSON.stringify(filter)} ${inboxes}`
        assert.deepEqual(
          met,
          expected.map(({ id }) => id),
          name,
        )
      }
  })
}
