/** Shapes in the cells of a page, and the rows of cells that they fill. */

export type Matrix = readonly [number, number, number, number, number, number]

/** First `inner`, then `outer`. */
export function combine(outer: Matrix, inner: ArrayLike<number>): Matrix {
  const [a, b, c, d, e, f] = outer
  const at = (index: number): number => inner[index] ?? 0
  return [
    a * at(0) + c * at(1),
    b * at(0) + d * at(1),
    a * at(2) + c * at(3),
    b * at(2) + d * at(3),
    a * at(4) + c * at(5) + e,
    b * at(4) + d * at(5) + f,
  ]
}

/** Corners of closed outlines: x and y in turns. */
export type Outline = number[]

export interface Bounds {
  left: number
  top: number
  right: number
  bottom: number
}

/** What may be painted: all within the bounds, or only the cells that are set in `cells`, row by row. */
export interface Clip extends Bounds {
  cells: Uint8Array | null
}

export function quad([a, b, c, d, e, f]: Matrix, left: number, bottom: number, right: number, top: number) {
  const corners = [left, bottom, right, bottom, right, top, left, top]
  const outline: Outline = []
  for (let at = 0; at < 8; at += 2) {
    const [x, y] = [corners[at]!, corners[at + 1]!]
    outline.push(a * x + c * y + e, b * x + d * y + f)
  }
  return outline
}

const curveSteps = 6

/** The outlines of a path as pdf.js writes it: the number of a drawing step, then its coordinates. */
export function readPath(path: ArrayLike<number>, [a, b, c, d, e, f]: Matrix): Outline[] {
  const outlines: Outline[] = []
  let outline: Outline = []
  let [x, y] = [0, 0]
  const add = (toX: number, toY: number): void => {
    ;[x, y] = [toX, toY]
    outline.push(a * x + c * y + e, b * x + d * y + f)
  }
  for (let at = 0; at < path.length;) {
    const step = path[at++]
    const next = (): number => path[at++] ?? 0
    if (step === 0) {
      outlines.push((outline = []))
      add(next(), next())
    } else if (step === 1) add(next(), next())
    else if (step === 2) {
      const [x0, y0, x1, y1, x2, y2, x3, y3] = [x, y, next(), next(), next(), next(), next(), next()]
      for (let count = 1; count <= curveSteps; count++) {
        const t = count / curveSteps
        const u = 1 - t
        const [p, q, r, s] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
        add(p * x0 + q * x1 + r * x2 + s * x3, p * y0 + q * y1 + r * y2 + s * y3)
      }
    } else if (step === 3) {
      const [x0, y0, x1, y1, x2, y2] = [x, y, next(), next(), next(), next()]
      for (let count = 1; count <= curveSteps; count++) {
        const t = count / curveSteps
        const u = 1 - t
        add(u * u * x0 + 2 * u * t * x1 + t * t * x2, u * u * y0 + 2 * u * t * y1 + t * t * y2)
      }
    } else if (step !== 4) break
  }
  return outlines
}

/** The outlines of the lines along a path, that many cells wide. */
export function strokeOf(outlines: readonly Outline[], width: number): Outline[] {
  const lines: Outline[] = []
  for (const outline of outlines)
    for (let at = 0; at + 3 < outline.length; at += 2) {
      const [x, y, toX, toY] = [outline[at]!, outline[at + 1]!, outline[at + 2]!, outline[at + 3]!]
      const length = Math.hypot(toX - x, toY - y)
      if (length === 0) continue
      const [u, v] = [((toY - y) / length) * (width / 2), ((x - toX) / length) * (width / 2)]
      lines.push([x + u, y + v, toX + u, toY + v, toX - u, toY - v, x - u, y - v])
    }
  return lines
}

export function boundsOf(outlines: readonly Outline[]): Bounds {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const outline of outlines)
    for (let at = 0; at < outline.length; at += 2) {
      const [x, y] = [outline[at]!, outline[at + 1]!]
      bounds.left = Math.min(bounds.left, x)
      bounds.right = Math.max(bounds.right, x)
      bounds.top = Math.min(bounds.top, y)
      bounds.bottom = Math.max(bounds.bottom, y)
    }
  return bounds
}

