/** How much of a box that cuts off its overflow can be seen. */

import type { Declared } from './css/cascade.ts'
import type { Box } from './box.ts'
import { parseLength, parseNumber, viewport } from './css/value.ts'
import type { Measures } from './css/value.ts'

/** Smaller than this, even a box that scrolls shows nothing. */
const speck = 2

/** Null where nothing is cut off. */
export function boxExtent(
  box: Box,
  declared: Declared,
  parentDeclared: Declared | null,
  measures: Measures,
  indent: number,
): { width: number; height: number } | null {
  // Tables and their parts grow with their content, whatever their size says.
  if (box.display.startsWith('table') && box.display !== 'table-caption') return null
  const contain = declared.get('contain') ?? ''
  const paints = /paint|strict|content/.test(contain)
  let overflowX = paints ? 'clip' : (declared.get('overflow-x') ?? 'visible')
  let overflowY = paints ? 'clip' : (declared.get('overflow-y') ?? 'visible')
  if (overflowX === 'visible' && overflowY === 'visible') return null
  if (overflowX === 'visible' && overflowY !== 'clip') overflowX = 'auto'
  if (overflowY === 'visible' && overflowX !== 'clip') overflowY = 'auto'
  const inFlex = parentDeclared?.get('display')?.includes('flex') === true
  const grows = inFlex && (parseNumber(declared.get('flex-grow') ?? '0') ?? 0) > 0
  const basis = inFlex ? declared.get('flex-basis') : undefined
  const sized = /size|strict/.test(contain) || declared.get('container-type') === 'size'
  const flatBasis = !grows && basis !== undefined && parseLength(basis, measures) === 0
  const width = cut(
    overflowX,
    Math.min(side(declared, 'width', measures, grows, flatBasis), roomLeft(declared, measures, indent)),
  )
  const rows = parentDeclared?.get('display')?.includes('grid')
    ? parentDeclared.get('grid-template-rows')
    : undefined
  const own = box.display.includes('grid') ? declared.get('grid-template-rows') : undefined
  const flat =
    (rows !== undefined && /^0(?:px|fr|%)?(?:\s|$)/.test(rows)) ||
    (own !== undefined && /^0(?:px)?$/.test(own))
  const height = cut(overflowY, side(declared, 'height', measures, grows, sized || flat))
  const clampLines = declared.get('-webkit-line-clamp')
  const lines =
    clampLines === undefined || !box.display.includes('box')
      ? Infinity
      : Number.parseInt(clampLines, 10) || Infinity
  const limit = lines * measures.fontSize * 1.2
  return width === Infinity && height === Infinity && limit === Infinity
    ? null
    : { width, height: Math.min(height, limit) }
}

/** A first line, or a padding, as wide as the page leaves none of it for the text. */
function roomLeft(declared: Declared, measures: Measures, indent: number): number {
  const padding = parseLength(declared.get('padding-left') ?? '', { ...measures, percent: viewport.width })
  if ((padding ?? 0) >= viewport.width) return 0
  return indent >= viewport.width ? viewport.width : Infinity
}

/** Scrolling brings the rest into view, unless there is no box to scroll in. */
function cut(overflow: string, extent: number): number {
  if (overflow === 'hidden' || overflow === 'clip') return extent
  return overflow !== 'visible' && extent <= speck ? extent : Infinity
}

/** Pixels from where content starts to where the padding ends. */
function side(
  declared: Declared,
  name: 'width' | 'height',
  measures: Measures,
  grows: boolean,
  empty: boolean,
): number {
  const percent = name === 'width' ? 800 : null
  const length = (property: string) => parseLength(declared.get(property) ?? '', { ...measures, percent })
  let size = grows ? null : length(name)
  if (size === null && empty) size = 0
  const max = length(`max-${name}`)
  const min = length(`min-${name}`) ?? 0
  if (size === null && max === null) return Infinity
  const [start, end] = name === 'width' ? ['left', 'right'] : ['top', 'bottom']
  const before = parseLength(declared.get(`padding-${start}`) ?? '', { ...measures, percent: 800 }) ?? 0
  const after = parseLength(declared.get(`padding-${end}`) ?? '', { ...measures, percent: 800 }) ?? 0
  let inner = Math.max(min, Math.min(size ?? Infinity, max ?? Infinity))
  if (declared.get('box-sizing') === 'border-box') inner = Math.max(0, inner - before - after)
  return inner + after
}
