/** Where the letters of an SVG drawing stand, to tell those that lie outside of it. */

import { attribute } from '../html-document.ts'
import type { Element } from '../html-document.ts'
import type { Frame, Reading } from './reading.ts'
import { widthOf } from './letters.ts'
import { spend } from '../work.ts'

/** Units of the drawing to pixels, and where its origin lies. */
interface Space {
  scaleX: number
  scaleY: number
  x: number
  y: number
}

const defaultSize = { width: 300, height: 150 }
/** Letters this small (in pixels) are specks. */
const speck = 2

/** True only where it is sure; turned and skewed drawings are not followed. */
export function isOutsideDrawing({ frames }: Reading, frame: Frame, text: string): boolean {
  const top = frames.findLastIndex(({ element }) => element.tagName === 'svg')
  spend(20 * (frames.length - top))
  const drawing = frames[top]
  if (!drawing || clipsNothing(drawing)) return false
  const size = { width: sizeOf(drawing, 'width'), height: sizeOf(drawing, 'height') }
  const space = startSpace(drawing.element, size)
  if (!space) return false
  let [x, y] = [0, 0]
  let anchored = false
  for (const { element, computed } of frames.slice(top + 1)) {
    if (!applyTransform(space, attribute(element, 'transform') ?? '')) return false
    anchored ||= attribute(element, 'text-anchor') !== null || computed.declared?.has('text-anchor') === true
    if (element.tagName !== 'text' && element.tagName !== 'tspan') continue
    const place = (name: string) => contextOf(element, name)
    const [ownX, ownY, dx, dy] = [place('x'), place('y'), place('dx'), place('dy')]
    if ([ownX, ownY, dx, dy].some(Number.isNaN)) return false
    x = (ownX ?? x) + (dx ?? 0)
    y = (ownY ?? y) + (dy ?? 0)
  }
  const { style } = frame.computed
  if (style.fontSize * Math.min(Math.abs(space.scaleX), Math.abs(space.scaleY)) <= speck) return true
  const letters = style.fontSize * space.scaleY
  const width = widthOf(text.trim(), style, 0.65) * space.scaleX + frame.line.advance
  const left = space.x + x * space.scaleX
  const base = space.y + y * space.scaleY
  return (
    left + width <= 0 ||
    left - (anchored ? width : 0) >= size.width ||
    base + 0.35 * letters <= 0 ||
    base - 1.1 * letters >= size.height
  )
}

function clipsNothing({ computed: { declared } }: Frame): boolean {
  return (declared?.get('overflow-x') ?? 'hidden') === 'visible'
}

function sizeOf({ element, computed: { declared } }: Frame, side: 'width' | 'height'): number {
  const written = declared?.get(side) ?? attribute(element, side)
  if (written === null) return defaultSize[side]
  const size = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(written)?.[1]
  return size === undefined ? Infinity : Number(size)
}

function startSpace(svg: Element, { width, height }: { width: number; height: number }): Space | null {
  const box = attribute(svg, 'viewBox') ?? attribute(svg, 'viewbox')
  if (box === null) return { scaleX: 1, scaleY: 1, x: 0, y: 0 }
  const [left = 0, top = 0, wide = 0, high = 0] = box
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number)
  if (attribute(svg, 'preserveAspectRatio') !== null || !(wide > 0 && high > 0)) return null
  if (width === Infinity || height === Infinity) return null
  const scale = Math.min(width / wide, height / high)
  return {
    scaleX: scale,
    scaleY: scale,
    x: (width - wide * scale) / 2 - left * scale,
    y: (height - high * scale) / 2 - top * scale,
  }
}

/** False for what is not followed. */
function applyTransform(space: Space, transform: string): boolean {
  spend(4 * transform.length)
  const calls = [...transform.matchAll(/([a-z]+)\s*\(([^()]*)\)/gi)]
  for (const [, name = '', body = ''] of calls) {
    const [a = 0, b] = body
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number.parseFloat)
    if (name === 'translate') {
      space.x += a * space.scaleX
      space.y += (b ?? 0) * space.scaleY
    } else if (name === 'scale') {
      if (a < 0 || (b ?? a) < 0) return false
      space.scaleX *= a
      space.scaleY *= b ?? a
    } else return false
  }
  return true
}

/** The first of a list of places; null where none is given, not a number where it cannot be told. */
function contextOf(element: Element, name: string): number | null {
  const first = attribute(element, name)
    ?.trim()
    .split(/[\s,]+/)[0]
  if (first === undefined || first === '') return null
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:px)?$/.test(first) ? Number.parseFloat(first) : Number.NaN
}
