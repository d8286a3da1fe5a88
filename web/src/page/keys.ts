import { keyTable, placeKeys, type Command } from './action-table.ts'
import { isField } from './field.ts'
import { renderNow } from './render-now.ts'
import { route } from './router.ts'
import {
  dropTypedAhead,
  hasTypedAhead,
  isOpening,
  isSwallowed,
  swallow,
  swallowKey,
  typeAhead,
  watchForLeaving,
} from './typed-ahead.ts'

const commands = new Map<Command, () => void>()

export function onCommand(command: Command, run: () => void): () => void {
  commands.set(command, run)
  return () => {
    if (commands.get(command) === run) commands.delete(command)
  }
}

export function canRun(command: Command): boolean {
  return commands.has(command)
}

export function run(command: Command): boolean {
  const found = commands.get(command)
  if (found) renderNow(found)
  return found !== undefined
}

export function listenToKeys(): void {
  watchForLeaving()
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const target = event.target as HTMLElement
    const isCovered = document.querySelector('dialog[open], [role=menu]') !== null
    if (isPaletteKey(event)) {
      if (isCovered || run('palette')) event.preventDefault()
      return
    }
    // The user has moved on to another field.
    if (isField(target) && isOpening()) dropTypedAhead()
    if (isField(target) && event.key === 'Escape' && !isModified(event)) return target.blur()
    if (isField(target) || isCovered) return
    if (takesTyped(event)) return event.preventDefault()
    if (isModified(event)) {
      // Ctrl+Enter sends, but only from within a draft; a row would take it for Ctrl+click, which selects.
      if (event.key === 'Enter') event.preventDefault()
      return
    }
    // Buttons and links keep Enter.
    const pressed = event.key === 'Enter' && target.closest('button, a, summary, [role=option]') !== null
    if (pressed) return
    const command = isSecondKey(event) ? takePlace(event.key) : commandOf(event)
    if (!command) return
    if (run(command)) event.preventDefault()
    // What follows was meant for what the key would have opened.
    else if (event.key.length === 1) swallow(event.timeStamp)
  })
}

function isModified(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey
}

/** Also while typing in a field. */
export function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey
}

/** Commands that leave the place that is opening, or do not concern it. */
const leading: ReadonlySet<Command> = new Set<Command>([
  'next',
  'previous',
  'back',
  'search',
  'help',
  'compose',
  'undo',
])

/** Whether the key is not meant for what is shown: for the place that is opening, or for one that could not be opened. */
function takesTyped(event: KeyboardEvent): boolean {
  const { key } = event
  const isLost = isSwallowed(event)
  if (!isLost && !isOpening()) return false
  // All that follows the key for a new mail is for its fields.
  if (!isLost && !hasTypedAhead() && route.value.name !== 'compose') {
    const command = isModified(event) || isSecondKey(event) ? undefined : keyTable[key]
    const pressed = key === 'Enter' && (event.target as Element).closest('button, a, summary') !== null
    if (!command || pressed || (leading.has(command) && commands.has(command))) return false
  } else if (isModified(event) && !event.getModifierState('AltGraph')) {
    // Never send anything unseen; other shortcuts belong to the browser.
    return key === 'Enter'
  } else if (key === 'Escape') {
    dropTypedAhead()
    return true
  } else if (key.length > 1 && !['Enter', 'Backspace', 'ArrowUp', 'ArrowDown'].includes(key)) return false
  if (isLost) swallowKey(event)
  else typeAhead(event)
  return true
}

const sequenceTimeout = 1500
/** Compares the times of the key presses, because a busy page handles them late. */
let secondKeyUntil = 0

function isSecondKey({ timeStamp }: KeyboardEvent): boolean {
  return timeStamp <= secondKeyUntil
}

function commandOf({ key, timeStamp }: KeyboardEvent): Command | null {
  if (key === 'g') {
    secondKeyUntil = timeStamp + sequenceTimeout
    return null
  }
  return keyTable[key] ?? null
}

function takePlace(key: string): Command | null {
  secondKeyUntil = 0
  return placeKeys[key] ? `go ${placeKeys[key]}` : null
}
