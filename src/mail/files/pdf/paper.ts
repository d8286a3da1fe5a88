/**
 * A page as people see it, in cells of about a point: once with its letters and once without them. A letter is seen
 * where the two differ and no other letter stands.
 */

import { boundsOf, eachRun, quad, type Clip, type Matrix, type Outline } from './shape.ts'

/** Red, green and blue from 0 to 255; null where the colour cannot be told, as in a pattern. */
export interface Paint {
  color: number | null
  alpha: number
  /** A blend mode as pdf.js names it. */
  blend: string
}

/** A picture with its pixels: 4 bytes each, or 3, or 1 bit. */
export interface Pixels {
  width: number
  height: number
  data: Uint8Array | Uint8ClampedArray
  kind: 'rgba' | 'rgb' | 'bits'
}

/** Of a cell whose colour cannot be told. */
const unknown = 0x1_000_000
const white = 0xff_ffff
/** Colours that are closer in all of red, green and blue are one to the eye. */
const leastDifference = 32
/** More of a letter's cells are not compared, so that large letters cost no more than small ones. */
const mostCells = 16
/** A letter that is wider or higher is painted by its outline: its box would hide what is seen through it. */
const largeLetter = 24

export type Sight = 'seen' | 'unseen' | 'doubtful' | 'twice'

export class Paper {
  whole: Clip = { left: 0, top: 0, right: 0, bottom: 0, cells: null }
  #width = 0
  #bare = new Uint32Array(0)
  #inked = new Uint32Array(0)
  /** The number of the last letter in each cell, counted from 1. */
  #letters = new Uint32Array(0)
  #texts: string[] = []
  /** The cells of each letter from its start to the start of the next. */
  #cells = new Uint32Array(4096)
  #starts = [0]

  /** Becomes an empty page of that size. The memory of the page before is used again. */
  clear(width: number, height: number): void {
    this.#width = width
    this.whole = { left: 0, top: 0, right: width, bottom: height, cells: null }
    const size = width * height
    if (this.#bare.length < size) {
      this.#bare = new Uint32Array(size)
      this.#inked = new Uint32Array(size)
      this.#letters = new Uint32Array(size)
    }
    this.#bare.fill(white)
    this.#inked.fill(white)
    this.#letters.fill(0)
    this.#texts = []
    this.#starts = [0]
  }

