import type { Status } from './thread.ts'

export interface ViewFilters {
  unread?: true
  assignee?: 'me' | 'none'
  statuses: readonly Status[]
}

/** The left column of the web inbox. Spam never counts as unread. */
export const viewFilters = {
  mine: { statuses: ['open'], assignee: 'me' },
  unassigned: { statuses: ['open'], assignee: 'none' },
  unread: { statuses: ['open', 'waiting', 'snoozed', 'closed'], unread: true },
  open: { statuses: ['open'] },
  waiting: { statuses: ['waiting'] },
  snoozed: { statuses: ['snoozed'] },
  closed: { statuses: ['closed'] },
  spam: { statuses: ['spam'] },
} satisfies Record<string, ViewFilters>
export type ThreadView = keyof typeof viewFilters
export const threadViews = Object.keys(viewFilters) as ThreadView[]

/** Counting stops here, so that its cost does not depend on the size of the store. */
export const mostCounted = 10_000
