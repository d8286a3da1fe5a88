import type { Status } from '../../../src/model/thread.ts'

const threads = (count: string): string => (count === '1' ? '1 thread' : `${count} threads`)

/** Texts about acting on threads and undoing it. `what` is a quoted subject or a number of threads. */
export const actionTexts = {
  subject: (subject: string) => `“${subject}”`,
  threads,
  more: '10k+',
  done: {
    open: (what: string) => `Reopened ${what}`,
    waiting: (what: string) => `Marked ${what} as waiting`,
    snoozed: (what: string, until: string) => `Snoozed ${what} until ${until}`,
    closed: (what: string) => `Closed ${what}`,
    spam: (what: string) => `Marked ${what} as spam`,
    assigned: (what: string, name: string) => `Assigned ${what} to ${name}`,
    unassigned: (what: string) => `Unassigned ${what}`,
    read: (what: string) => `Marked ${what} as read`,
    unread: (what: string) => `Marked ${what} as unread`,
  } satisfies Record<Status | 'assigned' | 'unassigned' | 'read' | 'unread', unknown>,
  progress: (done: string, count: string) => `Changing threads: ${done} of ${count}…`,
  undo: 'Undo',
  undone: 'Undone.',
  nothingUndone: 'Nothing left to undo.',
  /** Others changed something else; all of the user's own changes are undone. */
  partStays: (names: string) => `Undone. Changes by ${names} were kept.`,
  /** Others changed the same thing, so it is kept. */
  kept: (names: string, count: number, all: boolean) =>
    all
      ? `Couldn't undo: ${names} changed ${count === 1 ? 'this thread' : 'these threads'} in the meantime.`
      : `Undone, except for ${threads(String(count))} that ${names} changed in the meantime.`,
  /** A later change by the user, such as having read it since. */
  changedSince: 'Nothing undone: this has changed since.',
  left: (count: string) => `Skipped ${threads(count)} that changed in the meantime.`,
  notChanged: (count: string, sentence: string) => `Couldn't change ${threads(count)}: ${sentence}`,
  selectionLost: 'The threads you selected are no longer in this list.',
  nothingChanged: 'Nothing was changed: the threads you selected are no longer in this list.',
  selectAll: 'Select all',
  selectMatching: (count: string) => `Select all ${count} threads`,
  allSelected: (count: string) => `All ${count} selected`,
  moreActions: 'More actions',
  reopen: 'Reopen',
  spam: 'Mark as spam',
  markRead: 'Mark as read',
  noText: 'No text',
  density: { comfortable: 'Comfortable rows', compact: 'Compact rows' },
  history: {
    status: (to: string, by: string) => `${by} changed the status back to ${to.toLowerCase()}`,
    assigned: (to: string, by: string) => `${by} changed the assignee back to ${to}`,
    unassigned: (by: string) => `${by} undid an assignment`,
  },
}
