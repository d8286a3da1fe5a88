/** Expands declarations into the properties that the normal form can express or that decide what it leaves out. */

import { parseColor, readQuirky } from './color.ts'
import type { Declaration } from './sheet.ts'
import { parseLength, parseNumber, splitTop } from './value.ts'

const wide = new Set(['inherit', 'initial', 'unset', 'revert'])
export const isWide = (value: string): boolean => wide.has(value)

export interface Longhand {
  name: string
  value: string
  important: boolean
}

export const sides = ['top', 'right', 'bottom', 'left'] as const

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
/** Variables, calculations and other kinds of colours are not evaluated: they override earlier values without any. */
const unread = /^[a-z-]+\(.*\)$/s

const isLength = (signed: boolean, words: string): Check => {
  const word = new RegExp(`^(?:${words}|(?:min|max|fit)-content)$`)
  return (value, quirks) => {
    if (word.test(value) || unread.test(value)) return true
    const length = parseLength(value, { ...measures, quirks })
    return length !== null && (signed || length >= 0)
  }
}
const isColor: Check = (value, quirks) =>
  value === 'currentcolor' ||
  unread.test(value) ||
  parseColor(value) !== null ||
  (quirks && readQuirky(value) !== null)

know(`color background-color ${each((side) => `border-${side}-color`)}`, isColor)
know(`width height ${each((side) => `padding-${side}`)}`, isLength(false, 'auto'))
know('max-width max-height min-width min-height', isLength(false, 'none|auto'))
know(`left top text-indent ${each((side) => `margin-${side}`)}`, isLength(true, 'auto'))
know(
  each((side) => `border-${side}-width`),
  isLength(false, 'thin|medium|thick'),
)
const isSize = isLength(false, '(?:x?xx?-)?(?:small|large)|medium|smaller|larger')
know('font-size', isSize)
know(
  'line-height',
  (value, quirks) => parseNumber(value) !== null || isLength(false, 'normal')(value, quirks),
)
know('opacity', (value) => parseNumber(value) !== null)
know(
  'display',
  oneOf(
    'none|contents|inline|flow-root|list-item|ruby|(?:inline-)?(?:block|flex|grid|table)|table-[a-z-]+|-webkit-(?:inline-)?(?:box|flex)',
  ),
)
know('visibility', oneOf('visible|hidden|collapse'))
know('float', oneOf('none|left|right'))
know('position', oneOf('static|relative|absolute|fixed|sticky|-webkit-sticky'))
know('overflow-x overflow-y', oneOf('visible|hidden|scroll|auto|clip'))
know('text-align', oneOf('start|end|left|right|center|justify|-webkit-(?:center|left|right)'))
know('white-space', oneOf('normal|nowrap|pre|pre-wrap|pre-line|break-spaces'))
know('direction', oneOf('ltr|rtl'))
know('text-transform', oneOf('none|uppercase|lowercase|capitalize'))
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
  'font-family list-style-type background-image background-clip border-radius border-spacing text-decoration-line clip clip-path text-shadow -webkit-text-fill-color -webkit-text-stroke -webkit-text-stroke-width filter mix-blend-mode animation animation-name',
  () => true,
)

const aliases: Record<string, string | undefined> = {
  'text-decoration': 'text-decoration-line',
  '-webkit-background-clip': 'background-clip',
  'padding-inline-start': 'padding-left',
  'margin-inline-start': 'margin-left',
}

export function expandAll(declarations: Declaration[], quirks: boolean): Longhand[] {
  const result: Longhand[] = []
  for (const { name, value, important } of declarations) {
    const add: Add = (name, value) => {
      const plain = aliases[name] ?? name
      const check = checks.get(plain)
      if (value !== '' && check && (wide.has(value) || check(value, quirks)))
        result.push({ name: plain, value, important })
    }
    expand(name, value.toLowerCase(), quirks, add)
  }
  return result
}

type Add = (name: string, value: string) => void

function expand(name: string, value: string, quirks: boolean, add: Add): void {
  switch (name) {
    case 'margin':
    case 'padding':
      return addSides(value, (side) => `${name}-${side}`, add)
    case 'overflow': {
      const [x = '', y = x] = splitTop(value, ' ')
      add('overflow-x', x)
      return add('overflow-y', y)
    }
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
      return addBackground(value, add)
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

function addBorder(name: string, value: string, quirks: boolean, add: Add): void {
  let [width, style, color] = ['medium', 'none', 'currentcolor']
  for (const part of splitTop(value, ' ')) {
    if (checks.get('border-top-style')!(part, quirks)) style = part
    else if (isColor(part, false)) color = part
    else width = part
  }
  add(`${name}-width`, width)
  add(`${name}-style`, style)
  add(`${name}-color`, color)
}

const imagePattern = /(?:url|gradient|image|image-set|cross-fade)\(/

function addBackground(value: string, add: Add): void {
  const layers = splitTop(value, ',')
  const isImage = (part: string) => imagePattern.test(part)
  const words = splitTop(layers.at(-1) ?? '', ' ').flatMap((part) => splitTop(part, '/'))
  const color = words.find((part) => part !== '' && !isImage(part) && isColor(part, false))
  if (color === undefined && !layers.some(isImage) && value !== 'none' && !wide.has(value)) return
  add('background-color', color ?? 'transparent')
  add('background-image', layers.filter(isImage).join(',') || 'none')
  add('background-clip', /(?:^|[\s,])text(?:$|[\s,])/.test(value) ? 'text' : 'border-box')
}

function addFont(value: string, add: Add): void {
  if (wide.has(value)) return add('font-size', value)
  const oneWord = value
    .split('/')
    .map((part) => part.trim())
    .join('/')
  const parts = splitTop(oneWord, ' ')
  const at = parts.findIndex((part) => isSize(part.split('/')[0]!, false))
  const [size = '', height = 'normal'] = splitTop(parts[at] ?? '', '/')
  // Without a family after the size, the whole declaration is invalid.
  if (at < 0 || at + 1 >= parts.length) return
  const before = parts.slice(0, at)
  add('font-style', before.find((part) => /^(?:italic|oblique)$/.test(part)) ?? 'normal')
  add('font-weight', before.find((part) => /^(?:bold|bolder|lighter|\d00)$/.test(part)) ?? 'normal')
  add('font-size', size)
  add('line-height', height)
  add('font-family', parts.slice(at + 1).join(' '))
}