  fillShape(outlines: readonly Outline[], evenOdd: boolean, paint: Paint, clip: Clip): void {
    if (paint.alpha <= 0) return
    const whole = paint.alpha > 0.99 && paint.blend === 'source-over'
    eachRun(outlines, evenOdd, clip, (y, from, to) => {
      const [start, end] = [y * this.#width + from, y * this.#width + to]
      if (whole) {
        this.#bare.fill(paint.color ?? unknown, start, end)
        this.#inked.fill(paint.color ?? unknown, start, end)
      } else
        for (let cell = start; cell < end; cell++) {
          this.#bare[cell] = mix(this.#bare[cell]!, paint)
          this.#inked[cell] = mix(this.#inked[cell]!, paint)
        }
    })
  }

  /** Into the square from 0 to 1. With bits, `paint` goes where they are 0. */
  place(pixels: Pixels, matrix: Matrix, paint: Paint, clip: Clip): void {
    const [a, b, c, d, e, f] = matrix
    const size = a * d - b * c
    if (size === 0) return
    const { width, height, data, kind } = pixels
    const stride = (width + 7) >> 3
    eachRun([quad(matrix, 0, 0, 1, 1)], false, clip, (y, from, to) => {
      for (let x = from; x < to; x++) {
        const [u, v] = [x + 0.5 - e, y + 0.5 - f]
        const column = Math.min(width - 1, Math.max(0, Math.floor(((d * u - c * v) / size) * width)))
        const row = Math.min(height - 1, Math.max(0, Math.floor((1 - (a * v - b * u) / size) * height)))
        const cell = y * this.#width + x
        let dot = paint
        if (kind === 'bits') {
          if ((data[row * stride + (column >> 3)]! >> (7 - (column & 7))) & 1) continue
        } else {
          const at = (row * width + column) * (kind === 'rgba' ? 4 : 3)
          const color = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!
          dot = {
            ...paint,
            color,
            alpha: kind === 'rgba' ? (paint.alpha * data[at + 3]!) / 255 : paint.alpha,
          }
        }
        this.#bare[cell] = mix(this.#bare[cell]!, dot)
        this.#inked[cell] = mix(this.#inked[cell]!, dot)
      }
    })
  }

  /** `drawn` are its outlines where they are known, else `box` stands for them. Returns the letter's number. */
  write(
    text: string,
    box: Outline,
    drawn: (() => Outline[]) | null,
    paint: Paint | null,
    clip: Clip,
  ): number {
    const number = this.#texts.push(text)
    const start = this.#starts.at(-1)!
    let end = start
    if (paint !== null) {
      const { left, top, right, bottom } = boundsOf([box])
      const isLarge = Math.max(right - left, bottom - top) > largeLetter
      eachRun(isLarge && drawn ? drawn() : [box], false, clip, (y, from, to) => {
        this.#makeRoom(end + to - from)
        for (let x = from; x < to; x++) this.#cells[end++] = y * this.#width + x
      })
      if (end === start) {
        // Smaller than a cell, or between the centres of two.
        const [x, y] = [Math.floor((left + right) / 2), Math.floor((top + bottom) / 2)]
        this.#makeRoom(end + 1)
        if (isInside(clip, x, y)) this.#cells[end++] = y * this.#width + x
      }
      end = this.#ink(number, start, end, paint, isLarge && !drawn)
    }
    this.#starts.push(end)
    return number
  }

  #makeRoom(length: number): void {
    if (length <= this.#cells.length) return
    const cells = new Uint32Array(2 * length)
    cells.set(this.#cells)
    this.#cells = cells
  }

  /** Keeps some of the cells to compare. A large letter without an outline is painted there only. */
  #ink(number: number, start: number, end: number, paint: Paint, isSparse: boolean): number {
    const step = Math.max(1, Math.round((end - start) / mostCells))
    let kept = start
    for (let at = start; at < end; at++) {
      const cell = this.#cells[at]!
      const isKept = (at - start) % step === 0
      if (isKept) this.#cells[kept++] = cell
      else if (isSparse) continue
      this.#inked[cell] = mix(this.#inked[cell]!, paint)
      this.#letters[cell] = number
    }
    return kept
  }

  /** Once everything is painted. */
  look(number: number): Sight {
    const text = this.#texts[number - 1]
    const [start, end] = [this.#starts[number - 1]!, this.#starts[number]!]
    if (start === end) return 'unseen'
    let [seen, doubtful, twice] = [0, 0, 0]
    for (let at = start; at < end; at++) {
      const cell = this.#cells[at]!
      const owner = this.#letters[cell]!
      const bare = this.#bare[cell]!
      const inked = this.#inked[cell]!
      if (owner !== number) twice += this.#texts[owner - 1] === text ? 1 : 0
      else if (bare >= unknown || inked >= unknown) doubtful += 1
      else if (differs(bare, inked)) seen += 1
    }
    const half = (end - start) / 2
    if (seen >= half) return 'seen'
    if (seen + doubtful >= half) return 'doubtful'
    return seen + doubtful + twice >= half ? 'twice' : 'unseen'
  }

  /** Whether what is painted around the box is not of one colour, or unknown: as a scan is where a word stands. */
  isUneven(box: Outline): boolean {
    let [least, most] = [255, 0]
    const { left, top, right, bottom } = boundsOf([box])
    const room = Math.max(2, bottom - top)
    const around = quad([1, 0, 0, 1, 0, 0], left - room, top - room, right + room, bottom + room)
    eachRun([around], false, this.whole, (y, from, to) => {
      for (let x = from; x < to; x++) {
        const color = this.#bare[y * this.#width + x]!
        if (color >= unknown) [least, most] = [0, 255]
        const green = (color >> 8) & 255
        least = Math.min(least, green)
        most = Math.max(most, green)
      }
    })
    return most - least > leastDifference
  }
}

function isInside({ left, top, right, bottom, cells }: Clip, x: number, y: number): boolean {
  if (!(x >= left && x < right && y >= top && y < bottom)) return false
  return cells === null || cells[(y - top) * (right - left) + x - left] !== 0
}

function differs(one: number, other: number): boolean {
  return [16, 8, 0].some(
    (shift) => Math.abs(((one >> shift) & 255) - ((other >> shift) & 255)) >= leastDifference,
  )
}

/** Other blend modes leave a colour that cannot be told. */
const blends: Record<string, (below: number, above: number) => number> = {
  'source-over': (_, above) => above,
  multiply: (below, above) => (below * above) / 255,
}

function mix(below: number, { color, alpha, blend }: Paint): number {
  if (alpha > 0.99 && blend === 'source-over') return color ?? unknown
  if (alpha <= 0) return below
  const by = blends[blend]
  if (below >= unknown || color === null || !by) return unknown
  let mixed = 0
  for (const shift of [16, 8, 0]) {
    const [under, over] = [(below >> shift) & 255, (color >> shift) & 255]
    mixed |= Math.round(under + (by(under, over) - under) * Math.min(1, alpha)) << shift
  }
  return mixed
}
