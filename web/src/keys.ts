import { signal } from '@preact/signals'
import { options } from 'preact'

/** What a key does; each part of the page says what it can while it is there. */
export type Command =
  | 'next'
  | 'previous'
  | 'open'
  | 'back'
  | 'select'
  | 'search'
  | 'help'
  | 'close'
  | 'spam'
  | 'unread'
  | 'snooze'
  | 'assign'
  | 'assignMe'
  | 'reply'
  | 'replyAll'
  | 'forward'
  | 'compose'
  | 'note'
  | 'undo'
  | 'draft'
  | `go ${string}`

export const keyTable: Record<string, Command> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  o: 'open',
  Enter: 'open',
  Escape: 'back',
  x: 'select',
  '/': 'search',
  '?': 'help',
  e: 'close',
  '#': 'spam',
  u: 'unread',
  s: 'snooze',
  i: 'assign',
  m: 'assignMe',
  r: 'reply',
  a: 'replyAll',
  f: 'forward',
  c: 'compose',
  n: 'note',
  z: 'undo',
  d: 'draft',
}

/** After g. */
export const placeKeys: Record<string, string> = {
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

const commands = new Map<Command, () => void>()

/** Whether g was pressed and a letter is awaited. */
export const awaitingPlace = signal(false)

export function onCommand(command: Command, run: () => void): () => void {
  commands.set(command, run)
  return () => {
    if (commands.get(command) === run) commands.delete(command)
  }
}

/** What it changes is on the page before the next key comes: who types on after `r` types into the answer. */
export function run(command: Command): boolean {
  const found = commands.get(command)
  if (!found) return false
  const { debounceRendering: usual } = options
  options.debounceRendering = (render) => render()
  try {
    found()
  } finally {
    if (usual) options.debounceRendering = usual
    else delete options.debounceRendering
  }
  return true
}

let timer: ReturnType<typeof setTimeout> | null = null

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    if (event.key === 'Escape' && isField(target)) return target.blur()
    if (isField(target) || document.querySelector('dialog[open], [role=menu]')) return
    // Buttons and links keep the keys by which they are pressed.
    const pressed = event.key === 'Enter' && target.closest('button, a, summary, [role=option]') !== null
    if (pressed) return
    const command = awaitingPlace.value ? takePlace(event.key) : commandOf(event.key)
    if (command && run(command)) event.preventDefault()
  })
}

function commandOf(key: string): Command | null {
  if (key === 'g') {
    awaitingPlace.value = true
    timer = setTimeout(() => (awaitingPlace.value = false), 1500)
    return null
  }
  return keyTable[key] ?? null
}

function takePlace(key: string): Command | null {
  awaitingPlace.value = false
  if (timer) clearTimeout(timer)
  return placeKeys[key] ? `go ${placeKeys[key]}` : null
}

function isField(target: HTMLElement): boolean {
  return target.matches?.('input:not([type=checkbox]), textarea, select, [contenteditable]') ?? false
}
