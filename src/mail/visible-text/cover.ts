/** Boxes laid over others: what lies under an opaque one is not seen. */

import type { Declared } from './css/cascade.ts'
import { parseColor } from './css/color.ts'
import { readTransform } from './css/clip.ts'
import { widthOf } from './letters.ts'
import type { Before, Frame, Reading } from './reading.ts'
import { arrangesItems, isBlock } from './box.ts'
import type { Box } from './box.ts'
import type { Scene } from './scene.ts'
import { parseLength, parseNumber, viewport } from './css/value.ts'
import { spend } from '../work.ts'

/** How many elements up a box is looked for. */
const farthest = 300

interface Entered {
  box: Box
  declared: Declared
  scene: Scene
}

export function findCover(reading: Reading, parent: Frame, entered: Entered): void {
  const { declared, scene, box } = entered
  const position = declared.get('position') ?? 'static'
  if (isBlock(box) && !box.floating && parent.before && isPulledOver(parent.before, declared))
    hidePieces(reading, parent.before.from, parent.before.to, 0)
  const layered = position !== 'static' || arrangesItems(parent.box.display)
  if (!layered) return
  const zIndex = Number.parseInt(declared.get('z-index') ?? '0', 10) || 0
  if (zIndex < 0) {
    if (liesUnder(reading)) scene.gone = true
    return
  }
  if (position !== 'absolute' && position !== 'fixed') return
  if (!isOpaque(declared) || !coversAll(declared)) return
  const { positionedCover } = parent.scene
  positionedCover.active = true
  hidePieces(reading, positionedCover.start, reading.pieces.length, zIndex)
}

function hidePieces(reading: Reading, from: number, to: number, zIndex: number): void {
  spend(to - from)
  for (let at = from; at < to; at += 1) {
    const piece = reading.pieces[at]
    if (piece?.kind !== 'text' || piece.hidden || piece.zIndex > zIndex) continue
    piece.hidden = true
    reading.hidden += piece.text.replaceAll(/\s+/g, '').length
  }
}

const measures = { fontSize: 16, rootFontSize: 16, percent: null, quirks: false }
const pixels = (declared: Declared, name: string) => parseLength(declared.get(name) ?? '', measures)

/** What a later sibling could be pulled over: a block of known height that its text surely fits into. */
export function lookBack({ pieces }: Reading, { computed, box, start, scene }: Frame): Before | null {
  const { declared, style } = computed
  const height = declared && isBlock(box) && !box.floating ? pixels(declared, 'height') : null
  if (!declared || height === null || /absolute|fixed/.test(declared.get('position') ?? '') || scene.gone)
    return null
  spend(2 * (pieces.length - start))
  const own = pieces.slice(start).filter(({ kind }) => kind !== 'link' && kind !== 'link-end')
  // The first only says that the block itself begins.
  own.shift()
  const text = own.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
  spend(text.length >> 2)
  const breaks = own.filter(({ kind }) => kind === 'break' || kind === 'block').length
  const lines = 1 + breaks + Math.floor(widthOf(text, style, 0.65) / (viewport.width / 2))
  if (lines * Math.max(style.fontSize * 1.2, style.lineHeightIsFactor ? 0 : style.lineHeight) > height + 6)
    return null
  // What an element of another kind has below itself by custom is not known here.
  return { from: start, to: pieces.length, height, marginBottom: pixels(declared, 'margin-bottom') ?? 0 }
}

/** Moved up by at least the height of the block before it, opaque, painted later, and large enough to hide it all. */
function isPulledOver(before: Before, declared: Declared): boolean {
  const isRelative = /relative|sticky/.test(declared.get('position') ?? '')
  const transform = declared.get('transform') ?? 'none'
  if ((!isRelative && transform === 'none') || !isOpaque(declared)) return false
  if (Number.parseInt(declared.get('z-index') ?? '0', 10) < 0) return false
  const width = declared.get('width')
  if (width !== undefined && width !== 'auto' && width !== '100%') return false
  const moved = readTransform(transform, { width: viewport.width, height: 0 }, measures)
  if (moved.scale !== 1 || moved.x !== 0) return false
  const shift = isRelative ? (pixels(declared, 'top') ?? 0) : 0
  const sideways = ['left', 'right', 'margin-left', 'margin-right'].some(
    (name) => (pixels(declared, name) ?? 0) !== 0,
  )
  const rise = -((pixels(declared, 'margin-top') ?? 0) + before.marginBottom + shift + moved.y)
  return !sideways && rise >= before.height - 1 && (pixels(declared, 'height') ?? 0) >= rise - 1
}

function isOpaque(declared: Declared): boolean {
  const color = parseColor(declared.get('background-color') ?? 'transparent')
  return color !== null && color.a > 0.95 && (parseNumber(declared.get('opacity') ?? '1') ?? 1) > 0.95
}

function coversAll(declared: Declared): boolean {
  const length = (name: string, percent: number) =>
    parseLength(declared.get(name) ?? '', { fontSize: 16, rootFontSize: 16, percent, quirks: false })
  const atStart = (name: string) => (length(name, 100) ?? 0) <= 0
  const reaches = (end: string, size: string, whole: number) => {
    const edge = length(end, whole)
    const extent = length(size, whole)
    return (edge !== null && edge <= 0) || (extent !== null && extent >= whole)
  }
  return (
    atStart('top') &&
    atStart('left') &&
    reaches('right', 'width', viewport.width * 0.9) &&
    reaches('bottom', 'height', viewport.height * 0.9)
  )
}

/** Behind the ground of a box that holds it, unless that box makes a layer of its own. */
function liesUnder({ frames }: Reading): boolean {
  for (let at = frames.length - 1; at >= Math.max(0, frames.length - farthest); at -= 1) {
    spend(4)
    const frame = frames[at]
    const declared = frame?.computed.declared
    if (!frame || frame.element.tagName === 'body' || frame.element.tagName === 'html') return false
    if (!declared) continue
    if (makesLayer(declared)) return false
    if (isOpaque(declared)) return true
  }
  return false
}

function makesLayer(declared: Declared): boolean {
  const set = (name: string) => (declared.get(name) ?? 'none') !== 'none'
  const positioned = (declared.get('position') ?? 'static') !== 'static'
  return (
    (positioned && /^-?\d/.test(declared.get('z-index') ?? '')) ||
    /fixed|sticky/.test(declared.get('position') ?? '') ||
    declared.get('isolation') === 'isolate' ||
    (parseNumber(declared.get('opacity') ?? '1') ?? 1) < 1 ||
    set('transform') ||
    set('filter') ||
    set('clip-path') ||
    set('mask-image')
  )
}
