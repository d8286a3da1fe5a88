/** Writes the CSS of a form: a closed list of properties with plain values. */

import { paint, writeColor, type Color } from './css/color.ts'
import type { Style } from './css/style.ts'
import { sidesOf } from './looks.ts'
import type { Box, Looks, Sides } from './tree.ts'

/** Inherited properties as written on the enclosing elements; null where the browser's default sheet resets them. */
export interface Written {
  color: string | null
  size: number | null
  line: string | null
  bold: boolean | null
  italic: boolean
  family: Style['family']
  align: Style['align']
  keeps: boolean
  rtl: boolean
  /** Lines under or through the letters: several of one kind, each at its own height, would cover them. */
  strokes: readonly Stroke[]
}

type Stroke = NonNullable<Looks['stroke']>

/** Font size of text for which a mail sets none. */
export const pageSize = 14
const [smallest, largest] = [9, 60]

export const sizeOf = ({ fontSize, sized }: Style): number =>
  sized ? Math.round(Math.min(largest, Math.max(smallest, fontSize)) * 10) / 10 : pageSize

/** In pixels. */
export const lineHeightOf = (style: Style): number => Number(lineOf(style)) * sizeOf(style)

function lineOf(style: Style): string {
  const { lineHeight, lineHeightIsFactor, fontSize } = style
  if (lineHeight === null) return style.sized ? '1.3' : '1.5'
  const factor = lineHeightIsFactor ? lineHeight : lineHeight / Math.max(1, fontSize)
  return String(Math.round(Math.min(3, Math.max(1.1, factor)) * 100) / 100)
}

/** The declarations needed for text to look like `style` in `ink`; updates `written`. */
export function inheritedDeclarations(style: Style, ink: Color | null, written: Written): string {
  let css = ''
  const color = ink === null ? written.color : writeColor(ink)
  if (color !== written.color) css += `color:${color};`
  const size = sizeOf(style)
  if (size !== written.size) css += `font-size:${size}px;`
  const line = lineOf(style)
  if (line !== written.line) css += `line-height:${line};`
  const { bold, italic, family, align } = style
  if (bold !== written.bold) css += `font-weight:${bold ? 700 : 400};`
  if (italic !== written.italic) css += `font-style:${italic ? 'italic' : 'normal'};`
  if (family !== written.family) css += `font-family:${family ?? 'system-ui,sans-serif'};`
  if (align !== written.align) css += `text-align:${align};`
  const keeps = style.spaces === 'keep'
  if (keeps !== written.keeps) css += `white-space:${keeps ? 'pre-wrap' : 'normal'};`
  Object.assign(written, { color, size, line, bold, italic, family, align, keeps })
  return css
}

/** Pixels left for margins and padding at the sides, shared with all enclosing boxes. */
export interface Room {
  left: number
}

/** Updates `room` and the strokes of `written`. */
export function boxDeclarations(box: Box, parent: Box | null, room: Room, written: Written): string {
  const { looks, level, tag } = box
  let css = ''
  if (box.painted) css += `background-color:${writeColor(box.ground)};`
  if (level === 'inline') return css + inlineDeclarations(box, written)
  if (level !== 'cell' && level !== 'row')
    css += sidesCss(
      'margin',
      marginOf(box, room),
      tag === 'div' || tag === 'li' || tag === 'table' || tag === 'span' || tag === 'a',
    )
  if (level !== 'row' && level !== 'table') css += paddingCss(box, parent, room)
  css += borderCss(box, parent)
  if (looks.radius > 0 && level !== 'row') css += `border-radius:${looks.radius}px;`
  if (level === 'block' && tag === 'a') css += 'display:block;'
  if (level === 'inline-block') css += 'display:inline-block;'
  if (level === 'table' && box.beside) css += 'display:inline-table;'
  css += widthCss(box, parent)
  if (looks.height !== null && level !== 'table')
    css += `${level === 'cell' || level === 'row' ? 'height' : 'min-height'}:${looks.height}px;`
  css += valignCss(box)
  if (level === 'table')
    css += looks.collapse ? 'border-collapse:collapse;' : `border-spacing:${looks.spacing}px;`
  if (tag === 'li' || tag === 'ul' || tag === 'ol') css += markerCss(box, parent)
  if (tag === 'li' && parent && !isMarkerOutside(box, parent)) css += 'list-style-position:inside;'
  return css + strokeCss(box, written)
}

