/** `clip`, `clip-path`, `mask` and `transform`: shapes that leave nothing, or move a box away. */

import { parseColor } from './color.ts'
import { computeMath } from './math.ts'
import { parseLength, parseNumber, splitTop } from './value.ts'
import type { Measures } from './value.ts'

/** Thinner than this, a strip shows no letter. */
const thin = 2

/** Old `clip: rect(top, right, bottom, left)`, which holds for boxes taken out of the flow. */
export function clipsAll(value: string, measures: Measures): boolean {
  const body = /^rect\((.*)\)$/s.exec(value)?.[1]
  if (body === undefined) return false
  const [top, right, bottom, left] = body
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((part) => parseLength(part, measures))
  const empty = (from: number | null | undefined, to: number | null | undefined) =>
    to !== null && to !== undefined && to - (from ?? 0) <= thin
  return empty(top, bottom) || empty(left, right)
}

/** Box sides are measured in hundredths, so that lengths and percentages can be told apart roughly. */
export function clipPathHidesAll(value: string, measures: Measures): boolean {
  const call = /^([a-z]+)\((.*)\)$/s.exec(value.trim())
  if (!call) return false
  const [, name = '', body = ''] = call
  const shape = body.split(/\s+round\s+/)[0] ?? ''
  const length = (text: string | undefined) => parseLength(text ?? '0', { ...measures, percent: null })
  const share = (text: string | undefined) => {
    if (text?.endsWith('%')) return Number.parseFloat(text)
    return text?.includes('%') ? parseLength(text, { ...measures, percent: 100 }) : null
  }
  switch (name) {
    case 'inset': {
      const parts = splitTop(shape, ' ')
      const [top = '0', right = top, bottom = top, left = right] = parts
      return closes(top, bottom, length, share) || closes(left, right, length, share)
    }
    case 'circle':
    case 'ellipse': {
      const [radii = '', center = ''] = shape.split(/\s*\bat\b\s*/)
      const sizes = splitTop(radii, ' ').map((part) => share(part) ?? length(part))
      if (sizes.some((size) => size !== null && size <= 1)) return true
      const reach = Math.max(0, ...sizes.map((size) => size ?? 0))
      return (
        sizes.length > 0 &&
        splitTop(center, ' ').some((part) => isAway(share(part) ?? length(part), part, reach))
      )
    }
    case 'polygon':
      return isFlat(
        splitTop(shape, ',').map((point) =>
          splitTop(point, ' ')
            .slice(-2)
            .map((part) => share(part) ?? length(part) ?? 0),
        ),
      )
    case 'rect':
    case 'xywh': {
      const [one, two, three, four] = splitTop(shape, ' ').map((part) => share(part) ?? length(part))
      const none = (size: number | null | undefined) => size !== null && size !== undefined && size <= thin
      if (name === 'xywh') return none(three) || none(four)
      return none(gap(one, three)) || none(gap(four, two))
    }
    case 'path': {
      const numbers = shape.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? []
      if (!/[hvcsqta]/i.test(shape))
        return isFlat(numbers.flatMap((x, at) => (at % 2 === 0 ? [[x, numbers[at + 1] ?? 0]] : [])))
      return numbers.every((number) => number === 0)
    }
    default:
      return false
  }
}

function gap(from: number | null | undefined, to: number | null | undefined): number | null {
  return from === null || from === undefined || to === null || to === undefined ? null : to - from
}

function isAway(place: number | null, text: string, reach: number): boolean {
  if (place === null) return false
  if (text.endsWith('%')) return place <= -50 || place >= 150
  return place < 0 && -place >= reach
}

function closes(
  from: string,
  to: string,
  length: (text: string) => number | null,
  share: (text: string) => number | null,
): boolean {
  const percent = (share(from) ?? 0) + (share(to) ?? 0)
  const pixels =
    (share(from) === null ? (length(from) ?? 0) : 0) + (share(to) === null ? (length(to) ?? 0) : 0)
  return percent >= 99.5 || pixels >= 1000
}

/** Whether a polygon has no inside, or lies wholly off its box. */
function isFlat(points: number[][]): boolean {
  let area = 0
  for (const [at, [x = 0, y = 0]] of points.entries()) {
    const [nextX = 0, nextY = 0] = points[(at + 1) % points.length] ?? []
    area += x * nextY - nextX * y
  }
  const right = Math.max(...points.map(([x = 0]) => x))
  const bottom = Math.max(...points.map(([, y = 0]) => y))
  return Math.abs(area) / 2 <= 2 || right <= 0 || bottom <= 0
}

