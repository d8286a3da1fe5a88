/** How an element is laid out. */

import type { Declared } from './css/cascade.ts'

export interface Box {
  display: string
  /** Laid out as a block of its own, so that sizes, clipping and transforms hold. */
  boxed: boolean
  /** Taken out of the flow. */
  floating: boolean
}

/** Flexible boxes and grids lay out each child as a box of its own. */
export function arrangesItems(display: string): boolean {
  if (display === 'block' || display === 'inline' || display.startsWith('table')) return false
  return display.includes('flex') || display.includes('grid')
}

export function boxOf(defaultDisplay: string, declared: Declared | null, parentDisplay: string): Box {
  const display = declared?.get('display') ?? defaultDisplay
  const position = declared?.get('position')
  const out = position === 'absolute' || position === 'fixed'
  const floats = (declared?.get('float') ?? 'none') !== 'none'
  const item = arrangesItems(parentDisplay)
  const boxed = out || floats || item || (display !== 'inline' && !display.startsWith('ruby'))
  return { display: boxed && display === 'inline' ? 'block' : display, boxed, floating: out || floats }
}

export function isBlock(box: Box): boolean {
  return box.boxed && !box.display.startsWith('inline') && box.display !== 'contents'
}
