/** Computed style: what an element inherits, and what it declares for itself. */

import { hintsFor, type LinkColors } from './browser-default.ts'
import { declaredOn, type Cascade, type Declared } from './cascade.ts'
import { parseColor, readQuirky, type Color } from './color.ts'
import type { Element } from '../../html-document.ts'
import { isWide } from './longhand.ts'
import { parseLength, parseNumber, viewport, type Measures } from './value.ts'
import { spend } from '../../work.ts'

export type Align = 'start' | 'left' | 'center' | 'right' | 'justify'

/** Inherited properties; shared with the parent where an element changes none. */
export interface Style {
  color: Color
  fontSize: number
  /** Whether the mail sets the size of this text. */
  sized: boolean
  rootFontSize: number
  /** Pixels, or a factor of the font size; null: the form's default. */
  lineHeight: number | null
  lineHeightIsFactor: boolean
  bold: boolean
  italic: boolean
  family: 'serif' | 'monospace' | null
  align: Align
  /** Set by `align=` and `<center>`, which also align tables. */
  placing: 'left' | 'center' | 'right' | null
  spaces: 'collapse' | 'keep' | 'keep-breaks'
  rtl: boolean
  letters: 'as-is' | 'upper' | 'lower' | 'capital'
  visible: boolean
  indent: number
  marker: string
  /** Multiplied by the opacity of all ancestors. */
  opacity: number
  /** A property that the form cannot express may make faint text visible, so faint text is shown. */
  doubtful: boolean
}

export const pageInk: Color = { r: 28, g: 26, b: 23, a: 1 }

export const rootStyle: Style = {
  color: pageInk,
  fontSize: 16,
  sized: false,
  rootFontSize: 16,
  lineHeight: null,
  lineHeightIsFactor: true,
  bold: false,
  italic: false,
  family: null,
  align: 'start',
  placing: null,
  spaces: 'collapse',
  rtl: false,
  letters: 'as-is',
  visible: true,
  indent: 0,
  marker: 'disc',
  opacity: 1,
  doubtful: false,
}

const initial: Record<string, string | undefined> = {
  color: 'canvastext',
  'font-size': 'medium',
  'text-align': 'start',
  visibility: 'visible',
  display: 'inline',
}

export interface Computed {
  style: Style
  declared: Declared | null
}

export function computeStyle(
  element: Element,
  parent: Computed,
  cascade: Cascade,
  links: LinkColors,
): Computed {
  const authored = declaredOn(element, cascade)
  const hints = hintsFor(element, cascade.quirks, links)
  if (!authored && !hints) return { style: parent.style, declared: null }
  const declared: Declared = new Map(hints)
  let length = 0
  for (const [name, said] of authored ?? []) {
    const value = isWide(said) ? resolve(name, said, parent.declared) : said
    length += said.length
    if (value !== null) declared.set(name, value)
    else if (said !== 'revert') declared.delete(name)
  }
  // Each value is parsed again for every element it applies to.
  spend(4 * declared.size + (length >> 1))
  return { style: inherit(parent.style, declared, cascade.quirks, element), declared }
}

const inherited =
  /^(?:color|font|line-height|text-(?!decoration)|white-space|direction|visibility|list-style)/

/** Null means as if undeclared: an inherited property keeps its inherited value. */
function resolve(name: string, word: string, above: Declared | null): string | null {
  if (word === 'inherit') return inherited.test(name) ? null : (above?.get(name) ?? null)
  return word === 'initial' || (word === 'unset' && name === 'display') ? (initial[name] ?? null) : null
}

const sizeWords: Record<string, number | undefined> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
}

function inherit(above: Style, declared: Declared, quirks: boolean, element: Element): Style {
  const style: Style = { ...above }
  // A table is placed by the `align=` around it, which does not apply to its content.
  if (element.tagName === 'table' && style.placing !== null) {
    style.placing = null
    style.align = 'start'
  }
  const size = declared.get('font-size')
  if (size !== undefined) {
    style.fontSize = Math.min(10_000, fontSizeOf(size, above, quirks))
    style.sized = true
  }
  if (element.tagName === 'html') style.rootFontSize = style.fontSize
  const color = declared.get('color')
  if (color !== undefined) {
    const ink = colorValue(color, above.color, quirks)
    style.color = ink ?? above.color
    style.doubtful ||= ink === null
  }
  const opacity = declared.get('opacity')
  if (opacity !== undefined) style.opacity *= Math.min(1, Math.max(0, parseNumber(opacity) ?? 1))
  for (const [name, value] of declared) applyInherited(style, name, value, quirks)
  return style
}