/** The cells whose centre is inside, as runs within a row. */
export function eachRun(
  outlines: readonly Outline[],
  evenOdd: boolean,
  clip: Clip,
  paint: (y: number, from: number, to: number) => void,
): void {
  const bounds = boundsOf(outlines)
  const first = Math.max(clip.top, Math.ceil(bounds.top - 0.5))
  const last = Math.min(clip.bottom, Math.floor(bounds.bottom + 0.5)) - 1
  if (!(first <= last) || bounds.right <= clip.left || bounds.left >= clip.right) return
  if (isUpright(outlines, bounds)) {
    const from = Math.max(clip.left, Math.ceil(bounds.left - 0.5))
    const to = Math.min(clip.right, Math.ceil(bounds.right - 0.5))
    for (let y = first; y <= last && y + 0.5 < bounds.bottom; y++)
      if (from < to) clippedRun(clip, y, from, to, paint)
    return
  }
  const rows: [x: number, turn: number][][] = Array.from({ length: last - first + 1 }, () => [])
  for (const outline of outlines)
    for (let at = 0; at < outline.length; at += 2) {
      const end = at + 2 < outline.length ? at + 2 : 0
      const [x, y, toX, toY] = [outline[at]!, outline[at + 1]!, outline[end]!, outline[end + 1]!]
      const [start, turn] = [Math.max(first, Math.ceil(Math.min(y, toY) - 0.5)), toY > y ? 1 : -1]
      for (let row = start; row <= last && row + 0.5 < Math.max(y, toY); row++)
        rows[row - first]!.push([x + ((row + 0.5 - y) / (toY - y)) * (toX - x), turn])
    }
  for (const [at, crossings] of rows.entries()) {
    if (crossings.length > 2) crossings.sort(([one], [other]) => one - other)
    else if (crossings.length === 2 && crossings[0]![0] > crossings[1]![0]) crossings.reverse()
    let winding = 0
    for (let next = 0; next + 1 < crossings.length; next++) {
      winding += evenOdd ? 1 : crossings[next]![1]
      if (evenOdd ? winding % 2 === 0 : winding === 0) continue
      const from = Math.max(clip.left, Math.ceil(crossings[next]![0] - 0.5))
      const to = Math.min(clip.right, Math.ceil(crossings[next + 1]![0] - 0.5))
      if (from < to) clippedRun(clip, first + at, from, to, paint)
    }
  }
}

function clippedRun(
  clip: Clip,
  y: number,
  from: number,
  to: number,
  paint: (y: number, from: number, to: number) => void,
): void {
  const { cells, left, right, top } = clip
  if (cells === null) return paint(y, from, to)
  const row = (y - top) * (right - left) - left
  for (let x = from; x < to; x++) {
    if (cells[row + x] === 0) continue
    const start = x
    while (x < to && cells[row + x] !== 0) x++
    paint(y, start, x)
  }
}

/** What is inside both. */
export function clipTo(clip: Clip, outlines: readonly Outline[], evenOdd: boolean): Clip {
  const bounds = boundsOf(outlines)
  const left = Math.max(clip.left, Math.floor(bounds.left + 0.5))
  const top = Math.max(clip.top, Math.floor(bounds.top + 0.5))
  const right = Math.max(left, Math.min(clip.right, Math.ceil(bounds.right - 0.5)))
  const bottom = Math.max(top, Math.min(clip.bottom, Math.ceil(bounds.bottom - 0.5)))
  if (!(left < right && top < bottom)) return { left: 0, top: 0, right: 0, bottom: 0, cells: null }
  const inner = { left, top, right, bottom }
  if (clip.cells === null && isUpright(outlines, bounds)) return { ...inner, cells: null }
  const width = right - left
  const cells = new Uint8Array(width * (bottom - top))
  const within = { ...clip }
  eachRun(outlines, evenOdd, within, (y, from, to) => {
    if (y >= top && y < bottom)
      cells.fill(
        1,
        (y - top) * width + Math.max(0, from - left),
        (y - top) * width + Math.min(width, to - left),
      )
  })
  return { ...inner, cells }
}

/** Whether it is one rectangle with level sides. */
function isUpright(outlines: readonly Outline[], { left, top, right, bottom }: Bounds): boolean {
  const [outline] = outlines
  if (outlines.length !== 1 || !outline || (outline.length !== 8 && outline.length !== 10)) return false
  const is = (one: number, other: number): boolean => Math.abs(one - other) < 0.01
  let corners = 0
  for (let at = 0; at < outline.length; at += 2) {
    const [x, y] = [outline[at]!, outline[at + 1]!]
    if (!(is(x, left) || is(x, right)) || !(is(y, top) || is(y, bottom))) return false
    corners |= 1 << ((is(x, left) ? 0 : 1) + (is(y, top) ? 0 : 2))
  }
  return corners === 15 && (is(outline[0]!, outline[2]!) || is(outline[1]!, outline[3]!))
}
