import { crc32, deflateSync } from 'node:zlib'
import type { DemoFile } from './thread.ts'

/** Small pictures of framed prints, drawn by formula, so that the demo has real image files to show. */

type Colour = readonly [number, number, number]

const frames = {
  blue: [38, 84, 160],
  oak: [186, 142, 88],
  walnut: [84, 54, 36],
  green: [62, 118, 82],
  white: [236, 234, 228],
  red: [168, 48, 44],
  black: [34, 34, 38],
} satisfies Record<string, Colour>

export interface Picture {
  frame: keyof typeof frames
  motif?: 'harbour' | 'pears' | 'night' | 'empty'
  damage?: 'corner' | 'scratch' | 'glass' | 'box'
}

const width = 240
const height = 180
const wall: Colour = [222, 214, 200]
const mat: Colour = [248, 246, 240]
const ink: Colour = [30, 26, 24]

export function photo(filename: string, picture: Picture): DemoFile {
  let content: Buffer | null = null
  return () => {
    content ??= encodePng(width, height, draw(picture))
    return { filename, contentType: 'image/png', content }
  }
}

function draw(picture: Picture): (x: number, y: number) => Colour {
  return (x, y) => {
    const u = x / width
    const v = y / height
    return damaged(picture, u, v) ?? framed(picture, u, v)
  }
}

function framed({ frame, motif = 'harbour' }: Picture, u: number, v: number): Colour {
  const depth = Math.min(u - 0.1, 0.9 - u, (v - 0.08) * 0.75, (0.92 - v) * 0.75)
  if (depth < 0) return shade(wall, 1 - v * 0.15)
  // Light falls from the upper left, so that the mitred corners show.
  if (depth < 0.07) return shade(frames[frame], u + v < 1 ? 1.12 : 0.82)
  if (depth < 0.12) return mat
  return motifs[motif]((u - 0.22) / 0.56, (v - 0.24) / 0.52)
}

const motifs: Record<NonNullable<Picture['motif']>, (u: number, v: number) => Colour> = {
  harbour: (u, v) => {
    if (Math.hypot(u - 0.7, (v - 0.35) * 0.7) < 0.11) return [250, 214, 120]
    if (v < 0.6) return shade([120, 168, 214], 0.8 + v * 0.45)
    if (Math.abs(u - 0.3) < 0.16 - (v - 0.62) && v < 0.72) return [150, 52, 44]
    return shade([52, 96, 130], 0.9 + 0.15 * Math.sin(v * 60 + u * 8))
  },
  pears: (u, v) => {
    for (const x of [0.25, 0.5, 0.75]) {
      if (Math.hypot(u - x, (v - 0.62) * 0.8) < 0.11 || Math.hypot(u - x, (v - 0.4) * 0.7) < 0.06)
        return shade([176, 182, 70], 1.1 - Math.abs(u - x) * 2)
    }
    return v > 0.76 ? [170, 120, 80] : [238, 222, 196]
  },
  night: (u, v) => {
    if (v > 0.6 && v < 0.7 && (u * 9) % 1 < 0.7) return [250, 220, 130]
    if (v > 0.56 && v < 0.8) return [120, 40, 40]
    return v > 0.8 ? [20, 24, 34] : shade([28, 36, 70], 0.7 + v)
  },
  empty: () => [206, 206, 202],
}

function damaged({ damage }: Picture, u: number, v: number): Colour | null {
  if (damage === 'corner' && u < 0.9 && v < 0.92) {
    const depth = u + v * 0.9 + 0.02 * Math.sin(u * 90) - 1.6
    if (depth > 0) return depth < 0.04 ? [226, 200, 160] : shade(wall, 0.84)
  }
  if (damage === 'scratch' && u > 0.3 && u < 0.7 && Math.abs(v - 0.13 - 0.015 * Math.sin(u * 20)) < 0.006)
    return [240, 232, 214]
  if (damage === 'glass' && isCrack(u - 0.47, v - 0.46)) return [250, 250, 252]
  if (damage === 'box') {
    if (Math.abs(u - 0.5) < 0.04) return [150, 112, 70]
    return u + v < 0.45 + 0.04 * Math.sin(u * 50) ? ink : shade([196, 158, 108], 1 - v * 0.2)
  }
  return null
}

/** Seven rays from the point of impact, each with a slight bend. */
function isCrack(x: number, y: number): boolean {
  const radius = Math.hypot(x, y)
  const turn = (Math.atan2(y, x) / Math.PI + 1) * 3.5 + Math.sin(radius * 30) * 0.08
  return radius < 0.26 && Math.abs(turn - Math.round(turn)) * radius < 0.006
}

function shade([red, green, blue]: Colour, by: number): Colour {
  return [lighten(red, by), lighten(green, by), lighten(blue, by)]
}

function lighten(value: number, by: number): number {
  return Math.min(255, Math.round(value * by))
}

/** 8-bit truecolour PNG (ISO 15948), every row with filter 0. */
export function encodePng(width: number, height: number, pixel: (x: number, y: number) => Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0, at = 0; y < height; y++) {
    at++
    for (let x = 0; x < width; x++) for (const part of pixel(x, y)) rows[at++] = part
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}