function inlineDeclarations(box: Box, written: Written): string {
  const { looks, painted } = box
  const sides = painted && (looks.padding[1] > 0 || looks.padding[3] > 0)
  const valign = looks.valign === 'sub' || looks.valign === 'super' ? looks.valign : null
  const own = box.tag === 'sub' || box.tag === 'sup'
  return (
    (sides ? `padding:0 ${looks.padding[1]}px 0 ${looks.padding[3]}px;` : '') +
    (valign && !own ? `vertical-align:${valign};` : '') +
    strokeCss(box, written)
  )
}

const ownStroke: Record<string, string | undefined> = { a: 'underline', u: 'underline', s: 'line-through' }

function strokeCss({ tag, level, looks }: Box, written: Written): string {
  // Those around an inline block do not apply in it.
  const around = level === 'inline-block' ? [] : written.strokes
  const stroke = looks.stroke === null || around.includes(looks.stroke) ? 'none' : looks.stroke
  written.strokes = stroke === 'none' ? around : [...around, stroke]
  return stroke === (ownStroke[tag] ?? 'none') ? '' : `text-decoration:${stroke};`
}

function take(room: Room, wanted: number): number {
  const given = Math.min(wanted, Math.max(0, room.left))
  room.left -= given
  return given
}

/** Margins at the sides take from the room; tables and boxes aligned by auto margins have none. */
function marginOf({ looks, tag }: Box, room: Room): Sides {
  const [top, right, bottom, left] = looks.margin
  if (looks.place !== null || tag === 'table') return [top, 0, bottom, 0]
  return [top, take(room, right), bottom, take(room, left)]
}

function sidesCss(name: string, [top, right, bottom, left]: Sides, isZero: boolean): string {
  if (top === 0 && right === 0 && bottom === 0 && left === 0) return isZero ? '' : `${name}:0;`
  if (top === bottom && right === left)
    return top === right ? `${name}:${px(top)};` : `${name}:${px(top)} ${px(right)};`
  return `${name}:${px(top)} ${px(right)} ${px(bottom)} ${px(left)};`
}

const px = (value: number) => (value === 0 ? '0' : `${value}px`)

function paddingCss(box: Box, table: Box | null, room: Room): string {
  const { looks, level, tag } = box
  const [top, right, bottom, left] = looks.padding
  const isList = tag === 'ul' || tag === 'ol'
  const sides: Sides = [
    top,
    take(room, right),
    bottom,
    take(room, isList && !isUnmarked(box) ? Math.max(left, 24) : left),
  ]
  if (level !== 'cell') return sidesCss('padding', sides, !isList)
  return sides.every((side) => side === (table?.cellPadding ?? 1)) ? '' : sidesCss('padding', sides, false)
}

const isUnmarked = ({ style }: Box) => style.marker.startsWith('none')

function borderCss({ looks, ground, level }: Box, table: Box | null): string {
  if (level === 'row') return ''
  const written = looks.border.map((border) =>
    border === null ? null : `${border.width}px ${border.style} ${writeColor(paint(border.color, ground))}`,
  )
  const [top] = written
  if (level === 'cell' && top === null && table?.cellBorder) return 'border:1px solid #bbbbbb;'
  if (written.every((each) => each === top)) return top === null || top === undefined ? '' : `border:${top};`
  return ['top', 'right', 'bottom', 'left']
    .map((side, at) => (written[at] ? `border-${side}:${written[at]};` : ''))
    .join('')
}

