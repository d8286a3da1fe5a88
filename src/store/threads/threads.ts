import type { Db, Tx } from '../db.ts'
import { bulkInsert, bulkUpdate } from '../bulk.ts'
import { nextNumber } from '../row-numbers.ts'
import { namedQuery, oneOf, statement, textQuery, type Dialect } from '../statement.ts'
import { touch } from '../log/versions.ts'
import { joinNotices } from '../notices/follows.ts'
import { listValue } from './listing.ts'
import { among } from './page-sql.ts'
import { joinUnread } from './unread.ts'
import { insertSummary, updateSummary, type ThreadRow, type ThreadValues } from './summary.ts'

/**
 * The only way to load one thread by id: `inboxes` is the caller's view, and a thread outside it is not found, exactly
 * as if it did not exist. The id of a merged thread leads to the thread it was merged into.
 */
const findThread = (dialect: Dialect) =>
  namedQuery<ThreadRow>(
    `SELECT * FROM threads WHERE inbox ${among(dialect, 'inboxes')} AND number = coalesce(
       (SELECT number FROM threads WHERE id = :id), (SELECT thread FROM thread_aliases WHERE id = :id))`,
  )
const visibleThread = { sqlite: findThread('sqlite'), postgres: findThread('postgres') }

export async function findVisibleThread(db: Db, id: string, inboxes: readonly number[]) {
  return db.first(visibleThread[db.dialect]({ id, inboxes: listValue(db, inboxes) }))
}

const threadByNumber = statement((build, { number }: { number: number }) =>
  build.selectFrom('threads').selectAll().where('number', '=', number),
)

export async function loadThread(db: Db, number: number): Promise<ThreadRow> {
  const thread = await db.first(threadByNumber({ number }))
  if (!thread) throw new Error(`There is no thread number ${number}.`)
  return thread
}

/** Loads those of the threads that exist. */
export async function loadThreads(db: Db, numbers: readonly number[]): Promise<ThreadRow[]> {
  if (numbers.length === 0) return []
  const { test, value } = oneOf(db.dialect, numbers)
  return db.all(textQuery<ThreadRow>(`SELECT * FROM threads WHERE number ${test}`, [value]))
}

export async function hasThreads(db: Db): Promise<boolean> {
  return (await db.first(db.build.selectFrom('threads').select('number').limit(1))) !== undefined
}

/** Every column that can change after a thread is created. */
const changing = {
  subject: 'text',
  sender_name: 'text',
  sender_address: 'text',
  timestamp: 'bigint',
  status: 'text',
  assignee_id: 'text',
  assigned_at: 'bigint',
  assignee_name: 'text',
  assignee_email: 'text',
  snoozed_until: 'bigint',
  preview: 'text',
  message_count: 'bigint',
  note_count: 'bigint',
  attachment_count: 'bigint',
  draft_count: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
  revision: 'bigint',
  last_inbound: 'bigint',
  asked_at: 'bigint',
  answered_at: 'bigint',
  history_run: 'bigint',
} as const

const insert = bulkInsert('threads', { number: 'bigint', id: 'text', inbox: 'bigint', ...changing })

export async function insertThread(db: Tx, values: ThreadValues): Promise<ThreadRow> {
  const thread = { ...values, number: await nextNumber(db, 'threads') }
  await db.add(insert, { ...thread })
  await insertSummary(db, thread.number, values)
  return thread
}

const update = bulkUpdate<'threads', Omit<ThreadRow, 'id' | 'inbox'>>('threads', {
  number: 'bigint',
  ...changing,
})

/** Writes the row with its next revision and invalidates cached answers. */
export async function saveThread(db: Tx, thread: ThreadRow, now: number): Promise<void> {
  thread.revision++
  thread.updated_at = Math.max(now, thread.updated_at)
  await rewriteThread(db, thread)
}

/** Like `saveThread`, but keeps revision and time: newer rules have changed texts, not the thread itself. */
export async function rewriteThread(db: Tx, thread: ThreadRow): Promise<void> {
  touch(db, `inbox:${thread.inbox}`)
  await db.add(update, { ...thread })
  await updateSummary(db, thread.number, thread)
}

export async function threadsToWake(db: Db, now: number, limit: number): Promise<number[]> {
  const rows = await db.all(
    db.build
      .selectFrom('threads')
      .select('number')
      .where('snoozed_until', '<=', now)
      .orderBy('snoozed_until')
      .orderBy('number')
      .limit(limit),
  )
  return rows.map((row) => row.number)
}

export async function threadsOfAssignee(db: Db, userId: string, after: number, limit: number) {
  return db.all(
    db.build
      .selectFrom('threads')
      .selectAll()
      .where('assignee_id', '=', userId)
      .where('number', '>', after)
      .orderBy('number')
      .limit(limit),
  )
}

/** Moves everything from `from` to `to`, deletes `from` and makes its id an alias of `to`. */
export async function absorbThread(db: Tx, from: ThreadRow, to: ThreadRow): Promise<void> {
  for (const table of ['messages', 'notes', 'history', 'drafts', 'thread_keys', 'thread_aliases'] as const) {
    await db.queue(db.build.updateTable(table).set({ thread: to.number }).where('thread', '=', from.number))
  }
  await joinUnread(db, from.number, to)
  await joinNotices(db, from.number, to.number)
  await db.queue(db.build.insertInto('thread_aliases').values({ id: from.id, thread: to.number }))
  await db.queue(db.build.deleteFrom('thread_summaries').where('thread', '=', from.number))
  await db.queue(db.build.deleteFrom('threads').where('number', '=', from.number))
}

const rename = statement((build, { number, name }: { number: number; name: string }) =>
  build.updateTable('threads').set({ assignee_name: name }).where('number', '=', number),
)

/** Not a change to the thread itself: its revision stays. */
export async function renameAssignee(db: Tx, thread: ThreadRow, name: string): Promise<void> {
  if (thread.assignee_name === name) return
  touch(db, `inbox:${thread.inbox}`)
  await db.run(rename({ number: thread.number, name }))
  await updateSummary(db, thread.number, { ...thread, assignee_name: name })
}
