/** How a PDF's page paints at some point: what is saved and restored. */

import type { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import type { Font } from './letters.ts'
import type { Paint, Paper } from './paper.ts'
import type { Clip, Matrix } from './shape.ts'

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
export type Page = Awaited<ReturnType<Document['getPage']>>
export type Layers = Awaited<ReturnType<Document['getOptionalContentConfig']>>
export type Ops = Awaited<ReturnType<typeof getResolvedPDFJS>>['OPS']

export interface State {
  ctm: Matrix
  clip: Clip
  fill: number | null
  stroke: number | null
  fillAlpha: number
  strokeAlpha: number
  blend: string
  /** Of the groups around. */
  groupAlpha: number
  groupBlend: string
  /** A mask makes some of it transparent. */
  isMasked: boolean
  lineWidth: number
  font: Font | null
  size: number
  mode: number
  rise: number
  charSpacing: number
  wordSpacing: number
  hScale: number
  leading: number
  textMatrix: Matrix
  x: number
  y: number
  lineX: number
  lineY: number
}

/** Where something is painted. */
export interface Easel {
  readonly page: Page
  readonly ops: Ops
  readonly paper: Paper
  readonly state: State
  /** False on layers that are off, and in masks. */
  readonly isPainted: boolean
  readonly isAnnotation: boolean
}

export const same: Matrix = [1, 0, 0, 1, 0, 0]

export function beginState(ctm: Matrix, clip: Clip): State {
  return {
    ctm,
    clip,
    fill: 0,
    stroke: 0,
    fillAlpha: 1,
    strokeAlpha: 1,
    blend: 'source-over',
    groupAlpha: 1,
    groupBlend: 'source-over',
    isMasked: false,
    lineWidth: 1,
    font: null,
    size: 0,
    mode: 0,
    rise: 0,
    charSpacing: 0,
    wordSpacing: 0,
    hScale: 1,
    leading: 0,
    textMatrix: same,
    x: 0,
    y: 0,
    lineX: 0,
    lineY: 0,
  }
}

export function paintOf(state: State, kind: 'fill' | 'stroke'): Paint {
  const color = state[kind]
  const own = kind === 'fill' ? state.fillAlpha : state.strokeAlpha
  return {
    color: state.isMasked || color === -1 ? null : color,
    alpha: color === -1 ? 0 : own * state.groupAlpha,
    blend: state.blend === 'source-over' ? state.groupBlend : state.blend,
  }
}

/** How much longer a line becomes on the paper. */
export function scaleOf({ ctm: [a, b, c, d] }: State): number {
  return Math.sqrt(Math.abs(a * d - b * c))
}

/** As `#rrggbb`. */
export function readColor(value: unknown): number | null {
  const color = Number.parseInt(String(value).slice(1), 16)
  return Number.isNaN(color) ? null : color
}