/** A mask of nothing but transparent colours. */
export function maskHidesAll(value: string): boolean {
  if (value === 'none') return false
  const layers = splitTop(value, ',')
  return layers.every((layer) => {
    const body = /gradient\((.*)\)$/s.exec(layer)?.[1]
    if (body === undefined) return false
    const colors = splitTop(body, ',')
      .flatMap((part) => splitTop(part, ' '))
      .map((word) => parseColor(word))
      .filter((color) => color !== null)
    return colors.length > 0 && colors.every((color) => color.a < 0.06)
  })
}

export interface Move {
  x: number
  y: number
  /** The smaller of both directions; 0 leaves nothing to see. */
  scale: number
}

export function readTransform(
  value: string,
  own: { width: number; height: number },
  measures: Measures,
): Move {
  const move: Move = { x: 0, y: 0, scale: 1 }
  let scaleX = 1
  let scaleY = 1
  let distance = Infinity
  for (const [, name = '', body = ''] of value.matchAll(/([a-z0-9-]+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)/gi)) {
    const parts = splitTop(body.replaceAll(',', ' '), ' ')
    const [a = '0', b, , d] = parts
    const x = (text: string) => parseLength(text, { ...measures, percent: own.width }) ?? 0
    const y = (text: string) => parseLength(text, { ...measures, percent: own.height }) ?? 0
    const number = (text: string | undefined) => (text === undefined ? 1 : (parseNumber(text) ?? 1))
    switch (name.toLowerCase()) {
      case 'translate':
      case 'translate3d':
        move.x += x(a)
        move.y += b === undefined ? 0 : y(b)
        break
      case 'translatex':
        move.x += x(a)
        break
      case 'translatey':
        move.y += y(a)
        break
      case 'scale':
      case 'scale3d':
        scaleX *= number(a)
        scaleY *= b === undefined ? number(a) : number(b)
        break
      case 'scalex':
        scaleX *= number(a)
        break
      case 'scaley':
        scaleY *= number(a)
        break
      case 'rotatex':
        scaleY *= Math.cos(angleOf(a))
        break
      case 'rotatey':
        scaleX *= Math.cos(angleOf(a))
        break
      case 'perspective':
        distance = parseLength(a, measures) ?? Infinity
        break
      case 'translatez': {
        const z = parseLength(a, measures) ?? 0
        // Behind the eye, or so far off that nothing is left.
        const seen = z >= distance ? 0 : distance === Infinity ? 1 : distance / (distance - z)
        scaleX *= seen
        scaleY *= seen
        break
      }
      case 'matrix': {
        const [m11 = 1, m12 = 0, m21 = 0, m22 = 1, dx = 0, dy = 0] = parts.map(Number)
        if (Math.abs(m11 * m22 - m12 * m21) < 1e-4) scaleX = 0
        move.x += dx
        move.y += dy
        scaleX *= Math.hypot(m11, m12)
        scaleY *= Math.hypot(m21, m22)
        break
      }
      case 'matrix3d': {
        const m = parts.map(Number)
        if (Math.abs((m[0] ?? 1) * (m[5] ?? 1) - (m[1] ?? 0) * (m[4] ?? 0)) < 1e-4) scaleX = 0
        move.x += m[12] ?? 0
        move.y += m[13] ?? 0
        break
      }
      case 'rotate3d':
        if (Math.abs(Math.cos(angleOf(d ?? '0'))) < 0.02 && (number(a) !== 0 || number(b) !== 0)) scaleX = 0
        break
      case 'skew':
      case 'skewx':
      case 'skewy':
        if (Math.abs(Math.cos(angleOf(a))) < 0.02) scaleX = 0
        break
    }
  }
  move.scale = Math.min(Math.abs(scaleX), Math.abs(scaleY))
  return move
}

export function angleOf(text: string): number {
  if (text.includes('(')) return computeMath(text, Number) ?? 0
  const value = Number.parseFloat(text)
  if (Number.isNaN(value)) return 0
  if (text.endsWith('grad')) return (value * Math.PI) / 200
  if (text.endsWith('rad')) return value
  if (text.endsWith('turn')) return value * 2 * Math.PI
  return (value * Math.PI) / 180
}
