/** Declarations brought to the properties that the normal form can say, or that decide what it leaves out. */

import { parseColor } from './color.ts'
import { isMath } from './math.ts'
import { isSubstituted } from './substitution.ts'
import type { Declaration } from './sheet.ts'
import { parseLength, parseNumber, splitTop } from './value.ts'

const wide = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer'])
export const isWide = (value: string): boolean => wide.has(value)

export interface Longhand {
  name: string
  value: string
  important: boolean
}

const sides = ['top', 'right', 'bottom', 'left'] as const

type Check = (value: string, quirks: boolean) => boolean
const checks = new Map<string, Check>()
const know = (names: string, check: Check) => {
  for (const name of names.split(' ')) checks.set(name, check)
}
const oneOf = (pattern: string): Check => {
  const whole = new RegExp(`^(?:${pattern})$`)
  return (value) => whole.test(value)
}
const each = (name: (side: string) => string) => sides.map(name).join(' ')

const measures = { fontSize: 16, rootFontSize: 16, percent: 1, quirks: false }
const isLength = (signed: boolean, words: string): Check => {
  const word = new RegExp(`^(?:${words}|-webkit-[a-z-]+|(?:min|max|fit)-content|stretch)$`)
  return (value, quirks) => {
    if (word.test(value)) return true
    const length = parseLength(value, { ...measures, quirks })
    return length === null ? isMath(value) : signed || length >= 0
  }
}
const isColor: Check = (value, quirks) =>
  value === 'currentcolor' ||
  parseColor(value) !== null ||
  (quirks && /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/.test(value))
const anything: Check = () => true

know(`color background-color -webkit-text-fill-color ${each((side) => `border-${side}-color`)}`, isColor)
know(`width height ${each((side) => `padding-${side}`)}`, isLength(false, 'auto'))
know('max-width max-height min-width min-height', isLength(false, 'none|auto'))
know(`left top text-indent ${each((side) => `margin-${side}`)}`, isLength(true, 'auto'))
know(
  each((side) => `border-${side}-width`),
  isLength(false, 'thin|medium|thick'),
)
know('font-size', isLength(false, '(?:x?xx?-)?(?:small|large)|medium|smaller|larger'))
know(
  'line-height',
  (value, quirks) => parseNumber(value) !== null || isLength(false, 'normal')(value, quirks),
)
know('opacity', (value) => parseNumber(value) !== null)
know(
  'display',
  oneOf(
    'none|contents|block|inline|flow-root|inline-block|run-in|list-item|flex|inline-flex|grid|inline-grid|ruby|ruby-text|math|table|inline-table|table-(?:row|cell|column|caption|row-group|header-group|footer-group|column-group)|-webkit-(?:inline-)?(?:box|flex)|(?:block|inline)(?: (?:flow|flow-root|flex|grid|table|ruby|math|list-item))+|(?:flow|flow-root|flex|grid|table) (?:block|inline)|list-item (?:block|inline|flow)+',
  ),
)
know('visibility', oneOf('visible|hidden|collapse'))
know('float', oneOf('none|left|right|inline-start|inline-end'))
know('position', oneOf('static|relative|absolute|fixed|sticky|-webkit-sticky'))
know('overflow-x overflow-y', oneOf('visible|hidden|scroll|auto|clip|overlay'))
know('content-visibility', oneOf('visible|auto|hidden'))
know(
  'text-align',
  oneOf('start|end|left|right|center|justify|match-parent|-webkit-(?:center|left|right|auto)'),
)
know(
  'white-space',
  oneOf('normal|nowrap|pre|pre-wrap|pre-line|break-spaces|(?:(?:no)?wrap|collapse|preserve(?:-breaks)?) ?.*'),
)
know('direction', oneOf('ltr|rtl'))
know(
  'text-transform',
  oneOf('none|(?:uppercase|lowercase|capitalize|full-width|full-size-kana| )+|math-auto'),
)
know('font-style', oneOf('normal|italic|oblique.*'))
know('font-weight', (value) => /^(?:normal|bold|bolder|lighter)$/.test(value) || parseNumber(value) !== null)
know(
  'vertical-align',
  (value, quirks) =>
    /^(?:baseline|sub|super|top|middle|bottom|text-top|text-bottom)$/.test(value) ||
    isLength(true, 'auto')(value, quirks),
)
know(
  each((side) => `border-${side}-style`),
  oneOf('none|hidden|dotted|dashed|solid|double|groove|ridge|inset|outset'),
)
know('border-collapse', oneOf('collapse|separate'))
know(
  'font-family list-style-type background-image background-clip border-radius border-spacing text-decoration-line all clip clip-path text-shadow -webkit-text-stroke -webkit-text-stroke-width filter mix-blend-mode animation animation-name',
  anything,
)

/** Other spellings of the same, in a page written left to right and top to bottom. */
const aliases: Record<string, string | undefined> = {
  'inline-size': 'width',
  'block-size': 'height',
  'min-inline-size': 'min-width',
  'min-block-size': 'min-height',
  'max-inline-size': 'max-width',
  'max-block-size': 'max-height',
  'text-decoration': 'text-decoration-line',
  'word-wrap': 'overflow-wrap',
  'inset-inline-start': 'left',
  'inset-block-start': 'top',
  '-webkit-opacity': 'opacity',
  '-webkit-clip-path': 'clip-path',
  '-webkit-background-clip': 'background-clip',
}
for (const [logical, side] of Object.entries({
  'inline-start': 'left',
  'inline-end': 'right',
  'block-start': 'top',
  'block-end': 'bottom',
}))
  for (const name of ['margin', 'padding']) aliases[`${name}-${logical}`] = `${name}-${side}`

