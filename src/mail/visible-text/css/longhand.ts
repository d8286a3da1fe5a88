/** Declarations brought to the few plain properties that decide what can be seen; what a browser would refuse is left out. */

import { lexer } from 'css-tree'
import { parseColor } from './color.ts'
import { isMath } from './math.ts'
import { splitOffset } from './offset-path.ts'
import { isSubstituted } from './substitution.ts'
import type { Declaration } from './sheet.ts'
import { parseLength, parseNumber, splitTop } from './value.ts'

const wide = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer'])
export const isWide = (value: string): boolean => wide.has(value)

const lengthNames = new Set(
  (
    'width height min-width min-height max-width max-height top right bottom left text-indent letter-spacing ' +
    'word-spacing padding-top padding-right padding-bottom padding-left margin-top margin-right margin-bottom ' +
    'margin-left font-size line-height'
  ).split(' '),
)
const colorNames = new Set([
  'color',
  'background-color',
  '-webkit-text-fill-color',
  '-webkit-text-stroke-color',
])
const checkedBySyntax = new Set(
  (
    'transform scale rotate translate filter clip clip-path mask-image mix-blend-mode contain content-visibility ' +
    'position float overflow-x overflow-y visibility text-transform text-shadow white-space background-image ' +
    'background-clip z-index box-sizing backface-visibility animation-name animation-duration animation-delay ' +
    'animation-iteration-count animation-fill-mode animation-play-state animation-direction flex-basis flex-grow ' +
    'direction isolation grid-template-rows grid-template-columns border-spacing'
  ).split(' '),
)
const passed = new Set(
  (
    'display opacity zoom content font-size-adjust -webkit-text-stroke-width -webkit-text-security ' +
    '-webkit-line-clamp list-style-type color-scheme fill fill-opacity stroke stroke-width container-type all ' +
    'text-wrap-mode font-family offset-path offset-distance'
  ).split(' '),
)

/** Other spellings of the same, in a page written left to right and top to bottom. */
const aliases: Record<string, string | undefined> = {
  'inline-size': 'width',
  'block-size': 'height',
  'min-inline-size': 'min-width',
  'min-block-size': 'min-height',
  'max-inline-size': 'max-width',
  'max-block-size': 'max-height',
  'inset-inline-start': 'left',
  'inset-inline-end': 'right',
  'inset-block-start': 'top',
  'inset-block-end': 'bottom',
  'margin-inline-start': 'margin-left',
  'margin-inline-end': 'margin-right',
  'margin-block-start': 'margin-top',
  'margin-block-end': 'margin-bottom',
  'padding-inline-start': 'padding-left',
  'padding-inline-end': 'padding-right',
  'padding-block-start': 'padding-top',
  'padding-block-end': 'padding-bottom',
  '-webkit-margin-start': 'margin-left',
  'overflow-inline': 'overflow-x',
  'overflow-block': 'overflow-y',
  'text-wrap': 'text-wrap-mode',
}
const prefixed =
  /^-webkit-(?=transform$|filter$|clip-path$|mask|opacity$|animation|box-sizing$|background-clip$|backface|flex)/

const displays =
  /^(?:none|contents|block|inline|flow-root|inline-block|run-in|list-item|flex|inline-flex|grid|inline-grid|ruby|ruby-text|math|table|inline-table|table-(?:row|cell|column|caption|row-group|header-group|footer-group|column-group)|-webkit-(?:inline-)?(?:box|flex)|(?:block|inline)(?: (?:flow|flow-root|flex|grid|table|ruby|math|list-item))+|(?:flow|flow-root|flex|grid|table) (?:block|inline)|list-item (?:block|inline|flow)+)$/

const measures = { fontSize: 16, rootFontSize: 16, percent: 1, quirks: false }
const verdicts = new Map<string, boolean>()

export interface Longhand {
  name: string
  value: string
  important: boolean
}

