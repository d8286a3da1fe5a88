import type { ViewName } from './router.ts'
import { texts } from './texts.ts'

interface Action {
  group: keyof typeof texts.help.groups | null
  /** The first one is shown in menus, two in the help; if empty, the action is only in the command palette. */
  keys: readonly string[]
}

/** Every action of the page. The keys, the help page and the command palette are all made from this table. */
const table = {
  next: { group: 'move', keys: ['j', 'ArrowDown'] },
  previous: { group: 'move', keys: ['k', 'ArrowUp'] },
  open: { group: 'move', keys: ['o', 'Enter'] },
  back: { group: 'move', keys: ['Escape'] },
  select: { group: 'move', keys: ['x'] },
  selectAll: { group: 'move', keys: ['X'] },
  selectNext: { group: 'move', keys: ['J'] },
  selectPrevious: { group: 'move', keys: ['K'] },
  search: { group: 'move', keys: ['/'] },
  nextHit: { group: 'move', keys: ['.'] },
  previousHit: { group: 'move', keys: [','] },
  palette: { group: 'move', keys: ['Ctrl+K'] },
  help: { group: 'move', keys: ['?'] },
  close: { group: 'act', keys: ['e'] },
  reopen: { group: 'act', keys: ['E'] },
  snooze: { group: 'act', keys: ['s'] },
  assign: { group: 'act', keys: ['i'] },
  assignMe: { group: 'act', keys: ['m'] },
  unread: { group: 'act', keys: ['u'] },
  spam: { group: 'act', keys: ['#'] },
  undo: { group: 'act', keys: ['z'] },
  reply: { group: 'write', keys: ['r'] },
  replyAll: { group: 'write', keys: ['a'] },
  forward: { group: 'write', keys: ['f'] },
  compose: { group: 'write', keys: ['c'] },
  draft: { group: 'write', keys: ['d'] },
  note: { group: 'write', keys: ['n'] },
  // Handled by the focused draft: mail is sent only from its own draft.
  send: { group: 'write', keys: ['Ctrl+Enter'] },
  waiting: { group: null, keys: [] },
  merge: { group: null, keys: [] },
  print: { group: null, keys: [] },
  theme: { group: null, keys: [] },
  signOut: { group: null, keys: [] },
} as const satisfies Record<keyof typeof texts.help.keys, Action>

type ActionName = keyof typeof table

/** What a shortcut or a palette choice does. Components register their commands while mounted. */
export type Command = ActionName | `go ${string}`

/** Keys that follow `g`. */
export const placeKeys: Readonly<Record<string, ViewName>> = {
  m: 'mine',
  u: 'unassigned',
  d: 'review',
  n: 'unread',
  o: 'open',
  w: 'waiting',
  s: 'snoozed',
  c: 'closed',
  p: 'spam',
}

const names = Object.keys(table) as ActionName[]

/** A key or combination as it is shown, in parts. */
function nameKey(key: string): string[] {
  return key
    .replace('Escape', 'Esc')
    .replace('ArrowDown', '↓')
    .replace('ArrowUp', '↑')
    .replace(/^[A-Z]$/, 'Shift+$&')
    .split('+')
}

/** Their `keys` are written as they are shown; `other` is another way to press the same. */
export const actions = names.map((command) => {
  const { group, keys }: Action = table[command]
  const [shown = [], other = []] = keys.map(nameKey)
  return { command, title: texts.help.keys[command], group, keys: shown, other }
})

export const placeActions = Object.entries(placeKeys).map(([key, view]) => ({
  command: `go ${view}` as const,
  title: texts.views[view],
  group: 'go' as const,
  keys: ['g', key],
  other: [],
}))

/** Commands by single key. */
export const keyTable: Readonly<Record<string, Command>> = Object.fromEntries(
  names.flatMap((command) => table[command].keys.map((key) => [key, command])),
)