export function expandAll(declarations: Declaration[], quirks: boolean): Longhand[] {
  const result: Longhand[] = []
  for (const { name, value, important } of declarations) {
    if (name.startsWith('--')) {
      result.push({ name, value, important })
      continue
    }
    const add: Add = (name, value) => {
      const plain = aliases[name] ?? name
      if (isValid(plain, value, quirks)) result.push({ name: plain, value, important })
    }
    expand(name, value.trim().toLowerCase(), quirks, add)
  }
  return result
}

export function isValid(name: string, value: string, quirks: boolean): boolean {
  const check = checks.get(name)
  if (check === undefined || value === '') return false
  return wide.has(value) || isSubstituted(value) || check(value, quirks)
}

type Add = (name: string, value: string) => void

function expand(name: string, value: string, quirks: boolean, add: Add): void {
  switch (name) {
    case 'margin':
    case 'padding':
      return addSides(value, (side) => `${name}-${side}`, add)
    case 'inset': {
      const [top = '', right = top, , left = right] = splitTop(value, ' ')
      add('top', top)
      return add('left', left)
    }
    case 'margin-inline':
    case 'padding-inline':
    case 'margin-block':
    case 'padding-block':
      return addPair(value, `${name}-start`, `${name}-end`, add)
    case 'overflow':
      return addPair(value, 'overflow-x', 'overflow-y', add)
    case 'border':
      for (const side of sides) addBorder(`border-${side}`, value, quirks, add)
      return
    case 'border-top':
    case 'border-right':
    case 'border-bottom':
    case 'border-left':
      return addBorder(name, value, quirks, add)
    case 'border-width':
    case 'border-style':
    case 'border-color':
      return addSides(value, (side) => `border-${side}-${name.slice(7)}`, add)
    case 'background':
      return addBackground(value, quirks, add)
    case 'font':
      return addFont(value, add)
    case 'list-style':
      return add('list-style-type', /\bnone\b/.test(value) ? 'none' : value)
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

function addBorder(name: string, value: string, quirks: boolean, add: Add): void {
  const parts = splitTop(value, ' ')
  if (wide.has(value) || (parts.length === 1 && isSubstituted(value))) {
    for (const part of ['width', 'style', 'color']) add(`${name}-${part}`, value)
    return
  }
  let [width, style, color] = ['medium', 'none', 'currentcolor']
  for (const part of parts) {
    if (checks.get('border-top-style')!(part, quirks)) style = part
    // Beside others, a variable is nearly always the colour.
    else if (isColor(part, quirks) || isSubstituted(part)) color = part
    else width = part
  }
  add(`${name}-width`, width)
  add(`${name}-style`, style)
  add(`${name}-color`, color)
}

const imagePattern = /(?:url|gradient|image|image-set|cross-fade)\(/

function addBackground(value: string, quirks: boolean, add: Add): void {
  if (wide.has(value) || isSubstituted(value)) {
    for (const part of ['color', 'image', 'clip']) add(`background-${part}`, value)
    return
  }
  const layers = splitTop(value, ',')
  const words = splitTop(layers.at(-1) ?? '', ' ').flatMap((part) => splitTop(part, '/'))
  const color = words.find((part) => part !== '' && isColor(part, quirks))
  const known = color !== undefined || words.some((part) => imagePattern.test(part) || part === 'none')
  // A colour of a kind that is not known: as for a browser that does not know it, the whole is void.
  if (!known && words.some((part) => part.includes('('))) return
  add('background-color', color ?? 'transparent')
  add('background-image', layers.filter((layer) => imagePattern.test(layer)).join(',') || 'none')
  add('background-clip', /(?:^|[\s,])text(?:$|[\s,])/.test(value) ? 'text' : 'border-box')
}

const systemFonts = new Set(['caption', 'icon', 'menu', 'message-box', 'small-caption', 'status-bar'])
const sizeWords = /^(?:(?:x?xx?)-(?:small|large)|small|medium|large|smaller|larger)$/

function addFont(value: string, add: Add): void {
  const names = ['font-style', 'font-weight', 'font-size', 'line-height', 'font-family']
  if (wide.has(value) || isSubstituted(value)) {
    for (const name of names) add(name, value)
    return
  }
  if (systemFonts.has(value)) return add('font-size', 'small')
  const oneWord = value
    .split('/')
    .map((part) => part.trim())
    .join('/')
  const parts = splitTop(oneWord, ' ')
  const at = parts.findIndex(
    (part) =>
      sizeWords.test(part.split('/')[0]!) || (/^[\d.+-]/.test(part) && !/^\d00$/.test(part)) || isMath(part),
  )
  const [size = '', height = 'normal'] = splitTop(parts[at] ?? '', '/')
  // A family must follow, or the whole is refused.
  if (at < 0 || at + 1 >= parts.length) return
  const before = parts.slice(0, at)
  add('font-style', before.find((part) => /^(?:italic|oblique)$/.test(part)) ?? 'normal')
  add('font-weight', before.find((part) => /^(?:bold|bolder|lighter|\d00)$/.test(part)) ?? 'normal')
  add('font-size', size)
  add('line-height', height)
  add('font-family', parts.slice(at + 1).join(' '))
}
