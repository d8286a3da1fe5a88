/** Computed style: what an element inherits, and what it declares for itself. */

import { hintsFor } from './browser-default.ts'
import type { LinkColors } from './browser-default.ts'
import { declaredOn } from './cascade.ts'
import type { Cascade, Declared } from './cascade.ts'
import { parseColor, readHex } from './color.ts'
import type { Color } from './color.ts'
import type { Element } from '../../html-document.ts'
import { isValid, isWide } from './longhand.ts'
import { isSubstituted, substitute } from './substitution.ts'
import { parseLength, parseNumber, viewport } from './value.ts'
import type { Measures } from './value.ts'
import { spend } from '../../work.ts'

export type Align = 'start' | 'left' | 'center' | 'right' | 'justify'

/** Inherited properties; shared with the parent where an element changes none. */
export interface Style {
  color: Color
  fill: Color | null
  fontSize: number
  /** Whether the mail says anything about the size of these letters. */
  sized: boolean
  rootFontSize: number
  /** Pixels, or a factor of the letters' size; null: as the form has it. */
  lineHeight: number | null
  lineHeightIsFactor: boolean
  bold: boolean
  italic: boolean
  family: 'serif' | 'monospace' | null
  align: Align
  /** Set by `align=` and `<center>`, which move tables too. */
  placing: 'left' | 'center' | 'right' | null
  spaces: 'collapse' | 'keep' | 'keep-breaks'
  rtl: boolean
  letters: 'as-is' | 'upper' | 'lower' | 'capital'
  visible: boolean
  indent: number
  marker: string
  /** Of all groups around, multiplied. */
  opacity: number
  /** Something that the form cannot say may bring faint letters out: they are shown. */
  doubtful: boolean
  custom: Map<string, string> | null
}

export const pageInk: Color = { r: 28, g: 26, b: 23, a: 1 }

export const rootStyle: Style = {
  color: pageInk,
  fill: null,
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
  custom: null,
}

/** Initial values of inherited properties. */
const inherited: Record<string, string | undefined> = {
  color: 'canvastext',
  '-webkit-text-fill-color': 'currentcolor',
  'font-size': 'medium',
  'line-height': 'normal',
  'font-weight': 'normal',
  'font-style': 'normal',
  'font-family': 'sans-serif',
  'text-align': 'start',
  'white-space': 'normal',
  direction: 'ltr',
  'text-transform': 'none',
  visibility: 'visible',
  'text-indent': '0px',
  'list-style-type': 'disc',
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
  const reset = authored?.get('all')
  const hints =
    reset === undefined || reset.startsWith('revert') ? hintsFor(element, cascade.quirks, links) : null
  if (!authored && !hints) return { style: parent.style, declared: null }
  let declared: Declared = authored ?? new Map()
  if (hints) {
    const under: Declared = new Map(hints)
    for (const [name, value] of declared) if (!value.startsWith('revert')) under.set(name, value)
    declared = under
  }
  const custom = readCustom(declared, parent.style.custom)
  const all = declared.get('all')
  if (all !== undefined) resetAll(declared, all)
  let length = 0
  for (const [name, value] of declared) {
    length += value.length
    resolve(name, value, declared, parent.declared, custom, cascade.quirks)
  }
  // Each value is read again on every element it holds for.
  spend(4 * declared.size + (length >> 1))
  return { style: inherit(parent.style, declared, custom, cascade.quirks, element), declared }
}

function readCustom(declared: Declared, above: Map<string, string> | null): Map<string, string> | null {
  let custom = above
  for (const [name, value] of declared) {
    if (!name.startsWith('--')) continue
    if (custom === above) {
      spend(above?.size ?? 0)
      custom = new Map(above ?? [])
    }
    if (value !== 'inherit') custom?.set(name, value)
  }
  return custom
}

function resetAll(declared: Declared, value: string): void {
  declared.delete('all')
  if (value === 'initial') {
    for (const [name, first] of Object.entries(inherited))
      if (first && !declared.has(name)) declared.set(name, first)
  }
  if (value !== 'inherit' && !value.startsWith('revert') && !declared.has('display'))
    declared.set('display', 'inline')
}

/** Puts in variables and the values that refer to the parent. */
function resolve(
  name: string,
  value: string,
  declared: Declared,
  above: Declared | null,
  custom: Map<string, string> | null,
  quirks: boolean,
): void {
  if (name.startsWith('--')) return
  let result: string | null = value
  if (isSubstituted(value)) {
    result = substitute(value, custom)?.trim().toLowerCase() ?? 'unset'
    spend(50 + 8 * result.length)
    // What turns out to be nonsense only now is as if it were not there.
    if (!isValid(name, result, quirks)) result = 'unset'
    if (result !== 'unset') declared.set(name, result)
  }
  if (!isWide(result)) return
  if (result === 'inherit' && inherited[name] === undefined) result = above?.get(name) ?? null
  else if (result === 'initial') result = name === 'display' ? 'inline' : (inherited[name] ?? null)
  else result = name === 'display' && result === 'unset' ? 'inline' : null
  if (result === null) declared.delete(name)
  else declared.set(name, result)
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

function inherit(
  above: Style,
  declared: Declared,
  custom: Map<string, string> | null,
  quirks: boolean,
  element: Element,
): Style {
  const style: Style = { ...above, custom }
  // A table takes the place that `align=` gives it, and begins anew inside.
  if (element.tagName === 'table' && style.placing !== null) {
    style.placing = null
    style.align = 'start'
  }
  const size = declared.get('font-size')
  if (size !== undefined) {
    style.fontSize = fontSizeOf(size, above, quirks)
    style.sized = true
  }
  if (element.tagName === 'html') style.rootFontSize = style.fontSize
  const color = declared.get('color')
  if (color !== undefined) {
    style.color = colorValue(color, above.color, quirks) ?? above.color
    style.fill = null
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
  return size === null ? above.fontSize : Math.max(0, size)
}

export function colorValue(value: string, current: Color, quirks: boolean): Color | null {
  if (value === 'currentcolor') return current
  return parseColor(value) ?? (quirks ? readHex(value) : null)
}

function applyInherited(style: Style, name: string, value: string, quirks: boolean): void {
  switch (name) {
    case '-webkit-text-fill-color':
      style.fill = value === 'currentcolor' ? null : colorValue(value, style.color, quirks)
      return
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
      style.spaces = /^pre$|pre-wrap|break-spaces|preserve(?!-)/.test(value)
        ? 'keep'
        : /pre-line|preserve-breaks/.test(value)
          ? 'keep-breaks'
          : 'collapse'
      return
    case 'direction':
      style.rtl = value === 'rtl'
      return
    case 'text-transform':
      style.letters = value.includes('uppercase')
        ? 'upper'
        : value.includes('lowercase')
          ? 'lower'
          : value.includes('capitalize')
            ? 'capital'
            : 'as-is'
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
    case '-webkit-text-stroke':
    case '-webkit-text-stroke-width':
    case 'filter':
    case 'mix-blend-mode':
    case 'background-clip':
    case 'animation':
    case 'animation-name':
      style.doubtful ||= !/^(?:none|normal|0(?:px)?|border-box|padding-box|content-box)$/.test(value)
      return
  }
}

/** Only generic families are written: what letters a reader has is not known. */
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
