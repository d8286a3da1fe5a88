import type { Tx } from '../../store/db.ts'
import { firstAnswerSince } from '../../store/threads/messages.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'

/**
 * When the first inbound mail and its first reply were written; kept with the thread so that the numbers need not read
 * mail. Mail arrives in any order: a reply to an earlier question may already be stored.
 */
export async function noteReplyTime(
  db: Tx,
  thread: ThreadRow,
  direction: 'inbound' | 'outbound',
  timestamp: number,
): Promise<void> {
  if (direction === 'inbound') {
    if (thread.asked_at !== null && thread.asked_at <= timestamp) return
    await askedSince(db, thread, timestamp)
  } else if (thread.asked_at !== null && timestamp >= thread.asked_at)
    thread.answered_at = Math.min(timestamp, thread.answered_at ?? timestamp)
}

/** Call once all mail of `absorbed` belongs to `survivor`. */
export async function joinReplyTimes(db: Tx, survivor: ThreadRow, absorbed: ThreadRow): Promise<void> {
  const asked = [survivor.asked_at, absorbed.asked_at].filter((time) => time !== null)
  if (asked.length > 0) await askedSince(db, survivor, Math.min(...asked))
}

async function askedSince(db: Tx, thread: ThreadRow, time: number): Promise<void> {
  thread.asked_at = time
  thread.answered_at = await firstAnswerSince(db, thread.number, time)
}
