/** The looks of an element's own box, from the declarations on it. */

import type { Declared } from './css/cascade.ts'
import type { Color } from './css/color.ts'
import { sides } from './css/longhand.ts'
import { colorValue, measuresOf, type Style } from './css/style.ts'
import { parseLength, splitTop, viewport } from './css/value.ts'
import { noLooks, type Border, type Box, type Level, type Looks, type Sides } from './tree.ts'

const mostPadding = 60
const mostMargin = 80
const mostHeight = 200

export interface Display {
  level: Level
  /** A float or an inline table: placed beside its neighbours. */
  beside: boolean
  item: boolean
  arranges: boolean
}

export function displayOf(
  fallback: string,
  declared: Declared | null,
  parentArranges: boolean,
): Readonly<Display> {
  // Most elements have no style of their own.
  if (declared) return readDisplay(fallback, declared, parentArranges)
  const known = parentArranges ? arranged : plain
  let display = known.get(fallback)
  if (!display) known.set(fallback, (display = readDisplay(fallback, null, parentArranges)))
  return display
}

/** Cached by the browser's default display: a closed list. */
const [plain, arranged] = [new Map<string, Readonly<Display>>(), new Map<string, Readonly<Display>>()]

function readDisplay(
  fallback: string,
  declared: Declared | null,
  parentArranges: boolean,
): Readonly<Display> {
  const display = declared?.get('display') ?? fallback
  const position = declared?.get('position')
  const out = position === 'absolute' || position === 'fixed'
  const floats = !out && (declared?.get('float') ?? 'none') !== 'none'
  const arranges = /flex|grid/.test(display)
  const level = levelOf(display)
  const beside = floats && level !== 'cell' && level !== 'row'
  const blocked = level === 'inline' && (out || parentArranges)
  return {
    level: beside && level !== 'table' ? 'inline-block' : blocked ? 'block' : level,
    beside: beside || display === 'inline-table',
    item: display === 'list-item',
    arranges,
  }
}

function levelOf(display: string): Level {
  if (display === 'table' || display === 'inline-table' || display === 'block table') return 'table'
  if (display.startsWith('table-')) {
    if (display === 'table-cell') return 'cell'
    if (display === 'table-row') return 'row'
    return display === 'table-caption' ? 'block' : 'group'
  }
  if (/^inline-|^inline (?:flow-root|flex|grid)|^-webkit-inline/.test(display)) return 'inline-block'
  return /^(?:inline|contents|ruby|math|run-in)/.test(display) ? 'inline' : 'block'
}

const boxNames =
  /^(?:background|padding|margin|border|width|max-width|height|min-height|vertical-align|text-decoration)/

