/** The letters of a PDF's page: where each stands, and whether its font draws what it names. */

import { boundsOf, readPath, type Matrix } from './shape.ts'

export interface Glyph {
  /** What is drawn: a character of the font's own, or of the system's where the font is not in the file. */
  fontChar: string
  /** What the file says that it is. */
  unicode: string
  width: number
  isSpace: boolean
  isInFont: boolean
  vmetric: number[] | null
  operatorListId?: string
}

export interface Operators {
  fnArray: number[]
  argsArray: unknown[]
}

export interface Font {
  loadedName: string
  missingFile: boolean
  isType3Font: boolean
  vertical: boolean
  fontMatrix?: number[]
  defaultVMetrics?: number[]
  charProcOperatorList?: Record<string, Operators>
}

/** The objects of pdf.js. */
export interface Objects {
  has(id: string): boolean
  get(id: string, then?: (value: unknown) => void): unknown
}

export interface Drawn {
  path: ArrayLike<number>
  left: number
  bottom: number
  right: number
  top: number
}

const plain: Matrix = [1, 0, 0, 1, 0, 0]

export const isBlankShape = ({ left, right, bottom, top }: Drawn): boolean =>
  !(right - left > 0.01 || top - bottom > 0.01)

/** More characters than a ligature has are not one glyph. */
const longestLigature = 4
const plainLetter = /^[!-~]$/

/** Whether it is drawn as another letter than the file says. Known for fonts of the system only. */
export function isMisnamed({ fontChar, unicode }: Glyph, { missingFile, isType3Font }: Font): boolean {
  if ([...unicode].length > longestLigature) return true
  if (!missingFile || isType3Font) return false
  return plainLetter.test(fontChar) && /[\p{L}\p{N}]/u.test(unicode) && fontChar !== unicode.normalize('NFKC')
}

const [short, tall, deep] = ['acemnorsuvwxz', 'bdhklABDEFHIKLMNPRTUVXYZ', 'gpqy']
const leastLetters = 6
const leastAgreement = 0.8

/**
 * Fonts in the file may be numbered in any way, so only the shapes tell: small letters without a stem are lower than
 * others, some reach below the line, and one shape is one letter.
 */
export class Shapes {
  readonly #fonts = new Map<string, Map<string, Drawn>>()
  readonly #letters = new Map<string, Set<string>>()
  readonly #drawn = new Map<Font, Map<string, Drawn | null>>()

  /**
   * The outline of a glyph, for a font size of 1. Null where the file does not contain it; without any extent where it
   * is blank.
   */
  find(font: Font, glyph: Glyph, objects: Objects): Drawn | null {
    if (font.missingFile || font.isType3Font) return null
    let known = this.#drawn.get(font)
    if (!known) this.#drawn.set(font, (known = new Map()))
    const key = glyph.fontChar + glyph.unicode
    let drawn = known.get(key)
    if (drawn === undefined) {
      const id = `${font.loadedName}_path_${glyph.fontChar}`
      drawn = objects.has(id)
        ? measure((objects.get(id) as { path: ArrayLike<number> | null }).path ?? [])
        : null
      known.set(key, drawn)
      if (drawn) this.#add(font, glyph, drawn)
    }
    return drawn
  }

  #add(font: Font, { unicode }: Glyph, drawn: Drawn): void {
    if (!/^[A-Za-z0-9]$/.test(unicode)) return
    let letters = this.#fonts.get(font.loadedName)
    if (!letters) this.#fonts.set(font.loadedName, (letters = new Map()))
    if (letters.has(unicode)) return
    letters.set(unicode, drawn)
    const key = Array.from(drawn.path).join()
    const known = this.#letters.get(key)
    if (known) known.add(unicode)
    else this.#letters.set(key, new Set([unicode]))
  }

  /** The fonts of which some letters may not be what a person sees. */
  doubtful(): Set<string> {
    const shared = [...this.#letters].filter(
      ([, letters]) => [...letters].filter((each) => !/[lI1oO0]/.test(each)).length > 1,
    )
    const keys = new Set(shared.map(([key]) => key))
    const isShared = (drawn: Drawn): boolean => keys.has(Array.from(drawn.path).join())
    return new Set(
      [...this.#fonts].flatMap(([name, letters]) =>
        !agree(letters) || (keys.size > 0 && [...letters.values()].some(isShared)) ? [name] : [],
      ),
    )
  }
}

function agree(letters: ReadonlyMap<string, Drawn>): boolean {
  const of = (names: string): Drawn[] => [...names].flatMap((name) => letters.get(name) ?? [])
  const heights = of(short)
    .map(({ top }) => top)
    .toSorted((one, other) => one - other)
  const height = heights[heights.length >> 1]
  if (height === undefined || heights.length < 3) return true
  const answers = [
    ...of(short).map(({ top, bottom }) => Math.abs(top - height) < 0.15 * height && bottom > -0.15 * height),
    ...of(tall).map(({ top }) => top > 1.12 * height),
    ...of(deep).map(({ bottom }) => bottom < -0.15 * height),
  ]
  if (answers.length < leastLetters) return true
  return answers.filter(Boolean).length >= leastAgreement * answers.length
}

/** The square of a letter's body, for a font size of 1, where its outline is not known. */
export function boxOf({ isType3Font }: Font, glyph: Glyph, width: number, drawn: Drawn | null): Drawn {
  if (drawn && !isBlankShape(drawn)) return drawn
  if (isType3Font) return { path: [], left: 0, right: width, bottom: 0, top: 0.8 * width }
  // Blocks and boxes fill their place.
  const isBlock = /[\u2580-\u259f\u25a0-\u25ff]/.test(glyph.fontChar)
  if (isBlock) return { path: [], left: 0, right: width, bottom: -0.1, top: 0.8 }
  const isLow = /^[.,_\u2026]$/.test(glyph.fontChar)
  return { path: [], left: 0.1 * width, right: 0.9 * width, bottom: 0, top: isLow ? 0.12 : 0.5 }
}

function measure(path: ArrayLike<number>): Drawn {
  const { left, top, right, bottom } = boundsOf(readPath(path, plain))
  // Up is down on paper.
  return { path, left, bottom: top, right, top: bottom }
}
