import type { Tx } from '../../store/db.ts'
import {
  findAssigned,
  findAssignees,
  saveNotices,
  withdrawNotices,
  type NoticeRow,
} from '../../store/notices/notices.ts'
import { ringFirst, type Wanted } from './notices.ts'
import type { NoticeData } from './rings.ts'

/** Assignments by one person within this time of the first are one notice. */
const together = 60_000

interface AssignmentData extends NoticeData {
  /** Numbers of the threads, and when the first was assigned. Notices of earlier versions have neither. */
  threads?: number[]
  since?: number
}

/**
 * Assignments are held until they can no longer be undone, and what one person assigns to another meanwhile is one
 * notice. An assignment that has been changed since causes none; nor does one that was only given back by an undo.
 */
export async function storeAssignments(
  db: Tx,
  rings: readonly Wanted[],
  { now, hold }: { now: number; hold: number },
): Promise<void> {
  if (rings.length === 0) return
  const threads = await findAssignees(
    db,
    rings.map(({ thread }) => thread!),
  )
  const valid = rings.filter(({ userId, thread, at }) => {
    const current = threads.get(thread!)
    return current?.assignee_id === userId && at! - current.assigned_at! <= hold
  })
  const users = [...new Set(valid.map(({ userId }) => userId))]
  const open = (await findAssigned(db, users)).filter(({ rung_at }) => rung_at > now)
  const changed = new Set<NoticeRow>()
  for (const ring of valid) {
    const due = Math.max(now, ring.at! + hold)
    const held = open.find((row) => belongsTo(row, ring))
    if (held) join(held, ring, due)
    const row = held ?? ringFirst({ ...ring, data: begin(ring), delay: due - now }, now)
    if (!held) open.push(row)
    changed.add(row)
  }
  await saveNotices(db, [...changed])
}

function begin({ data, thread, at }: Wanted): AssignmentData {
  return { ...data, threads: [thread!], since: at! }
}

function readData({ data }: NoticeRow): AssignmentData {
  return JSON.parse(data) as AssignmentData
}

/** By the same person, in the same ways, and soon after the first. */
function belongsTo(row: NoticeRow, { userId, data, choice, at }: Wanted): boolean {
  const { actor, since } = readData(row)
  return (
    row.user_id === userId &&
    actor === data.actor &&
    since !== undefined &&
    at! - since <= together &&
    (row.on_page === 1 || row.page_at !== null) === choice.page &&
    (row.push_at !== null) === choice.push &&
    (row.mail_at !== null) === (choice.mail !== 'off')
  )
}

function join(row: NoticeRow, { thread, inbox, choice }: Wanted, due: number): void {
  const data = readData(row)
  const threads = [...new Set([...data.threads!, thread!])]
  Object.assign(row, {
    data: JSON.stringify({ ...data, threads }),
    count: threads.length,
    thread: threads.length === 1 ? thread : null,
    inbox: row.inbox === inbox ? inbox : null,
    rung_at: due,
    page_at: row.page_at === null ? null : due,
    push_at: row.push_at === null ? null : due,
    mail_at: choice.mail === 'now' ? due : row.mail_at,
  })
}

/** The thread is no longer this person's: its notice goes too, unless it has been read. */
export async function withdrawAssignment(db: Tx, userId: string, thread: number): Promise<void> {
  for (const row of await findAssigned(db, [userId])) {
    const data = readData(row)
    const threads = data.threads ?? [row.thread]
    if (!threads.includes(thread)) continue
    const rest = threads.filter((each) => each !== thread)
    if (rest.length === 0) await withdrawNotices(db, { id: row.id })
    else
      await saveNotices(db, [
        {
          ...row,
          data: JSON.stringify({ ...data, threads: rest }),
          count: rest.length,
          thread: rest.length === 1 ? rest[0]! : null,
        },
      ])
  }
}
