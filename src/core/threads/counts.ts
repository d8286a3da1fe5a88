import type { View } from '../../model/access.ts'
import { reviewedStatuses } from '../../model/draft.ts'
import { mostCounted } from '../../model/thread-views.ts'
import type { Counts } from '../../model/work.ts'
import { countRanges, type CountedRange } from '../../store/threads/counts.ts'
import type { Spool } from '../spool.ts'

type CountedView = Exclude<keyof Counts['views'], 'closed' | 'spam'>

/** Counts for the left column. Each is an index range that is read up to 10,000 entries. */
export async function countWork(spool: Spool, { user, inboxes }: View): Promise<Counts> {
  const asked = inboxes.flatMap(({ number: inbox, id }) =>
    rangesOf(inbox, user.id).map(([view, range]) => ({ view, inboxId: id, range })),
  )
  const ranges = asked.map(({ range }) => range)
  const counts = await countRanges(spool.db.slowReader, ranges)
  const views: Counts['views'] = {
    mine: 0,
    unassigned: 0,
    unread: 0,
    open: 0,
    waiting: 0,
    snoozed: 0,
    review: 0,
    closed: null,
    spam: null,
  }
  const open: Record<string, number> = {}
  for (const [index, { view, inboxId }] of asked.entries()) {
    const count = counts[index]!
    views[view] = Math.min(views[view] + count, mostCounted)
    if (view === 'open') open[inboxId] = count
  }
  return { views, inboxes: open }
}

function rangesOf(inbox: number, userId: string): [CountedView, CountedRange][] {
  return [
    ['mine', { of: 'assignee', inbox, status: 'open', assignee: userId }],
    ['unassigned', { of: 'assignee', inbox, status: 'open', assignee: null }],
    ['unread', { of: 'unread', inbox, userId }],
    ['open', { of: 'status', inbox, status: 'open' }],
    ['waiting', { of: 'status', inbox, status: 'waiting' }],
    ['snoozed', { of: 'status', inbox, status: 'snoozed' }],
    ...reviewedStatuses.map((status): [CountedView, CountedRange] => [
      'review',
      { of: 'proposal', inbox, status },
    ]),
  ]
}
