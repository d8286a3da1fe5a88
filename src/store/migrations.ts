import { first } from './migrations/0001-first.ts'
import { mailServers } from './migrations/0002-mail-servers.ts'
import { mailSync } from './migrations/0003-mail-sync.ts'
import { drafts } from './migrations/0004-drafts.ts'
import { webhooks } from './migrations/0005-webhooks.ts'
// 0006 was never released.
import { attachmentPieces } from './migrations/0007-attachment-pieces.ts'
import { webInbox } from './migrations/0008-web-inbox.ts'
import { settings } from './migrations/0009-settings.ts'
import { slimThreads } from './migrations/0010-slim-threads.ts'
import { listIndexes } from './migrations/0011-list-indexes.ts'
import { SpoolError, StoreEarlier } from '../model/errors.ts'
import { threadColumns } from './migrations/0012-thread-columns.ts'
import { messageForm } from './migrations/0013-message-form.ts'
import { mailboxSignIn } from './migrations/0014-mailbox-sign-in.ts'
import { senders } from './migrations/0015-senders.ts'
import { grants } from './migrations/0016-grants.ts'
import { agents } from './migrations/0017-agents.ts'
import { search } from './migrations/0018-search.ts'
import { notices } from './migrations/0019-notices.ts'
import { checksums } from './migrations/0020-checksums.ts'
import { threadItems } from './migrations/0021-thread-items.ts'
import { latestOfSender } from './migrations/0022-latest-of-sender.ts'
import { scopesOfAccess } from './migrations/0024-scopes-of-access.ts'
import { mailMarks } from './migrations/0026-mail-marks.ts'
import type { Migration, DialectSql } from './migrations/migration.ts'
import type { Dialect } from './statement.ts'

export const migrations: Migration[] = [
  first,
  mailServers,
  mailSync,
  drafts,
  webhooks,
  attachmentPieces,
  webInbox,
  settings,
  slimThreads,
  listIndexes,
  threadColumns,
  messageForm,
  mailboxSignIn,
  senders,
  grants,
  agents,
  search,
  notices,
  checksums,
  threadItems,
  latestOfSender,
  scopesOfAccess,
  mailMarks,
]

/** What opening a store may change in its schema. */
export interface MigrationOptions {
  /** What to do with a store of an earlier version; default: refuse it. `keep`: open it as it is, to copy or examine it. */
  earlier?: 'migrate' | 'refuse' | 'keep'
  /** Migrations that are not run: a store that a copy of an earlier one goes into has to be like it. */
  without?: readonly string[]
  /** Called before and after each migration of a store that already existed. */
  onMigration?(step: MigrationStep): void
}

export interface MigrationStep {
  migration: string
  step: number
  of: number
  /** Null: it begins. */
  seconds: number | null
}

/** Which migrations a store has, and which of this version it lacks. */
export interface StoreVersion {
  count: number
  lacking: readonly string[]
}

/** Within one transaction. `done`: the migrations that the store has; null if there is none yet. */
export async function migrateStore(
  done: readonly string[] | null,
  dialect: Dialect,
  run: (statement: string) => Promise<unknown>,
  { earlier = 'refuse', without = [], onMigration }: MigrationOptions,
): Promise<StoreVersion> {
  const pending = findPending(done ?? [])
  if (done !== null && pending.length > 0 && earlier === 'refuse') throw new StoreEarlier()
  const isWanted = done === null || earlier === 'migrate'
  const wanted = isWanted ? pending.filter(({ name }) => !without.includes(name)) : []
  if (done === null) await run('CREATE TABLE migrations (name TEXT PRIMARY KEY)')
  const report = done === null ? undefined : onMigration
  for (const [index, { name, statements }] of wanted.entries()) {
    const step = { migration: name, step: index + 1, of: wanted.length }
    report?.({ ...step, seconds: null })
    const start = performance.now()
    for (const statement of statements(dialectSql[dialect])) await run(statement)
    await run(`INSERT INTO migrations VALUES ('${name}')`)
    report?.({ ...step, seconds: Math.round(performance.now() - start) / 1000 })
  }
  const lacking = pending.filter((migration) => !wanted.includes(migration)).map(({ name }) => name)
  return { count: (done?.length ?? 0) + wanted.length, lacking }
}

/** The migrations still to be run, given those already done. */
function findPending(done: readonly string[]): Migration[] {
  const unknown = done.find((name) => !migrations.some((migration) => migration.name === name))
  if (unknown !== undefined)
    throw new SpoolError(
      'conflict',
      `A newer version of Spool made this store: it has the migration "${unknown}", which this version does not know. Use that version, or restore a backup from before it.`,
    )
  return migrations.filter(({ name }) => !done.includes(name))
}

export const dialectSql: Record<Dialect, DialectSql> = {
  sqlite: {
    number: 'INTEGER PRIMARY KEY',
    integer: 'INTEGER',
    bytes: 'BLOB',
    id: 'TEXT',
    clustered: 'WITHOUT ROWID',
    searchTable: [
      // Spool splits and folds the terms itself; `ascii` treats every other character as part of a term.
      `CREATE VIRTUAL TABLE message_search USING fts5(words, content='', detail=none, tokenize='ascii')`,
    ],
    searchWords: [`CREATE VIRTUAL TABLE message_words USING fts5vocab(message_search, row)`],
    // SQLite finds unassigned threads in the index by assignee, where NULLs are adjacent.
    listIndexes: [],
    jsonMember: (json, ...names) => `((${json}) -> '$.${names.join('.')}')`,
    textMember: (json, ...names) => `((${json}) ->> '$.${names.join('.')}')`,
  },
  postgres: {
    number: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    integer: 'BIGINT',
    bytes: 'BYTEA',
    id: 'TEXT COLLATE "C"',
    clustered: '',
    searchTable: [
      `CREATE TABLE message_search (message BIGINT PRIMARY KEY REFERENCES messages, words TSVECTOR NOT NULL)`,
      `CREATE INDEX message_search_words ON message_search USING gin (words)`,
    ],
    searchWords: [],
    listIndexes: [
      // PostgreSQL does not treat NULL assignees as equal and would sort all of those rows.
      `CREATE INDEX threads_of_nobody ON threads (inbox, status, timestamp, id) WHERE assignee_id IS NULL`,
      // On an expression, so that only scans over many inboxes use it: for one inbox the planner would think it cheap,
      // which is wrong when matches are rare.
      `CREATE INDEX threads_over_all ON threads ((timestamp + 0), id)`,
      // Last, because it locks out readers.
      `DROP INDEX threads_by_time`,
    ],
    jsonMember: (json, ...names) => `(${wholeCharacters(json)}::json #> '{${names.join(',')}}')::text`,
    textMember: (json, ...names) => `(${wholeCharacters(json)}::json #>> '{${names.join(',')}}')`,
  },
}

/** PostgreSQL rejects JSON with half a surrogate pair, which truncated text can end in. */
function wholeCharacters(json: string): string {
  return String.raw`regexp_replace(${json}, '(?<!\\)((\\\\)*)\\ud[89a-f][0-9a-f]{2}', '\1\\ufffd', 'g')`
}