export function readLooks(declared: Declared | null, style: Style, quirks: boolean): Looks {
  if (!declared) return noLooks
  let any = false
  for (const name of declared.keys()) if (boxNames.test(name)) any = true
  if (!any) return noLooks
  const measures = measuresOf(style, quirks)
  const length = (name: string): number | null => parseLength(declared.get(name) ?? '', measures)
  const within = (name: string, most: number) => Math.round(Math.min(most, Math.max(0, length(name) ?? 0)))
  const four = (name: string, most: number) => sides.map((side) => within(`${name}-${side}`, most)) as Sides
  const color = (name: string): Color | null => {
    const value = declared.get(name)
    return value === undefined ? null : colorValue(value, style.color, quirks)
  }
  const size = (name: string): number | null => {
    const value = declared.get(name)
    return value === undefined || value.endsWith('%') ? null : length(name)
  }
  const width = declared.get('width') ?? ''
  const percent = /^([\d.]+)%$/.exec(width)?.[1]
  const image = declared.get('background-image') ?? 'none'
  const ground = color('background-color')
  const isRead = ground !== null || !declared.has('background-color')
  const isText = declared.get('background-clip') === 'text'
  const height = size('height') ?? size('min-height')
  const over = (name: string, most: number) => Math.max(0, (length(name) ?? 0) - most)
  const edge = (side: string) => over(`margin-${side}`, mostMargin) + over(`padding-${side}`, mostPadding)
  return {
    background: isText ? null : ground,
    // A colour that cannot be parsed makes the background a guess, as a picture does.
    backgroundImage: isText || (image === 'none' && isRead) ? null : readStops(image, style, quirks),
    padding: four('padding', mostPadding),
    margin: four('margin', mostMargin),
    place: placeOf(declared),
    border: sides.map((side) => readBorder(side, declared, style, quirks)) as Looks['border'],
    radius: Math.round(
      Math.min(30, parseLength((declared.get('border-radius') ?? '').split(' ')[0] ?? '', measures) ?? 0),
    ),
    width: percent === undefined ? bounded(size('width')) : null,
    share: percent === undefined ? null : Math.min(100, Number(percent)),
    maxWidth: bounded(size('max-width')),
    height: height === null || height < 1 ? null : Math.round(Math.min(mostHeight, height)),
    beyond: [edge('top'), Math.max(0, (height ?? 0) - mostHeight), edge('bottom')],
    valign: valignOf(declared.get('vertical-align')),
    stroke: strokeOf(declared.get('text-decoration-line')),
    collapse: declared.get('border-collapse') === 'collapse',
    spacing: declared.has('border-spacing') ? within('border-spacing', 20) : noLooks.spacing,
  }
}

/** Pixels of padding and borders at the left and right. */
export function sidesOf({ looks: { padding, border } }: Box): number {
  return padding[1] + padding[3] + (border[1]?.width ?? 0) + (border[3]?.width ?? 0)
}

const bounded = (width: number | null) =>
  width === null || width < 1 ? null : Math.round(Math.min(width, 2000))

function placeOf(declared: Declared): Looks['place'] {
  if (declared.get('margin-left') !== 'auto') return null
  return declared.get('margin-right') === 'auto' ? 'center' : 'right'
}

function valignOf(value: string | undefined): Looks['valign'] {
  if (value === 'text-top') return 'top'
  if (value === 'text-bottom') return 'bottom'
  return value === 'top' || value === 'middle' || value === 'bottom' || value === 'sub' || value === 'super'
    ? value
    : null
}

function strokeOf(value: string | undefined): Looks['stroke'] {
  if (value === undefined) return null
  if (value.includes('underline')) return 'underline'
  return value.includes('line-through') ? 'line-through' : 'none'
}

function readBorder(side: string, declared: Declared, style: Style, quirks: boolean): Border | null {
  const kind = declared.get(`border-${side}-style`)
  if (kind === undefined || kind === 'none' || kind === 'hidden') return null
  const word = declared.get(`border-${side}-width`) ?? 'medium'
  const width =
    { thin: 1, medium: 3, thick: 5 }[word] ??
    parseLength(word, measuresOf(style, quirks, viewport.width)) ??
    0
  const color = colorValue(declared.get(`border-${side}-color`) ?? '', style.color, quirks) ?? style.color
  if (width < 0.5 || color.a === 0) return null
  const known = kind === 'dashed' || kind === 'dotted' || kind === 'double' ? kind : 'solid'
  return { width: Math.round(Math.min(30, Math.max(1, width))), style: known, color }
}

/** The colours of a gradient; none for a picture, which is not inspected. */
function readStops(image: string, style: Style, quirks: boolean): Color[] {
  const from = image.indexOf('gradient(')
  if (from < 0) return []
  return splitTop(image.slice(from + 'gradient('.length, image.lastIndexOf(')')).slice(0, 2000), ',').flatMap(
    (part) => {
      const color = splitTop(part, ' ')
        .map((word) => colorValue(word, style.color, quirks))
        .find(Boolean)
      return color && color.a > 0.5 ? [color] : []
    },
  )
}
