/** How the text of a Word document looks: by its styles, then by what is set on it. */

import type { Reason } from '../sight.ts'
import type { Theme } from './theme.ts'
import { childOf, findIn, type Element } from './xml.ts'

export interface Look {
  isHidden?: boolean
  /** `auto` is told from every ground. */
  color?: string
  /** Behind the text; `null` where the colour cannot be told. */
  ground?: string | null
  /** In points. */
  size?: number
  /** Instead of `size`, if it is of a script that is written from right to left, or said to be. */
  complexSize?: number
  isComplex?: boolean
  /** All its letters are pressed into this many points. */
  fit?: number
  /** In percent of the usual width. */
  scale?: number
  /** Between the letters, in points. */
  spacing?: number
}

const off = new Set(['0', 'false', 'off', 'none'])
export const isOn = (element: Element | null): boolean =>
  element !== null && !off.has((element.attributes['w:val'] ?? '1').toLowerCase())

const valueOf = (parent: Element, name: string): string | undefined =>
  childOf(parent, name)?.attributes['w:val']

const highlights: Record<string, string> = {
  white: 'ffffff',
  black: '000000',
  yellow: 'ffff00',
  green: '00ff00',
  cyan: '00ffff',
  magenta: 'ff00ff',
  blue: '0000ff',
  red: 'ff0000',
  lightGray: 'c0c0c0',
  darkGray: '808080',
}
/** Of the properties of a run. */
export function readLook(properties: Element | null, theme: Theme): Look {
  if (!properties) return {}
  const look: Look = {}
  const hides = ['w:vanish', 'w:specVanish', 'w:webHidden'].map((name) => childOf(properties, name))
  if (hides.some(isOn)) look.isHidden = true
  else if (isSet(hides[0])) look.isHidden = false
  const color = childOf(properties, 'w:color')?.attributes
  if (color) look.color = theme.colorOf(color)
  readFill(look, childOf(properties, 'w14:textFill'), theme)
  const ground = readGround(childOf(properties, 'w:shd'))
  if (ground !== undefined) look.ground = ground
  const highlight = valueOf(properties, 'w:highlight')
  if (highlight !== undefined && highlight !== 'none') look.ground = highlights[highlight] ?? null
  const number = (name: string): number | undefined => {
    const value = Number.parseFloat(valueOf(properties, name) ?? '')
    return Number.isNaN(value) ? undefined : value
  }
  const [size, scale, spacing] = [number('w:sz'), number('w:w'), number('w:spacing')]
  if (size !== undefined) look.size = size / 2
  const [complex, fit] = [number('w:szCs'), number('w:fitText')]
  if (complex !== undefined) look.complexSize = complex / 2
  if (['w:rtl', 'w:cs'].some((name) => isOn(childOf(properties, name)))) look.isComplex = true
  if (fit !== undefined) look.fit = fit / 20
  if (scale !== undefined) look.scale = scale
  if (spacing !== undefined) look.spacing = spacing / 20
  return look
}

const isSet = (element: Element | null | undefined): boolean => element !== null && element !== undefined

function readFill(look: Look, fill: Element | null, theme: Theme): void {
  if (!fill) return
  if (childOf(fill, 'w14:noFill')) look.isHidden = true
  const alpha = Number(findIn(fill, 'w14:alpha')?.attributes['w14:val'] ?? 0)
  if (alpha > 90_000) look.isHidden = true
  const color = findIn(fill, 'w14:srgbClr')?.attributes['w14:val']
  if (color !== undefined) look.color = color.toLowerCase()
  const named = theme.color(findIn(fill, 'w14:schemeClr')?.attributes['w14:val'] ?? '')
  if (color === undefined && named !== undefined) look.color = named
}

/** Undefined if it leaves the ground as it is. */
export function readGround(shading: Element | null): string | null | undefined {
  if (!shading) return undefined
  const {
    'w:val': pattern = 'clear',
    'w:fill': fill = 'auto',
    'w:color': color = 'auto',
    'w:themeFill': theme,
  } = shading.attributes
  if (pattern === 'solid') return color === 'auto' ? '000000' : color.toLowerCase()
  if (pattern !== 'clear' && pattern !== 'nil') return null
  if (fill !== 'auto') return fill.toLowerCase()
  return theme === undefined ? undefined : null
}

interface Style {
  look: Look
  basedOn: string | null
  /** A table's: its cells may have a ground that depends on their place. */
  isShaded: boolean
  /** A table's: some of its rows or columns have letters that are hidden, or light on no dark ground. */
  isPartlyHidden: boolean
  isExact: boolean
}

/** The styles of what a run is in. */
export interface Around {
  paragraph: string | null
  table: string | null
}

const leastSize = 4
const leastScale = 20

