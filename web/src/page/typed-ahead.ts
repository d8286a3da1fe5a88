import { useLayoutEffect, useRef } from 'preact/hooks'
import { typeInto } from './field.ts'
import { renderNow } from './render-now.ts'

/**
 * Keys typed while a place is opening belong to that place: they are queued here and replayed in order once it is
 * shown. Navigating elsewhere, or a failure to open, drops them.
 */
const waiting: KeyboardEventInit[] = []
let opening = 0

export function isOpening(): boolean {
  return opening > 0
}

export function hasTypedAhead(): boolean {
  return waiting.length > 0
}

export function typeAhead({ key, shiftKey }: KeyboardEvent): void {
  waiting.push({ key, shiftKey })
}

export function dropTypedAhead(): void {
  waiting.length = 0
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
      else dropTypedAhead()
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
