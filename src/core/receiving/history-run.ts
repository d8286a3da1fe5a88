import type { Status } from '../../model/thread.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'

/**
 * One import with `--as-read`, or the first sync of a mailbox, however often it is interrupted. Threads that begin in
 * it take their status from their newest message until anything else changes it; threads from before it are left alone.
 */
export interface HistoryRun {
  id: number
  /** Threads whose newest message is older than this many days start closed; null closes none. */
  openDays: number | null
}

export const usualOpenDays = 14
const day = 86_400_000

/** The status of a thread with this newest message. */
export function historyStatus(
  { openDays }: HistoryRun,
  { timestamp, direction }: { timestamp: number; direction: 'inbound' | 'outbound' },
  now: number,
): Status {
  if (openDays !== null && timestamp < now - openDays * day) return 'closed'
  return direction === 'outbound' ? 'waiting' : 'open'
}

/**
 * Two threads turn out to be one. Within a run the status of the newer one counts; a thread from before the run keeps
 * its own. Without this, the merged thread would be open if either was.
 */
export function joinStatuses({ id }: HistoryRun, survivor: ThreadRow, absorbed: ThreadRow): void {
  if (absorbed.history_run !== id) return
  if (survivor.history_run === id && absorbed.timestamp > survivor.timestamp)
    survivor.status = absorbed.status
  absorbed.status = survivor.status
}
