/** Boxes laid over others: what lies under an opaque one is not seen. */

import type { Declared } from './cascade.ts'
import { parseColor } from './color.ts'
import type { Frame, Reading } from './reading.ts'
import { arrangesItems } from './box.ts'
import type { Box } from './box.ts'
import type { Scene } from './scene.ts'
import { parseLength, parseNumber, viewport } from './value.ts'

/** How many elements up a box is looked for. */
const farthest = 300

interface Entered {
  box: Box
  declared: Declared
  scene: Scene
}

export function findCover(reading: Reading, parent: Frame, entered: Entered): void {
  const { declared, scene } = entered
  const position = declared.get('position') ?? 'static'
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
  for (let at = positionedCover.start; at < reading.pieces.length; at += 1) {
    const piece = reading.pieces[at]
    if (piece?.kind !== 'text' || piece.hidden || piece.zIndex > zIndex) continue
    piece.hidden = true
    reading.hidden += piece.text.replaceAll(/\s+/g, '').length
  }
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