/** Narrower boxes would break words into letters. */
const leastWidth = 60
/** In percent of the enclosing box. */
export const leastShare = 15

function widthCss(box: Box, parent: Box | null): string {
  const { looks, level, beside, tag } = box
  const { width, share, maxWidth } = looks
  const most = Math.min(width ?? Number.POSITIVE_INFINITY, maxWidth ?? Number.POSITIVE_INFINITY)
  const bound = Number.isFinite(most) && most >= leastWidth ? most : null
  if (level === 'row') return ''
  if (level === 'cell') return cellWidthCss(looks, parent)
  if (level === 'table' && !beside) {
    if (bound === null) return share !== null && share >= 50 ? `width:${share}%;` : placeCss(looks)
    return `width:100%;max-width:${bound}px;${placeCss(looks)}`
  }
  if (level === 'inline-block' || level === 'table') {
    if (share !== null && share >= leastShare && bound === null)
      return `width:${share}%;box-sizing:border-box;${roomCss(box, sidesOf(box))}`
    if (bound === null) return 'max-width:100%;'
    return `width:${Math.max(bound, roomFor(box) + sidesOf(box))}px;max-width:100%;box-sizing:border-box;`
  }
  if (tag === 'li') return ''
  if (bound !== null) return `max-width:${Math.max(bound, roomFor(box))}px;${placeCss(looks)}`
  if (share === null || share < 30 || share >= 100) return ''
  return `width:${share}%;${roomCss(box, 0)}${placeCss(looks)}`
}

/** Approximate width of the content in pixels: a table reaches out of a narrower box. Rounded, to share classes. */
function roomFor({ least }: Box): number {
  return Math.ceil(least / 20) * 20
}

/** A share of a share may be narrower than a letter, which then leaves its background or is covered by the next box. */
function roomCss(box: Box, sides: number): string {
  return `min-width:min(${roomFor(box) + sides}px,100%);`
}

function placeCss({ place }: Looks): string {
  if (place === null) return ''
  return place === 'center' ? 'margin-left:auto;margin-right:auto;' : 'margin-left:auto;'
}

/** In percent of the table where its width is known, so that all columns shrink evenly. */
function cellWidthCss({ width, share }: Looks, table: Box | null): string {
  if (share !== null) return share >= 1 ? `width:${Math.round(share)}%;` : ''
  if (width === null) return ''
  const whole = table?.looks.width ?? null
  if (whole !== null && whole >= width && width >= leastWidth)
    return `width:${Math.round((100 * width) / whole)}%;`
  return width < leastWidth ? `width:${width}px;` : ''
}

function valignCss({ looks, level, beside }: Box): string {
  const { valign } = looks
  if (level === 'cell') return valign === 'top' || valign === 'bottom' ? `vertical-align:${valign};` : ''
  if (level === 'inline-block' || (level === 'table' && beside))
    return valign === 'middle' || valign === 'bottom' || valign === 'top'
      ? `vertical-align:${valign};`
      : beside
        ? 'vertical-align:top;'
        : ''
  return ''
}

/** A marker to the left of its item has to have room there, and is not on the item's own background. */
function isMarkerOutside(item: Box, list: Box): boolean {
  if (isUnmarked(item)) return true
  const digits = list.tag === 'ol' ? String(item.number ?? 1).length : 0
  const room = Math.max(list.looks.padding[3], 24)
  return !item.painted && !item.style.rtl && (0.65 * digits + 0.6) * sizeOf(item.style) <= room
}

/** Only standard markers are written: those that a sender defines are not part of the mail's text. */
function markerCss(box: Box, parent: Box | null): string {
  const before = parent && (parent.tag === 'ul' || parent.tag === 'ol') ? isUnmarked(parent) : null
  const now = isUnmarked(box)
  if (before === now || (before === null && !now)) return ''
  return `list-style-type:${now ? 'none' : box.tag === 'ol' || parent?.tag === 'ol' ? 'decimal' : 'disc'};`
}
