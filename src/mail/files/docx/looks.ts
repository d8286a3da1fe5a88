/** How the text of a Word document looks: by its styles, then by what is set on it. */

import { childOf, findIn, type Element } from './xml.ts'

export interface Look {
  isHidden?: boolean
  /** `auto` is told from every ground. */
  color?: string
  /** Behind the text; `null` where the colour cannot be told. */
  ground?: string | null
  /** In points. */
  size?: number
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
const lightThemes = /^(?:background|light|bg|lt)1$/

/** Of the properties of a run. */
export function readLook(properties: Element | null): Look {
  if (!properties) return {}
  const look: Look = {}
  const hides = ['w:vanish', 'w:specVanish', 'w:webHidden'].map((name) => childOf(properties, name))
  if (hides.some(isOn)) look.isHidden = true
  else if (isSet(hides[0])) look.isHidden = false
  const color = childOf(properties, 'w:color')?.attributes
  if (color)
    look.color =
      lightThemes.test(color['w:themeColor'] ?? '') && !color['w:themeTint'] && !color['w:themeShade']
        ? 'ffffff'
        : (color['w:val'] ?? 'auto').toLowerCase()
  readFill(look, childOf(properties, 'w14:textFill'))
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
  if (scale !== undefined) look.scale = scale
  if (spacing !== undefined) look.spacing = spacing / 20
  return look
}

const isSet = (element: Element | null | undefined): boolean => element !== null && element !== undefined

function readFill(look: Look, fill: Element | null): void {
  if (!fill) return
  if (childOf(fill, 'w14:noFill')) look.isHidden = true
  const alpha = Number(findIn(fill, 'w14:alpha')?.attributes['w14:val'] ?? 0)
  if (alpha > 90_000) look.isHidden = true
  const color = findIn(fill, 'w14:srgbClr')?.attributes['w14:val']
  if (color !== undefined) look.color = color.toLowerCase()
  else if (lightThemes.test(findIn(fill, 'w14:schemeClr')?.attributes['w14:val'] ?? '')) look.color = 'ffffff'
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
  isExact: boolean
}

export class Styles {
  readonly #styles = new Map<string, Style>()
  readonly #base: Look
  #paragraph = ''

  constructor(sheet: Element | null) {
    this.#base = readLook(
      sheet && findIn(sheet, 'w:rPrDefault') && childOf(findIn(sheet, 'w:rPrDefault')!, 'w:rPr'),
    )
    for (const style of sheet?.children ?? []) {
      if (typeof style === 'string' || style.name !== 'w:style') continue
      const id = style.attributes['w:styleId'] ?? ''
      const look = readLook(childOf(style, 'w:rPr'))
      const paragraph = childOf(style, 'w:pPr')
      const ground = paragraph && readGround(childOf(paragraph, 'w:shd'))
      if (look.ground === undefined && ground !== undefined && ground !== null) look.ground = ground
      const isTable = style.attributes['w:type'] === 'table'
      this.#styles.set(id, {
        look,
        basedOn: valueOf(style, 'w:basedOn') ?? null,
        isShaded: isTable && findIn(style, 'w:shd') !== null,
        isExact: paragraph !== null && isSquashed(paragraph),
      })
      if (style.attributes['w:type'] === 'paragraph' && isOnAttribute(style.attributes['w:default']))
        this.#paragraph = id
    }
  }

  /** How a run looks that has these styles and, last, properties of its own. */
  look(paragraph: string | null, character: string | null, own: Look): Look {
    const chain = [...this.#chain(character), ...this.#chain(paragraph ?? this.#paragraph)].toReversed()
    return Object.assign({}, this.#base, ...chain.map(({ look }) => look), own) as Look
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