export function expandAll(declarations: Declaration[], quirks: boolean): Longhand[] {
  const result: Longhand[] = []
  for (const { name, value, important } of declarations) {
    if (name.startsWith('--')) {
      result.push({ name, value, important })
      continue
    }
    const add = (name: string, value: string) => {
      const plain = aliases[name] ?? name
      if (isValid(plain, value, quirks)) result.push({ name: plain, value, important })
    }
    const lower = value.includes('url(') ? value.trim() : value.trim().toLowerCase()
    expand(name.replace(prefixed, ''), lower, quirks, add)
  }
  return result
}

export function isValid(name: string, value: string, quirks: boolean): boolean {
  if (value === '') return false
  if (wide.has(value) || isSubstituted(value)) return true
  if (lengthNames.has(name)) {
    if (/^[a-z-]+$/.test(value)) return true
    if (/^(?:fit-content|anchor)/.test(value)) return true
    if (name === 'line-height' && parseNumber(value) !== null) return true
    const length = parseLength(value, { ...measures, quirks })
    if (length === null) return isMath(value)
    return length >= 0 || !/^(?:width|height|min-|max-|padding|font)/.test(name)
  }
  if (colorNames.has(name)) return colorOf(value, quirks)
  if (name === 'display') return displays.test(value)
  if (name === 'opacity' || name === 'zoom' || name === 'flex-grow')
    return value === 'normal' || parseNumber(value) !== null
  if (checkedBySyntax.has(name)) return matchesSyntax(name, value)
  return passed.has(name)
}

function colorOf(value: string, quirks: boolean): boolean {
  if (value === 'currentcolor' || parseColor(value) !== null) return true
  if (quirks && /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/.test(value)) return true
  // Relative to a colour that only its place knows.
  return (
    /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|contrast-color)\(/.test(value) &&
    value.endsWith(')') &&
    value.includes('currentcolor')
  )
}

function matchesSyntax(name: string, value: string): boolean {
  const key = `${name}:${value}`
  const known = verdicts.get(key)
  if (known !== undefined) return known
  if (verdicts.size > 5000) verdicts.clear()
  const verdict = value.length < 2000 && lexer.matchProperty(name, value).error === null
  verdicts.set(key, verdict)
  return verdict
}

const sides = ['top', 'right', 'bottom', 'left'] as const
type Add = (name: string, value: string) => void

function expand(name: string, value: string, quirks: boolean, add: Add): void {
  switch (name) {
    case 'margin':
    case 'padding':
      return addSides(value, (side) => `${name}-${side}`, add)
    case 'inset':
      return addSides(value, (side) => side, add)
    case 'margin-inline':
    case 'padding-inline':
    case 'inset-inline':
      return addPair(value, `${name}-start`, `${name}-end`, add)
    case 'margin-block':
    case 'padding-block':
    case 'inset-block':
      return addPair(value, `${name}-start`, `${name}-end`, add)
    case 'overflow':
      return addPair(value, 'overflow-x', 'overflow-y', add)
    case 'background':
      return addBackground(value, quirks, add)
    case 'font':
      return addFont(value, add)
    case 'mask':
      return add('mask-image', splitTop(value, ',').flatMap(imageOf).join(', ') || 'none')
    case 'list-style':
      return add('list-style-type', /\bnone\b/.test(value) ? 'none' : value)
    case '-webkit-text-stroke':
      return addStroke(value, quirks, add)
    case 'flex':
      return addFlex(value, add)
    case 'animation':
      return addAnimation(value, add)
    case 'offset': {
      const { path, distance } = splitOffset(value)
      add('offset-path', path)
      return add('offset-distance', distance)
    }
    case 'text-wrap':
      return add('text-wrap-mode', value)
    case 'container':
      return add('container-type', value.split('/')[1]?.trim() ?? 'normal')
    default:
      return add(name, value)
  }
}

function addSides(value: string, nameOf: (side: string) => string, add: Add): void {
  const parts = splitTop(value, ' ')
  const [top = '', right = top, bottom = top, left = right] = parts
  if (parts.length > 4) return
  const values = [top, right, bottom, left]
  for (const [at, side] of sides.entries()) add(nameOf(side), values[at] ?? '')
}

function addPair(value: string, first: string, second: string, add: Add): void {
  const parts = splitTop(value, ' ')
  const [one = '', two = one] = parts
  if (parts.length > 2) return
  add(first, one)
  add(second, two)
}

