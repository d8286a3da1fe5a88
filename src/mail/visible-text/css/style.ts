/** Computed style: what an element inherits, and what it declares for itself. */

import { hintsFor } from './browser-default.ts'
import type { LinkColors } from './browser-default.ts'
import { declaredOn, familyOf } from './cascade.ts'
import type { Cascade, Declared } from './cascade.ts'
import { black, parseColor, readHex, transparent } from './color.ts'
import type { Color } from './color.ts'
import type { Element } from '../../html-document.ts'
import { isValid, isWide } from './longhand.ts'
import { isSubstituted, substitute } from './substitution.ts'
import { parseLength, parseNumber, splitTop } from './value.ts'
import type { Measures } from './value.ts'
import { spend } from '../../work.ts'

export interface Shadow {
  color: Color
  blur: number
}

/** Inherited properties; shared with the parent where an element changes none. */
export interface Style {
  fontSize: number
  /** Set in pixels by the element or one around it: browsers draw other sizes no smaller than 6 pixels. */
  fontSizeIsFixed: boolean
  rootFontSize: number
  /** Pixels, or a factor of the letters' size. */
  lineHeight: number
  lineHeightIsFactor: boolean
  color: Color
  fill: Color | null
  /** Of the letters in a drawing. */
  svgFill: Color
  strokeWidth: number
  strokeColor: Color | null
  shadows: Shadow[]
  visible: boolean
  spaces: 'collapse' | 'keep' | 'keep-breaks'
  wraps: boolean
  letters: 'as-is' | 'upper' | 'lower' | 'capital'
  indent: number
  letterSpacing: number
  /** Shown as dots, or in glyphs without size. */
  masked: boolean
  listType: string
  custom: Map<string, string> | null
  rtl: boolean
}

export const rootStyle: Style = {
  fontSize: 16,
  fontSizeIsFixed: false,
  rootFontSize: 16,
  lineHeight: 1.15,
  lineHeightIsFactor: true,
  color: black,
  fill: null,
  svgFill: black,
  strokeWidth: 0,
  strokeColor: null,
  shadows: [],
  visible: true,
  spaces: 'collapse',
  wraps: true,
  letters: 'as-is',
  indent: 0,
  letterSpacing: 0,
  masked: false,
  listType: '',
  custom: null,
  rtl: false,
}

/** Initial values of inherited properties. */
const inherited: Record<string, string | undefined> = {
  color: 'canvastext',
  'font-size': 'medium',
  'line-height': 'normal',
  '-webkit-text-fill-color': 'currentcolor',
  '-webkit-text-stroke-width': '0px',
  '-webkit-text-stroke-color': 'currentcolor',
  '-webkit-text-security': 'none',
  'text-shadow': 'none',
  visibility: 'visible',
  'white-space': 'normal',
  'text-wrap-mode': 'wrap',
  'text-transform': 'none',
  'text-indent': '0px',
  'letter-spacing': 'normal',
  'font-size-adjust': 'none',
  'font-family': 'serif',
  'list-style-type': 'disc',
  direction: 'ltr',
  'color-scheme': 'normal',
  fill: 'black',
  stroke: 'none',
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
    reset === undefined || reset.startsWith('revert')
      ? hintsFor(element, cascade.quirks && !isPlain(parent.style), links)
      : null
  if (!authored && !hints) return { style: parent.style, declared: null }
  let declared: Declared = authored ?? new Map()
  if (hints) {
    const under: Declared = new Map(hints)
    for (const [name, value] of declared) {
      if (!value.startsWith('revert')) under.set(name, value)
    }
    declared = under
  }
  const custom = readCustom(declared, parent.style.custom)
  const all = declared.get('all')
  if (all !== undefined) resetAll(declared, all)
  let length = 0
  for (const [name, value] of declared) {
    length += value.length
    resolve(name, value, declared, parent.declared, custom, cascade, element)
  }
  // Each value is read again on every element it holds for.
  spend(4 * declared.size + (length >> 1))
  return { style: inherit(parent.style, declared, custom, cascade, element), declared }
}