export function hides({ isHidden, scale, spacing, ...look }: Look): Reason | null {
  if (isHidden) return 'invisible'
  const size = look.isComplex ? look.complexSize : look.size
  if ((size !== undefined && size < leastSize) || (scale !== undefined && scale < leastScale)) return 'small'
  return spacing !== undefined && spacing < -0.5 * (size ?? 10) ? 'small' : null
}

function channels(color: string): number[] {
  return [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

const leastDifference = 32

export function isAlike(color: string, ground: string): boolean {
  const [one, other] = [channels(color), channels(ground)]
  return one.every((value, at) => Math.abs(value - other[at]!) < leastDifference)
}

export const isLight = (color: string): boolean => color !== 'auto' && Math.max(...channels(color)) > 127

export class Styles {
  readonly #styles = new Map<string, Style>()
  readonly #base: Look
  #paragraph = ''

  readonly #theme: Theme

  constructor(sheet: Element | null, theme: Theme) {
    this.#theme = theme
    const base = sheet && findIn(sheet, 'w:rPrDefault')
    this.#base = readLook(base && childOf(base, 'w:rPr'), theme)
    for (const style of sheet?.children ?? []) {
      if (typeof style === 'string' || style.name !== 'w:style') continue
      const id = style.attributes['w:styleId'] ?? ''
      const look = readLook(childOf(style, 'w:rPr'), theme)
      const paragraph = childOf(style, 'w:pPr')
      const ground = paragraph && readGround(childOf(paragraph, 'w:shd'))
      if (look.ground === undefined && ground !== undefined && ground !== null) look.ground = ground
      const isTable = style.attributes['w:type'] === 'table'
      this.#styles.set(id, {
        look,
        basedOn: valueOf(style, 'w:basedOn') ?? null,
        isShaded: isTable && findIn(style, 'w:shd') !== null,
        isPartlyHidden: isTable && style.children.some((part) => this.#hidesPart(part)),
        isExact: paragraph !== null && isSquashed(paragraph),
      })
      if (style.attributes['w:type'] === 'paragraph' && isOnAttribute(style.attributes['w:default']))
        this.#paragraph = id
    }
  }

  /** How a run looks with the styles of all that it is in and, last, properties of its own. */
  look({ paragraph, table }: Around, properties: Element | null): Look {
    const character = (properties && valueOf(properties, 'w:rStyle')) ?? null
    const chain = [character, paragraph ?? this.#paragraph, table].flatMap((style) => this.#chain(style))
    const own = readLook(properties, this.#theme)
    return Object.assign({}, this.#base, ...chain.toReversed().map(({ look }) => look), own) as Look
  }

  isPartlyHidden(table: string | null): boolean {
    return this.#chain(table).some((style) => style.isPartlyHidden)
  }

  #hidesPart(part: Element | string): boolean {
    if (typeof part === 'string' || part.name !== 'w:tblStylePr') return false
    const look = readLook(childOf(part, 'w:rPr'), this.#theme)
    const cell = childOf(part, 'w:tcPr')
    const ground = look.ground ?? (cell && readGround(childOf(cell, 'w:shd'))) ?? null
    return (
      hides(look) !== null ||
      (isLight(look.color ?? 'auto') && (ground === null || isAlike(look.color!, ground)))
    )
  }

  isShaded(table: string | null): boolean {
    return this.#chain(table).some((style) => style.isShaded)
  }

  isSquashed(paragraph: string | null): boolean {
    return this.#chain(paragraph ?? this.#paragraph).some((style) => style.isExact)
  }

  #chain(id: string | null): Style[] {
    const chain: Style[] = []
    for (
      let style = this.#styles.get(id ?? '');
      style && chain.length < 20;
      style = this.#styles.get(style.basedOn ?? '')
    )
      chain.push(style)
    return chain
  }
}

const isOnAttribute = (value: string | undefined): boolean => value !== undefined && !off.has(value)

const leastLine = 80
const farthest = 16_000

/** Whether a paragraph has lines of no height, or is moved off the page: lengths are in twentieths of a point. */
export function isSquashed(properties: Element): boolean {
  const number = (element: Element | null, ...names: string[]): number =>
    Number(names.map((name) => element?.attributes[name]).find((value) => value !== undefined) ?? Number.NaN)
  const spacing = childOf(properties, 'w:spacing')
  if (spacing?.attributes['w:lineRule'] === 'exact' && number(spacing, 'w:line') < leastLine) return true
  const indent = childOf(properties, 'w:ind')
  const moves = [
    number(indent, 'w:left', 'w:start'),
    number(indent, 'w:right', 'w:end'),
    number(indent, 'w:firstLine'),
    number(indent, 'w:hanging'),
  ]
  const frame = childOf(properties, 'w:framePr')
  moves.push(number(frame, 'w:x'), number(frame, 'w:y'))
  if (moves.some((move) => Math.abs(move) > farthest)) return true
  return (
    number(frame, 'w:w') < leastLine ||
    (frame?.attributes['w:hRule'] === 'exact' && number(frame, 'w:h') < leastLine)
  )
}
