/** Follows text down a box that cuts off its overflow, to tell what still fits. */

import type { Frame } from './reading.ts'
import { isBlock } from './box.ts'
import type { Window } from './scene.ts'
import { widthOf } from './letters.ts'
import type { Style } from './css/style.ts'
import { parseLength, viewport } from './css/value.ts'
import { spend } from '../work.ts'

/** Narrow letters: text counts as cut off only where it surely is. */
const narrow = 0.36

function lineHeight({ lineHeight, lineHeightIsFactor, fontSize }: Style): number {
  return lineHeightIsFactor ? lineHeight * fontSize : lineHeight
}

function edge(frame: Frame, name: string): number {
  const value = frame.computed.declared?.get(name)
  if (value === undefined) return 0
  const { fontSize, rootFontSize } = frame.computed.style
  return Math.max(
    0,
    parseLength(value, { fontSize, rootFontSize, percent: viewport.width, quirks: false }) ?? 0,
  )
}

export function flowStart(frame: Frame, parent: Frame): void {
  const { window } = frame.scene.flow
  if (!window) return
  if (frame.element.tagName === 'br') endLine(window, frame.computed.style, true)
  if (!isBlock(frame.box)) return
  endLine(window, frame.computed.style, false)
  frame.flowStart = window.y
  // A box that cuts off counts from inside its own padding.
  if (window === parent.scene.flow.window) window.y += edge(frame, 'margin-top') + edge(frame, 'padding-top')
}

export function flowEnd(frame: Frame, parent: Frame): void {
  const { window } = frame.scene.flow
  if (!window || !isBlock(frame.box)) return
  endLine(window, frame.computed.style, false)
  const outer = parent.scene.flow.window
  if (window !== outer) {
    if (outer && !window.detached && !frame.beside) outer.y += Math.min(window.height, window.y)
    return
  }
  // What stands beside its siblings does not push them down.
  if (frame.beside) window.y = frame.flowStart
  else window.y = Math.max(window.y + edge(frame, 'padding-bottom'), frame.flowStart + edge(frame, 'height'))
}

function endLine(window: Window, style: Style, forced: boolean): void {
  if (window.x > 0 || forced)
    window.y += lineHeight(style) * Math.max(1, Math.ceil(window.x / widthIn(window)))
  window.x = 0
}

function widthIn(window: Window): number {
  return window.width === Infinity ? viewport.width : Math.max(1, window.width)
}

/** Cuts a run of text into what fits the box around it and what does not. */
export function* flowText(frame: Frame, text: string): Generator<{ part: string; shown: boolean }> {
  const { window } = frame.scene.flow
  const { style } = frame.computed
  if (!window) {
    yield { part: text, shown: true }
    return
  }
  if (isTooSmall(window, style)) {
    yield { part: text, shown: false }
    return
  }
  for (const part of text.match(/\s*\S{1,40}|\s+$/g) ?? []) {
    yield { part, shown: fits(window, style, frame.line.first ? frame.line.indent : 0) }
    window.x += widthOf(part, style, narrow)
  }
}

/** So narrow that not even a first letter shows. */
function isTooSmall(window: Window, style: Style): boolean {
  for (let at: Window | null = window; at; at = at.parent) {
    spend(1)
    if (at.width <= Math.max(2, style.fontSize * 0.12)) return true
  }
  return false
}

function fits(window: Window, style: Style, indent: number): boolean {
  const height = lineHeight(style)
  const ink = Math.max(0, (height - style.fontSize) / 2) + style.fontSize * 0.15
  let y = ink
  let x = 0
  for (let at: Window | null = window; at; at = at.parent) {
    spend(1)
    const line = style.wraps ? Math.floor(at.x / widthIn(at)) : 0
    y += at.y + line * height
    x += at.x
    if (y >= at.height) return false
    if (!style.wraps && x + indent >= at.width) return false
    if (at.detached && at.parent) {
      if (y >= at.parent.height || x >= at.parent.width) return false
      return true
    }
  }
  return true
}
