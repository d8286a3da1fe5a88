import type { Tx } from '../../store/db.ts'
import { firstAnswerSince } from '../../store/threads/messages.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'

/**
 * When the outside first wrote and when it was first answered, kept with the thread so that the numbers need not look at
 * mail. Mail comes in any order: an earlier question may have been answered by mail that is here already.
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

/** Once all mail of `absorbed` is that of `survivor`. */
export async function joinReplyTimes(db: Tx, survivor: ThreadRow, absorbed: ThreadRow): Promise<void> {
  const asked = [survivor.asked_at, absorbed.asked_at].filter((time) => time !== null)
  if (asked.length > 0) await askedSince(db, survivor, Math.min(...asked))
}

async function askedSince(db: Tx, thread: ThreadRow, time: number): Promise<void> {
  thread.asked_at = time
  thread.answered_at = await firstAnswerSince(db, thread.number, time)
}
