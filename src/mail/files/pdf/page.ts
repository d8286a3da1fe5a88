/** Follows what a PDF's page paints, as pdf.js does, to tell which of its letters a person sees. */

import type { Operators, Shapes } from './letters.ts'
import type { Paper } from './paper.ts'
import { Pictures } from './pictures.ts'
import { clipTo, combine, quad, readPath, strokeOf, type Matrix } from './shape.ts'
import {
  beginState,
  paintOf,
  readColor,
  scaleOf,
  type Easel,
  type Layers,
  type Ops,
  type Page,
  type State,
} from './state.ts'
import { Writer } from './writer.ts'

/** What the pages of a file share. */
export interface Desk {
  shapes: Shapes
  paper: Paper
}

const mostCells = 500_000
/** Letters smaller than this many points are left out, on a page as wide as paper. */
const leastSize = 4
const paperWidth = 600

export class PageWalk implements Easel {
  readonly paper: Paper
  readonly writer: Writer
  readonly pictures: Pictures
  readonly ops: Ops
  readonly page: Page
  readonly #layers: Layers
  readonly #base: Matrix
  state: State
  #saved: State[] = []
  #shown: boolean[] = []
  /** Open groups; true for one that is a mask and not painted. */
  #groups: boolean[] = []
  #masks = 0
  #pendingClip: 'clip' | 'eoClip' | null = null
  isAnnotation = false

  constructor(page: Page, layers: Layers, ops: Ops, { shapes, paper }: Desk) {
    ;[this.page, this.#layers, this.ops, this.paper] = [page, layers, ops, paper]
    const { width, height, transform } = page.getViewport({ scale: 1 })
    const scale = Math.min(2, Math.sqrt(mostCells / Math.max(1, width * height)))
    paper.clear(Math.max(1, Math.ceil(width * scale)), Math.max(1, Math.ceil(height * scale)))
    this.#base = combine([scale, 0, 0, scale, 0, 0], transform)
    const wide = Math.max(1, width) / paperWidth
    this.writer = new Writer(this, shapes, scale * Math.max(leastSize * Math.min(1, wide), wide))
    this.pictures = new Pictures(this)
    this.state = beginState(this.#base, this.paper.whole)
  }

  async follow({ fnArray, argsArray }: Operators): Promise<void> {
    for (const [at, operator] of fnArray.entries()) {
      const waiting = this.#step(operator, (argsArray[at] ?? []) as unknown[])
      if (waiting) await waiting
    }
  }

  get isPainted(): boolean {
    return this.#masks === 0 && !this.#shown.includes(false)
  }

  /** A promise where a picture may still have to be read. */
  #step(operator: number, args: unknown[]): Promise<void> | undefined {
    const OPS = this.ops
    const state = this.state
    const number = (at = 0): number => Number(args[at])
    switch (operator) {
      case OPS.save:
        this.#saved.push({ ...state })
        break
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        this.state = this.#saved.pop() ?? state
        break
      case OPS.transform:
        state.ctm = combine(state.ctm, args as number[])
        break
      case OPS.paintFormXObjectBegin:
        this.#saved.push({ ...state })
        if (args[0]) state.ctm = combine(state.ctm, args[0] as number[])
        if (args[1]) this.#clipToBox(args[1] as number[], state.ctm)
        break
      case OPS.beginGroup:
        this.#beginGroup(args[0] as Group)
        break
      case OPS.endGroup:
        if (this.#groups.pop()) this.#masks -= 1
        this.state = this.#saved.pop() ?? state
        break
      case OPS.beginAnnotation:
        this.#beginAnnotation(args as [string, number[], number[], number[]])
        break
      case OPS.endAnnotation:
        this.isAnnotation = false
        this.#shown.pop()
        this.state = this.#saved.pop() ?? state
        break
      case OPS.beginMarkedContent:
        this.#shown.push(true)
        break
      case OPS.beginMarkedContentProps:
        this.#shown.push(args[0] !== 'OC' || this.#layers.isVisible(args[1]))
        break
      case OPS.endMarkedContent:
        this.#shown.pop()
        break
      case OPS.setGState:
        for (const [key, value] of args[0] as [string, unknown][]) this.#set(key, value)
        break
      case OPS.setLineWidth:
        state.lineWidth = number()
        break
      case OPS.setFillRGBColor:
        state.fill = readColor(args[0])
        break
      case OPS.setStrokeRGBColor:
        state.stroke = readColor(args[0])
        break
      case OPS.setFillColorN:
        state.fill = null
        break
      case OPS.setStrokeColorN:
        state.stroke = null
        break
      case OPS.setFillTransparent:
        state.fill = -1
        break
      case OPS.setStrokeTransparent:
        state.stroke = -1
        break
      case OPS.clip:
        this.#pendingClip = 'clip'
        break
      case OPS.eoClip:
        this.#pendingClip = 'eoClip'
        break
      case OPS.constructPath:
        this.#path(number(0), (args[1] as ArrayLike<number>[])[0])
        break
      case OPS.rawFillPath:
        this.#path(OPS.fill, (args[0] as ArrayLike<number>[])[0])
        break
      case OPS.shadingFill:
        this.#fillAll()
        break
      default:
        if (!this.writer.step(operator, args) && this.pictures.isPicture(operator))
          return this.pictures.step(operator, args)
    }
    return undefined
  }

  #set(key: string, value: unknown): void {
    const state = this.state
    if (key === 'ca') state.fillAlpha = Number(value)
    else if (key === 'CA') state.strokeAlpha = Number(value)
    else if (key === 'BM') state.blend = String(value)
    else if (key === 'SMask') state.isMasked = value !== false
    else if (key === 'LW') state.lineWidth = Number(value)
    else if (key === 'Font') {
      const [name, size] = value as [string, number]
      this.writer.setFont(name, size)
    }
  }

  #clipToBox(
    [left = 0, bottom = 0, right = 0, top = 0]: ArrayLike<number> & Iterable<number>,
    matrix: Matrix,
  ): void {
    this.state.clip = clipTo(this.state.clip, [quad(matrix, left, bottom, right, top)], false)
  }