function imageOf(layer: string): string[] {
  return splitTop(layer, ' ').filter((part) =>
    /^(?:url|(?:-webkit-)?(?:repeating-)?[a-z]+-gradient|image|image-set|element|cross-fade|src|paint)\(/i.test(
      part,
    ),
  )
}

function addBackground(value: string, quirks: boolean, add: Add): void {
  if (wide.has(value) || isSubstituted(value)) {
    for (const part of ['color', 'image', 'clip']) add(`background-${part}`, value)
    return
  }
  if (!matchesSyntax('background', value) && !quirks && !/light-dark|contrast-color|from\b/.test(value))
    return
  const layers = splitTop(value, ',')
  const words = splitTop(layers[layers.length - 1] ?? '', ' ').flatMap((part) => splitTop(part, '/'))
  const color = words.find((part) => part !== '' && colorOf(part.toLowerCase(), quirks))
  add('background-color', color?.toLowerCase() ?? 'transparent')
  add('background-image', layers.flatMap(imageOf).join(', ') || 'none')
  add('background-clip', /(?:^|[\s,])text(?:$|[\s,])/i.test(value) ? 'text' : 'border-box')
}

const systemFonts = new Set(['caption', 'icon', 'menu', 'message-box', 'small-caption', 'status-bar'])
const sizeWords = /^(?:(?:xx?|xxx)-(?:small|large)|small|medium|large|smaller|larger)$/

function addFont(value: string, add: Add): void {
  if (wide.has(value) || isSubstituted(value)) {
    add('font-size', value)
    add('line-height', value)
    return
  }
  if (systemFonts.has(value)) return add('font-size', 'small')
  const oneWord = value.split('/').map((part) => part.trim())
  const parts = splitTop(oneWord.join('/'), ' ')
  const at = parts.findIndex(
    (part) => sizeWords.test(part) || (/^[\d.+-]/.test(part) && !/^\d00$/.test(part)) || isMath(part),
  )
  const [size = '', height = 'normal'] = splitTop(parts[at] ?? '', '/')
  // A family must follow, or the whole is refused.
  if (at < 0 || at + 1 >= parts.length) return
  add('font-size', size)
  add('line-height', height)
  add('font-size-adjust', 'none')
  add('font-family', parts.slice(at + 1).join(' '))
}

function addStroke(value: string, quirks: boolean, add: Add): void {
  for (const part of splitTop(value, ' ')) {
    add(colorOf(part, quirks) ? '-webkit-text-stroke-color' : '-webkit-text-stroke-width', part)
  }
}

function addFlex(value: string, add: Add): void {
  if (value === 'none' || value === 'auto') return add('flex-basis', 'auto')
  const parts = splitTop(value, ' ')
  const numbers = parts.filter((part) => /^[\d.]+$/.test(part))
  const basis = parts.find((part) => !/^[\d.]+$/.test(part)) ?? (numbers.length > 2 ? numbers[2] : '0px')
  add('flex-grow', numbers[0] ?? '1')
  add('flex-basis', basis ?? '0px')
}

/** Only the first animation of a list. */
function addAnimation(value: string, add: Add): void {
  const times: string[] = []
  let name = 'none'
  let fill = 'none'
  let count = '1'
  let state = 'running'
  let direction = 'normal'
  for (const part of splitTop(splitTop(value, ',')[0] ?? '', ' ')) {
    if (/^[+-]?[\d.]+m?s$/.test(part)) times.push(part)
    else if (/^[\d.]+$|^infinite$/.test(part)) count = part
    else if (/^(?:forwards|backwards|both)$/.test(part)) fill = part
    else if (/^(?:paused|running)$/.test(part)) state = part
    else if (/^(?:normal|(?:alternate-)?reverse|alternate)$/.test(part)) direction = part
    else if (!/^(?:linear|ease.*|step.*|steps\(.*|cubic-bezier\(.*|none)$/.test(part)) name = part
  }
  add('animation-name', name)
  add('animation-duration', times[0] ?? '0s')
  add('animation-delay', times[1] ?? '0s')
  add('animation-fill-mode', fill)
  add('animation-iteration-count', count)
  add('animation-play-state', state)
  add('animation-direction', direction)
}
