import { useLayoutEffect, useRef } from 'preact/hooks'
import { typeInto } from './field.ts'
import { renderNow } from './render-now.ts'
import { texts } from './texts.ts'
import { showToast } from './toasts.ts'

/**
 * Keys typed while a place is opening belong to that place: they are queued here and replayed in order once it is
 * shown. Navigating elsewhere, or a failure to open, drops them.
 */
const waiting: KeyboardEventInit[] = []
let opening = 0
const awaiting = new Set<() => void>()

/** How long nothing is typed before a key is a command again, after keys that had no place to go. */
const pause = 1000
let swallowedUntil = 0
let hasSaid = false

export function isOpening(): boolean {
  return opening > 0
}

export function hasTypedAhead(): boolean {
  return waiting.length > 0
}

export function typeAhead({ key, shiftKey }: KeyboardEvent): void {
  waiting.push({ key, shiftKey })
}

/** Waits until no key is queued: queued keys were meant for what was on the screen. */
export async function untilTyped(): Promise<void> {
  if (hasTypedAhead()) await new Promise<void>((resolve) => awaiting.add(resolve))
}

/** The user gave up what they typed: the next key is a command again. */
export function dropTypedAhead(): void {
  waiting.length = 0
  swallowedUntil = 0
  tellTyped()
}

/** What was typed has no place to go, so the rest of it is dropped as well. */
export function loseTypedAhead(): void {
  if (!hasTypedAhead()) return
  dropTypedAhead()
  swallow(performance.now())
}

/** The keys that follow are dropped until a pause, Escape or a click: they may be the rest of a sentence. */
export function swallow(at: number): void {
  swallowedUntil = at + pause
  hasSaid = false
}

/** A key that is dropped: the pause begins again. */
export function swallowKey({ timeStamp }: KeyboardEvent): void {
  swallowedUntil = timeStamp + pause
  if (!hasSaid) showToast(texts.errors.swallowed)
  hasSaid = true
}

/** Compares the times of the key presses, because a busy page handles them late. */
export function isSwallowed({ timeStamp }: KeyboardEvent): boolean {
  return timeStamp < swallowedUntil
}

function tellTyped(): void {
  for (const tell of awaiting) tell()
  awaiting.clear()
}

/** Starts an opening; call the returned function with whether it succeeded. */
export function startOpening(): (opened: boolean) => void {
  opening++
  return (opened) =>
    // After the render, and before any further key.
    queueMicrotask(() => {
      opening--
      if (opening > 0) return
      if (opened) pressAgain()
      else loseTypedAhead()
    })
}

/** Used by the component that shows the place. */
export function useOpening(state: 'opening' | 'open' | 'failed'): void {
  const end = useRef<((opened: boolean) => void) | null>(null)
  useLayoutEffect(() => {
    if (state === 'opening') end.current ??= startOpening()
    else {
      end.current?.(state === 'open')
      end.current = null
    }
  }, [state])
  useLayoutEffect(() => () => end.current?.(false), [])
}

/** A key may open another place; the remaining keys then wait for that. */
function pressAgain(): void {
  for (let key = nextKey(); key; key = nextKey()) press(key)
  if (!hasTypedAhead()) tellTyped()
}

function nextKey(): KeyboardEventInit | undefined {
  return isOpening() ? undefined : waiting.shift()
}

function press(key: KeyboardEventInit): void {
  renderNow(() => {
    const target = document.activeElement ?? document.body
    if (!target.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true })))
      return
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      typeInto(target, key.key!)
    else if (key.key === 'Enter' && target.matches('button, a, summary')) (target as HTMLElement).click()
  })
}

export function watchForLeaving(): void {
  addEventListener('pointerdown', dropTypedAhead, { capture: true })
  addEventListener('popstate', dropTypedAhead)
}