  #beginGroup({ matrix, bbox, smask }: Group): void {
    const state = this.state
    this.#saved.push({ ...state })
    this.#groups.push(Boolean(smask))
    if (smask) this.#masks += 1
    if (bbox) this.#clipToBox(bbox, matrix ? combine(state.ctm, matrix) : state.ctm)
    state.groupAlpha *= state.fillAlpha
    if (state.blend !== 'source-over') state.groupBlend = state.blend
    Object.assign(state, { fillAlpha: 1, strokeAlpha: 1, blend: 'source-over' })
  }

  #beginAnnotation([, rectangle, transform, matrix]: [string, number[], number[], number[]]): void {
    this.#saved.push({ ...this.state })
    const state = beginState(this.#base, this.paper.whole)
    this.state = state
    this.isAnnotation = true
    this.#shown.push(true)
    if (rectangle) this.#clipToBox(rectangle, state.ctm)
    state.ctm = combine(combine(state.ctm, transform), matrix)
  }

  #path(how: number, path: ArrayLike<number> | undefined): void {
    const OPS = this.ops
    const state = this.state
    const outlines = path ? readPath(path, state.ctm) : []
    const isEven = how === OPS.eoFill || how === OPS.eoFillStroke || how === OPS.closeEOFillStroke
    const isFilled = isEven || how === OPS.fill || how === OPS.fillStroke || how === OPS.closeFillStroke
    const isStroked = how !== OPS.fill && how !== OPS.eoFill && how !== OPS.endPath
    if (this.isPainted) {
      if (isFilled) this.paper.fillShape(outlines, isEven, paintOf(this.state, 'fill'), state.clip)
      if (isStroked)
        this.paper.fillShape(
          strokeOf(outlines, state.lineWidth * scaleOf(state)),
          false,
          paintOf(this.state, 'stroke'),
          state.clip,
        )
    }
    if (this.#pendingClip) state.clip = clipTo(state.clip, outlines, this.#pendingClip === 'eoClip')
    this.#pendingClip = null
  }

  #fillAll(): void {
    const { left, top, right, bottom } = this.state.clip
    const all = [left, top, right, top, right, bottom, left, bottom]
    if (this.isPainted)
      this.paper.fillShape([all], false, { ...paintOf(this.state, 'fill'), color: null }, this.state.clip)
  }
}

interface Group {
  matrix: number[] | null
  bbox: Float32Array | null
  smask: unknown
}
