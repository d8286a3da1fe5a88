import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { statement } from '../statement.ts'
import { touch } from '../log/versions.ts'
import { joinNotices } from '../notices/follows.ts'
import { insertSummary, updateSummary, type ThreadRow, type ThreadValues } from './summary.ts'

/**
 * The only way to load one thread by id: `inboxes` is the caller's view, and a thread outside it is not found, exactly
 * as if it did not exist. The id of a merged thread leads to the thread it was merged into.
 */
const visibleThread = statement((build, { id, inboxes }: { id: string; inboxes: string }, dialect) =>
  build
    .selectFrom('threads')
    .selectAll()
    .where(
      'number',
      '=',
      sql<number>`coalesce((select number from threads where id = ${id}), (select thread from thread_aliases where id = ${id}))`,
    )
    .where('inbox', 'in', numberList(dialect, inboxes)),
)

/** A list of numbers bound as one JSON text, so that lists of any length share one statement. */
function numberList(dialect: Db['dialect'], json: string) {
  return dialect === 'sqlite'
    ? sql<number>`(select value from json_each(${json}))`
    : sql<number>`(select value::bigint from json_array_elements_text(${json}::json))`
}

export async function findVisibleThread(
  db: Db,
  id: string,
  inboxes: readonly number[],
): Promise<ThreadRow | undefined> {
  return db.first(visibleThread({ id, inboxes: JSON.stringify(inboxes) }))
}

const threadByNumber = statement((build, { number }: { number: number }) =>
  build.selectFrom('threads').selectAll().where('number', '=', number),
)

export async function loadThread(db: Db, number: number): Promise<ThreadRow> {
  const thread = await db.first(threadByNumber({ number }))
  if (!thread) throw new Error(`There is no thread number ${number}.`)
  return thread
}

export async function hasThreads(db: Db): Promise<boolean> {
  return (await db.first(db.build.selectFrom('threads').select('number').limit(1))) !== undefined
}

/** Every column that can change after a thread is created. */
function changing(thread: ThreadValues) {
  return {
    subject: thread.subject,
    sender_name: thread.sender_name,
    sender_address: thread.sender_address,
    timestamp: thread.timestamp,
    status: thread.status,
    assignee_id: thread.assignee_id,
    assigned_at: thread.assigned_at,
    assignee_name: thread.assignee_name,
    assignee_email: thread.assignee_email,
    snoozed_until: thread.snoozed_until,
    preview: thread.preview,
    message_count: thread.message_count,
    note_count: thread.note_count,
    attachment_count: thread.attachment_count,
    draft_count: thread.draft_count,
    created_at: thread.created_at,
    updated_at: thread.updated_at,
    revision: thread.revision,
    last_inbound: thread.last_inbound,
    asked_at: thread.asked_at,
    answered_at: thread.answered_at,
    history_run: thread.history_run,
  }
}

const insert = statement((build, thread: ThreadValues) =>
  build
    .insertInto('threads')
    .values({ id: thread.id, inbox: thread.inbox, ...changing(thread) })
    .returning('number'),
)

export async function insertThread(db: Tx, values: ThreadValues): Promise<ThreadRow> {
  const { number } = (await db.first(insert(values)))!
  await insertSummary(db, number, values)
  return { ...values, number }
}

const update = statement((build, thread: ThreadRow) =>
  build.updateTable('threads').set(changing(thread)).where('number', '=', thread.number),
)

/** Writes the row with its next revision and invalidates cached answers. */
export async function saveThread(db: Tx, thread: ThreadRow, now: number): Promise<void> {
  thread.revision++
  thread.updated_at = Math.max(now, thread.updated_at)
  await rewriteThread(db, thread)
}

/** The same for what is no change of the thread, but its texts by newer rules. */
export async function rewriteThread(db: Tx, thread: ThreadRow): Promise<void> {
  touch(db, `inbox:${thread.inbox}`)
  await db.run(update(thread))
  await updateSummary(db, thread.number, thread)
}

export async function threadsToWake(db: Db, now: number, limit: number): Promise<number[]> {
  const rows = await db.all(
    db.build
      .selectFrom('threads')
      .select('number')
      .where('snoozed_until', '<=', now)
      .orderBy('snoozed_until')
      .limit(limit),
  )
  return rows.map((row) => row.number)
}

export async function threadsOfAssignee(
  db: Db,
  userId: string,
  after: number,
  limit: number,
): Promise<ThreadRow[]> {
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
    await db.run(db.build.updateTable(table).set({ thread: to.number }).where('thread', '=', from.number))
  }
  await joinNotices(db, from.number, to.number)
  await db.run(db.build.insertInto('thread_aliases').values({ id: from.id, thread: to.number }))
  await db.run(db.build.deleteFrom('thread_summaries').where('thread', '=', from.number))
  await db.run(db.build.deleteFrom('threads').where('number', '=', from.number))
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
