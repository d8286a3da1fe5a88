import type { Status } from '../../../src/model/thread.ts'

const threads = (count: string): string => (count === '1' ? '1 thread' : `${count} threads`)

/** Texts about acting on threads and undoing it. `what` is a quoted subject or a number of threads. */
export const actionTexts = {
  subject: (subject: string) => `“${subject}”`,
  threads,
  more: '10k+',
  count: (count: string) => threads(count),
  done: {
    open: (what: string) => `Reopened ${what}`,
    waiting: (what: string) => `Set ${what} to waiting`,
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
  undoing: 'Undoing…',
  undone: 'Undone.',
  nothingUndone: 'Nothing to undo any more.',
  /** Others changed something else: all of one's own is undone. */
  partStays: (names: string) => `Undone. ${names} also made changes; they stay.`,
  /** Others changed the same: it stays. */
  kept: (names: string, count: number, all: boolean) =>
    all
      ? `Not undone: ${names} changed ${count === 1 ? 'this thread' : 'these threads'} meanwhile.`
      : `Undone, except ${threads(String(count))} that ${names} changed meanwhile.`,
  somebody: 'somebody else',
  left: (count: string) => `${threads(count)} changed meanwhile; left as they are.`,
  notChanged: (count: string, sentence: string) => `${threads(count)} not changed: ${sentence}`,
  selectAll: 'Select all',
  selectMatching: (count: string) => `All ${count} that match`,
  allSelected: (count: string) => `All ${count} selected`,
  moreActions: 'More actions',
  reopen: 'Reopen',
  spam: 'Mark as spam',
  markRead: 'Mark as read',
  noText: 'No text',
  density: { comfortable: 'Comfortable rows', compact: 'Compact rows' },
  history: {
    status: (to: string, by: string) => `${by} undid a change; ${to.toLowerCase()} again`,
    assigned: (to: string, by: string) => `${by} undid a change; assigned to ${to} again`,
    unassigned: (by: string) => `${by} undid an assignment`,
  },
  merge: {
    title: 'Merge these two threads?',
    text: 'All messages, notes and drafts will be in one thread. This cannot be undone.',
    merge: 'Merge',
    back: 'Choose another',
    messages: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
  },
}
