/** Whether one run of text can be seen where it stands. */

import { attribute, isHtml } from '../html-document.ts'
import type { Element } from '../html-document.ts'
import { isOutsideDrawing } from './drawing.ts'
import { standsOut } from './ground.ts'
import { widthOf } from './letters.ts'
import type { Frame, Reading } from './reading.ts'
import { drawnSize } from './css/style.ts'
import type { Style } from './css/style.ts'
import { viewport } from './css/value.ts'
import { spend } from '../work.ts'

/** Letters this small (in pixels) are specks. */
const unreadable = 2

export function isSeen(reading: Reading, frame: Frame, text: string): boolean {
  const { computed, scene, element } = frame
  const { style } = computed
  if (!style.visible || style.masked || scene.cover.active) return false
  if (drawnSize(style) * scene.scale <= unreadable) return false
  if (element.tagName === 'details' && attribute(element, 'open') === null) return false
  if (
    !isHtml(element) &&
    (!paintsText(frame, reading) || (isDrawn(element) && isOutsideDrawing(reading, frame, text)))
  )
    return false
  // Letters piled onto one another.
  if (style.letterSpacing < 0 && -style.letterSpacing >= style.fontSize * 0.8) return false
  const away = isAway(reading, frame, text)
  frame.line.advance += widthOf(text, style, 0.65)
  return !away && standsOut(style, isDrawn(element), scene.paint)
}

function isDrawn(element: Element): boolean {
  return element.namespaceURI.endsWith('/svg')
}

/** In a drawing only `<text>` shows text. */
function paintsText(frame: Frame, { frames }: Reading): boolean {
  if (frame.element.namespaceURI.endsWith('MathML')) return true
  for (let at = frames.length - 1; at >= 0; at -= 1) {
    spend(1)
    const name = frames[at]?.element.tagName
    if (name === 'text') return true
    if (name === 'svg' || name === undefined) return false
  }
  return false
}

/** How far from the left edge the text of a centred column may begin. */
const inset = 160

/** Moved over the edge of the page where no scrolling leads: left and up, or right in a page read from the right. */
function isAway(reading: Reading, { computed, scene, line }: Frame, text: string): boolean {
  const { style } = computed
  const { flow } = scene
  const indent = line.first ? line.indent : 0
  const x = flow.x + indent + line.shift + Math.min(line.advance, viewport.width)
  if (reading.rtl) {
    if (x >= viewport.width + 200) return true
  } else if (x < 0) {
    const width = widthOf(text.replaceAll(/\s+/g, ' ').trim(), style, 0.65)
    if (x + Math.min(width, 4000) + (flow.exact ? 0 : inset) <= 0) return true
  }
  if (flow.y >= 0) return false
  const height = (1 + widthOf(text, style, 0.65) / viewport.width) * style.fontSize * 1.3
  return flow.exact ? flow.y + height <= 0 : flow.y <= -1000
}

export function applyCase(text: string, { letters }: Style): string {
  if (letters === 'upper') return text.toUpperCase()
  if (letters === 'lower') return text.toLowerCase()
  if (letters === 'capital')
    return text.replaceAll(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase())
  return text
}
