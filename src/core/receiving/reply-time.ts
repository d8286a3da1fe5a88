import type { Tx } from '../../store/db.ts'
import { firstAnswersSince } from '../../store/threads/messages.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'

/**
 * When the first inbound mail and its first reply were written; kept with the thread so that the numbers need not read
 * mail. Mail arrives in any order: a reply to an earlier question may already be stored.
 */
export function noteReplyTime(
  thread: ThreadRow,
  direction: 'inbound' | 'outbound',
  timestamp: number,
): { mustFindAnswer: boolean } {
  const { asked_at } = thread
  const isFirst = direction === 'inbound' && (asked_at === null || asked_at > timestamp)
  if (isFirst) thread.asked_at = timestamp
  else if (direction === 'outbound' && asked_at !== null && timestamp >= asked_at)
    thread.answered_at = Math.min(timestamp, thread.answered_at ?? timestamp)
  return { mustFindAnswer: isFirst }
}

/** Call once all mail of the threads is stored. */
export async function findAnswers(db: Tx, threads: readonly ThreadRow[]): Promise<void> {
  const asked = threads.map(({ number, asked_at }): [number, number] => [number, asked_at!])
  const answers = await firstAnswersSince(db, asked)
  for (const thread of threads) thread.answered_at = answers.get(thread.number)!
}

/** The caller must then find the first answer again. */
export function joinReplyTimes(survivor: ThreadRow, absorbed: ThreadRow): void {
  const asked = [survivor.asked_at, absorbed.asked_at].filter((time) => time !== null)
  if (asked.length > 0) survivor.asked_at = Math.min(...asked)
}