/** Nothing that a table without doctype would refuse to inherit. */
function isPlain(style: Style): boolean {
  return (
    style.fontSize === rootStyle.fontSize &&
    style.lineHeight === rootStyle.lineHeight &&
    style.spaces === 'collapse' &&
    style.wraps
  )
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
  cascade: Cascade,
  element: Element,
): void {
  if (name.startsWith('--')) return
  let result: string | null = value
  if (isSubstituted(value)) {
    const { initials, quirks } = cascade
    result = substitute(value, { custom, initials, element })?.trim().toLowerCase() ?? 'unset'
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
  cascade: Cascade,
  element: Element,
): Style {
  const style: Style = { ...above, custom }
  const size = declared.get('font-size')
  if (size !== undefined) {
    style.fontSize = fontSizeOf(size, above, cascade.quirks)
    const relative = /%|r?em\b|r?ex\b|r?ch\b|r?lh\b|ic\b|cap\b|^smaller$|^larger$/.test(size)
    style.fontSizeIsFixed = sizeWords[size] === undefined && (above.fontSizeIsFixed || !relative)
  }
  if (element.tagName === 'html') style.rootFontSize = style.fontSize
  const color = declared.get('color')
  if (color !== undefined) style.color = colorValue(color, above.color, cascade.quirks) ?? above.color
  const measures = measuresOf(style, cascade.quirks)
  for (const [name, value] of declared) applyInherited(style, name, value, measures, cascade)
  return style
}

const smallestDrawn = 6

/** The size letters are drawn in. */
export function drawnSize({ fontSize, fontSizeIsFixed }: Style): number {
  return fontSize > 0 && fontSize < smallestDrawn && !fontSizeIsFixed ? smallestDrawn : fontSize
}

export function measuresOf(style: Style, quirks: boolean, percent: number | null = 800): Measures {
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

function applyInherited(
  style: Style,
  name: string,
  value: string,
  measures: Measures,
  cascade: Cascade,
): void {
  switch (name) {
    case 'line-height': {
      const factor = /^[\d.]+$/.test(value) ? parseNumber(value) : null
      style.lineHeightIsFactor = factor !== null || value === 'normal'
      style.lineHeight =
        factor ??
        (value === 'normal' ? 1.15 : (parseLength(value, { ...measures, percent: style.fontSize }) ?? 1.15))
      return
    }
    case '-webkit-text-fill-color':
      style.fill = value === 'currentcolor' ? null : colorValue(value, style.color, cascade.quirks)
      return
    case '-webkit-text-stroke-width':
      style.strokeWidth =
        value === 'thin'
          ? 1
          : value === 'medium'
            ? 3
            : value === 'thick'
              ? 5
              : (parseLength(value, measures) ?? 0)
      return
    case '-webkit-text-stroke-color':
      style.strokeColor = colorValue(value, style.color, cascade.quirks)
      return
    case 'fill':
      style.svgFill =
        value === 'none' ? transparent : (colorValue(value, style.color, cascade.quirks) ?? black)
      return
    case '-webkit-text-security':
      style.masked = value !== 'none'
      return
    case 'font-size-adjust':
      style.masked = parseNumber(value.split(' ').pop() ?? '') === 0
      return
    case 'font-family':
      style.masked = cascade.blankFonts.size > 0 && cascade.blankFonts.has(familyOf(value))
      return
    case 'text-shadow':
      style.shadows = shadowsOf(value, style.color, measures)
      return
    case 'visibility':
      style.visible = value === 'visible'
      return
    case 'white-space':
      style.wraps = value !== 'nowrap' && value !== 'pre' && !value.includes('nowrap')
      style.spaces = /^pre$|pre-wrap|break-spaces|preserve(?!-)/.test(value)
        ? 'keep'
        : /pre-line|preserve-breaks/.test(value)
          ? 'keep-breaks'
          : 'collapse'
      return
    case 'text-wrap-mode':
      style.wraps = !value.includes('nowrap')
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
    case 'text-indent':
      style.indent = parseLength(splitTop(value, ' ')[0] ?? '', measures) ?? 0
      return
    case 'letter-spacing':
      style.letterSpacing = parseLength(value, measures) ?? 0
      return
    case 'list-style-type':
      style.listType = value
      return
    case 'direction':
      style.rtl = value === 'rtl'
      return
  }
}

function shadowsOf(value: string, current: Color, measures: Measures): Shadow[] {
  if (value === 'none') return []
  return splitTop(value, ',').map((shadow) => {
    const parts = splitTop(shadow, ' ')
    const lengths = parts.map((part) => parseLength(part, measures)).filter((length) => length !== null)
    const color = parts.map((part) => colorValue(part, current, false)).find((found) => found !== null)
    return { color: lengths.length < 2 ? transparent : (color ?? current), blur: lengths[2] ?? 0 }
  })
}
