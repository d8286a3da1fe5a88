/** Follows the text of a PDF's page: where each letter stands, and which are hidden wherever they stand. */

import {
  boxOf,
  isBlankShape,
  isMisnamed,
  type Font,
  type Glyph,
  type Objects,
  type Operators,
  type Shapes,
} from './letters.ts'
import type { Reason } from '../sight.ts'
import type { Paint } from './paper.ts'
import { clipTo, combine, quad, readPath, type Matrix, type Outline } from './shape.ts'
import { paintOf, same, type Easel, type Ops } from './state.ts'

export interface Letter {
  text: string
  /** Its number on the paper; 0 for a blank. */
  number: number
  box: Outline
  font: string
  /** Decided without looking at the paper. */
  hidden: Reason | null
  /** Drawn by steps that the file contains. */
  isOwn: boolean
  isAnnotation: boolean
}

const faintest = 0.06

export class Writer {
  readonly letters: Letter[] = []
  readonly #easel: Easel
  readonly #shapes: Shapes
  /** Font sizes below are too small, in cells. */
  readonly #least: number
  #textClip: Outline[] = []

  constructor(easel: Easel, shapes: Shapes, least: number) {
    ;[this.#easel, this.#shapes, this.#least] = [easel, shapes, least]
  }

  /** Whether it was a step of text. */
  step(operator: number, args: unknown[]): boolean {
    const OPS = this.#easel.ops
    const state = this.#easel.state
    const number = (at = 0): number => Number(args[at])
    switch (operator) {
      case OPS.beginText:
        this.#place(same)
        break
      case OPS.endText:
        if (this.#textClip.length > 0) state.clip = clipTo(state.clip, this.#textClip, false)
        this.#textClip = []
        break
      case OPS.setTextMatrix:
        this.#place((typeof args[0] === 'number' ? args : args[0]) as unknown as Matrix)
        break
      case OPS.moveText:
        this.#move(number(0), number(1))
        break
      case OPS.setLeadingMoveText:
        state.leading = number(1)
        this.#move(number(0), number(1))
        break
      case OPS.nextLine:
        this.#move(0, state.leading)
        break
      case OPS.setLeading:
        state.leading = -number()
        break
      case OPS.setCharSpacing:
        state.charSpacing = number()
        break
      case OPS.setWordSpacing:
        state.wordSpacing = number()
        break
      case OPS.setHScale:
        state.hScale = number() / 100
        break
      case OPS.setTextRise:
        state.rise = number()
        break
      case OPS.setTextRenderingMode:
        state.mode = number()
        break
      case OPS.setFont:
        this.setFont(String(args[0]), number(1))
        break
      case OPS.showText:
        this.#show(args[0] as (Glyph | number)[])
        break
      default:
        return false
    }
    return true
  }

  #place(matrix: Matrix): void {
    Object.assign(this.#easel.state, { textMatrix: matrix, x: 0, y: 0, lineX: 0, lineY: 0 })
  }

  #move(x: number, y: number): void {
    const state = this.#easel.state
    state.x = state.lineX += x
    state.y = state.lineY += y
  }

  setFont(name: string, size: number): void {
    const objects = this.#easel.page.commonObjs as Objects
    this.#easel.state.font = objects.has(name) ? (objects.get(name) as Font) : null
    this.#easel.state.size = size
  }

  #show(glyphs: readonly (Glyph | number)[]): void {
    const state = this.#easel.state
    const { font, size, hScale } = state
    if (!font) return
    const unit = font.fontMatrix?.[0] ?? 0.001
    const matrix = combine(combine(state.ctm, state.textMatrix), [
      hScale,
      0,
      0,
      1,
      state.x,
      state.y + state.rise,
    ])
    let at = 0
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        at += ((font.vertical ? 1 : -1) * glyph * Math.abs(size)) / 1000
        continue
      }
      const spacing = (glyph.isSpace ? state.wordSpacing : 0) + state.charSpacing
      const width = glyph.width * unit
      if (font.vertical) {
        const [advance = -1000, x = glyph.width / 2, y = 880] = glyph.vmetric ?? font.defaultVMetrics ?? []
        this.#write(glyph, width, combine(matrix, [size, 0, 0, size, -x * unit * size, at - y * unit * size]))
        at += advance * unit * Math.abs(size) - spacing
      } else {
        this.#write(glyph, width, combine(matrix, [size, 0, 0, size, at, 0]))
        at += width * size + spacing
      }
    }
    this.#blank('\n')
    if (font.vertical) state.y += at
    else state.x += at * hScale
  }

  /** What is painted in an annotation has no other source of its blanks. */
  #blank(text: string): void {
    if (!this.#easel.isAnnotation || !this.#easel.isPainted) return
    this.letters.push({ text, number: 0, box: [], font: '', hidden: null, isOwn: false, isAnnotation: true })
  }

  /** `matrix` is for a font size of 1. */
  #write(glyph: Glyph, width: number, matrix: Matrix): void {
    const state = this.#easel.state
    const font = state.font!
    const text = glyph.unicode
    if (text.trim() === '') return this.#blank(' ')
    const objects = this.#easel.page.commonObjs as Objects
    const drawn = this.#shapes.find(font, glyph, objects)
    const { left, bottom, right, top } = boxOf(font, glyph, width, drawn)
    const box = quad(matrix, left, bottom, right, top)
    const paint = this.#ink()
    const hidden = this.#hides(glyph, drawn !== null && isBlankShape(drawn), paint, matrix)
    const outlines = drawn ? () => readPath(drawn.path, matrix) : null
    const isWritten = this.#easel.isPainted && paint !== null && hidden !== 'invisible'
    const number = this.#easel.paper.write(text, box, outlines, isWritten ? paint : null, state.clip)
    if (state.mode > 3) this.#textClip.push(box)
    this.letters.push({
      text,
      number,
      box,
      font: font.loadedName,
      hidden: this.#easel.isPainted ? hidden : 'invisible',
      isOwn: font.isType3Font,
      isAnnotation: this.#easel.isAnnotation,
    })
  }

  /** Null in the modes that paint nothing. */
  #ink(): Paint | null {
    const { mode, lineWidth, size } = this.#easel.state
    if (mode === 3 || mode === 7) return null
    const isStroked = mode === 1 || mode === 5
    // A broad line around a letter covers it.
    const isCovered = (mode === 2 || mode === 6) && lineWidth > Math.abs(size) * 0.08
    const paint = paintOf(this.#easel.state, isStroked || isCovered ? 'stroke' : 'fill')
    if (paint.alpha > faintest || (mode !== 2 && mode !== 6)) return paint
    return paintOf(this.#easel.state, 'stroke')
  }

  #hides(glyph: Glyph, isBlank: boolean, paint: Paint | null, [a, b, c, d]: Matrix): Reason | null {
    const font = this.#easel.state.font!
    if (paint === null || paint.alpha < faintest || isBlank) return 'invisible'
    if (!glyph.isInFont && !font.missingFile && !font.isType3Font) return 'invisible'
    if (
      font.isType3Font &&
      isBlankProcedure(font.charProcOperatorList?.[glyph.operatorListId ?? ''], this.#easel.ops)
    )
      return 'invisible'
    // Letters of a Type 3 font may have any size in its own units: only their width tells.
    const unit = font.isType3Font ? 3 * Math.abs(glyph.width * (font.fontMatrix?.[0] ?? 0.001)) : 1
    if (Math.hypot(c, d) * unit < this.#least || Math.hypot(a, b) * unit < this.#least / 2) return 'small'
    return isMisnamed(glyph, font) ? 'misnamed' : null
  }
}

function isBlankProcedure(operators: Operators | undefined, OPS: Ops): boolean {
  if (!operators) return true
  const painting = new Set<number>([
    OPS.constructPath,
    OPS.rawFillPath,
    OPS.shadingFill,
    OPS.showText,
    OPS.paintImageMaskXObject,
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintSolidColorImageMask,
    OPS.paintFormXObjectBegin,
  ])
  return !operators.fnArray.some((operator, at) => {
    const [how] = (operators.argsArray[at] ?? []) as unknown[]
    return painting.has(operator) && !(operator === OPS.constructPath && how === OPS.endPath)
  })
}