export function measuresOf(style: Style, quirks: boolean, percent: number | null = viewport.width): Measures {
  return { fontSize: style.fontSize, rootFontSize: style.rootFontSize, percent, quirks }
}

function fontSizeOf(value: string, above: Style, quirks: boolean): number {
  const word = sizeWords[value]
  if (word !== undefined) return word
  if (value === 'smaller') return above.fontSize / 1.2
  if (value === 'larger') return above.fontSize * 1.2
  const size = parseLength(value, { ...measuresOf(above, quirks), percent: above.fontSize })
  return size === null ? above.fontSize || 16 : Math.max(0, size)
}

export function colorValue(value: string, current: Color, quirks: boolean): Color | null {
  if (value === 'currentcolor') return current
  return parseColor(value) ?? (quirks ? readQuirky(value) : null)
}

function applyInherited(style: Style, name: string, value: string, quirks: boolean): void {
  switch (name) {
    case 'line-height': {
      const factor = /^[\d.]+$/.test(value) ? parseNumber(value) : null
      style.lineHeightIsFactor = factor !== null
      style.lineHeight = factor ?? parseLength(value, measuresOf(style, quirks, style.fontSize))
      return
    }
    case 'font-weight':
      style.bold = value === 'bold' || value === 'bolder' || (parseNumber(value) ?? 0) >= 600
      return
    case 'font-style':
      style.italic = value !== 'normal'
      return
    case 'font-family':
      style.family = familyOf(value)
      return
    case 'text-align':
      style.placing = value.startsWith('-webkit-') ? placingOf(value.slice('-webkit-'.length)) : null
      style.align = alignOf(value.replace('-webkit-', ''), style.rtl)
      return
    case 'white-space':
      style.spaces = value === 'pre-line' ? 'keep-breaks' : /^(?:pre|break)/.test(value) ? 'keep' : 'collapse'
      return
    case 'direction':
      style.rtl = value === 'rtl'
      return
    case 'text-transform':
      style.letters = lettersOf[value] ?? 'as-is'
      return
    case 'visibility':
      style.visible = value === 'visible'
      return
    case 'text-indent':
      style.indent = parseLength(value.split(' ')[0] ?? '', measuresOf(style, quirks)) ?? 0
      return
    case 'list-style-type':
      style.marker = value
      return
    case 'text-shadow':
    case '-webkit-text-fill-color':
    case '-webkit-text-stroke':
    case '-webkit-text-stroke-width':
    case 'filter':
    case 'mix-blend-mode':
    case 'background-clip':
    case 'animation':
    case 'animation-name':
      style.doubtful ||= !/^(?:none|normal|currentcolor|0(?:px)?|border-box|padding-box|content-box)$/.test(
        value,
      )
      return
  }
}

const lettersOf: Record<string, Style['letters'] | undefined> = {
  uppercase: 'upper',
  lowercase: 'lower',
  capitalize: 'capital',
}

/** Only generic families are written: the fonts that a reader has are not known. */
function familyOf(value: string): Style['family'] {
  const first = (value.split(',')[0] ?? '').replaceAll(/["']/g, '').trim()
  if (/courier|consolas|mono|menlo|^tt$|^code/.test(first)) return 'monospace'
  return /^(?:serif|times|georgia|garamond|palatino|cambria|book antiqua|baskerville)/.test(first)
    ? 'serif'
    : null
}

function placingOf(word: string): Style['placing'] {
  return word === 'center' || word === 'right' || word === 'left' ? word : null
}

function alignOf(word: string, rtl: boolean): Align {
  if (word === 'center' || word === 'right' || word === 'left' || word === 'justify') return word
  return word === 'end' ? (rtl ? 'left' : 'right') : 'start'
}
