/** CSS colours as red, green, blue (0–255) and alpha (0–1). */

import { namedColors } from './color-names.ts'
import { splitTop } from './value.ts'

export interface Color {
  r: number
  g: number
  b: number
  a: number
}

export const black: Color = { r: 0, g: 0, b: 0, a: 1 }
export const white: Color = { r: 255, g: 255, b: 255, a: 1 }
export const transparent: Color = { r: 0, g: 0, b: 0, a: 0 }

/** Two grounds nearer than this in every channel (of 255) cannot be told apart by eye. */
const indistinct = 16

const cache = new Map<string, Color | null>()

/** Null for what is no colour; `currentcolor` must be put in by the caller. */
export function parseColor(text: string, depth = 0): Color | null {
  const known = cache.get(text)
  if (known !== undefined) return known
  if (cache.size > 2000) cache.clear()
  const color = readColor(text.trim().toLowerCase(), depth)
  cache.set(text, color)
  return color
}

function readColor(text: string, depth: number): Color | null {
  if (text.startsWith('#')) return readHex(text.slice(1))
  const packed = namedColors.get(text)
  if (packed !== undefined) return { r: packed >> 16, g: (packed >> 8) & 255, b: packed & 255, a: 1 }
  if (text === 'transparent') return transparent
  const call = /^([a-z-]+)\((.*)\)$/s.exec(text)
  if (!call || depth > 4) return null
  const [, name = '', body = ''] = call
  if (name === 'light-dark') return parseColor(splitTop(body, ',')[0] ?? '', depth + 1)
  return readFunction(name, body)
}

export function readHex(hex: string): Color | null {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(hex)) return null
  const wide = hex.length > 4
  const channel = (at: number) =>
    wide ? Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16) : Number.parseInt(hex[at] ?? 'f', 16) * 17
  const hasAlpha = hex.length === 4 || hex.length === 8
  return { r: channel(0), g: channel(1), b: channel(2), a: hasAlpha ? channel(3) / 255 : 1 }
}

/** What old HTML attributes mean by a colour: anything is one. */
export function parseLegacyColor(text: string): Color | null {
  const value = text.trim().toLowerCase()
  if (value === '' || value === 'transparent') return null
  const packed = namedColors.get(value)
  if (packed !== undefined) return { r: packed >> 16, g: (packed >> 8) & 255, b: packed & 255, a: 1 }
  if (/^#[0-9a-f]{3}$/.test(value)) return readHex(value.slice(1))
  let digits = value
    .slice(0, 128)
    .replace(/^#/, '')
    .replace(/[^0-9a-f]/g, '0')
  while (digits.length === 0 || digits.length % 3 !== 0) digits += '0'
  let length = digits.length / 3
  let parts = [digits.slice(0, length), digits.slice(length, length * 2), digits.slice(length * 2)]
  if (length > 8) parts = parts.map((part) => part.slice(-8))
  length = Math.min(length, 8)
  while (length > 2 && parts.every((part) => part.startsWith('0'))) {
    parts = parts.map((part) => part.slice(1))
    length -= 1
  }
  const [r = 0, g = 0, b = 0] = parts.map((part) => Number.parseInt(part.slice(0, 2), 16))
  return { r, g, b, a: 1 }
}

/** A number, or a percentage of `whole`; an angle in degrees when it has a unit of angle. */
function readNumber(text: string | undefined, whole: number): number {
  if (text === undefined || text === 'none') return 0
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|deg|rad|grad|turn)?$/.exec(text)
  if (!match) return Number.NaN
  const value = Number(match[1])
  if (match[2] === '%') return (value / 100) * whole
  if (match[2] === 'rad') return (value * 180) / Math.PI
  if (match[2] === 'grad') return value * 0.9
  if (match[2] === 'turn') return value * 360
  return value
}

function readFunction(name: string, body: string): Color | null {
  const parts = splitTop(body.replaceAll(/[,/]/g, ' '), ' ')
  const space = name === 'color' ? parts.shift() : name
  const [one, two, three, four] = parts
  if (three === undefined || parts.length > 4) return null
  const a = four === undefined ? 1 : Math.min(1, Math.max(0, readNumber(four, 1)))
  const rgb = toRgb(space ?? '', [one, two, three], readNumber)
  if (!rgb || rgb.some(Number.isNaN) || Number.isNaN(a)) return null
  const [r = 0, g = 0, b = 0] = rgb.map((value) => Math.min(255, Math.max(0, value)))
  return { r, g, b, a }
}

function toRgb(
  space: string,
  [one, two, three]: (string | undefined)[],
  n: (text: string | undefined, whole: number) => number,
): number[] | null {
  switch (space) {
    case 'rgb':
    case 'rgba':
      return [n(one, 255), n(two, 255), n(three, 255)]
    case 'hsl':
    case 'hsla':
      return hslToRgb(n(one, 360), percent(two, n), percent(three, n))
    case 'oklab':
      return oklabToRgb(n(one, 1), n(two, 0.4), n(three, 0.4))
    case 'oklch':
      return oklabToRgb(n(one, 1), ...polar(n(two, 0.4), n(three, 360)))
    case 'srgb':
    case 'display-p3':
      return [n(one, 1) * 255, n(two, 1) * 255, n(three, 1) * 255]
    default:
      return null
  }
}

/** Saturation and the like, which modern syntax also takes as bare numbers of 100. */
function percent(text: string | undefined, n: (text: string | undefined, whole: number) => number): number {
  return Math.min(1, Math.max(0, text?.endsWith('%') ? n(text, 1) : n(text, 100) / 100))
}

function polar(chroma: number, hue: number): [number, number] {
  const angle = (hue * Math.PI) / 180
  return [chroma * Math.cos(angle), chroma * Math.sin(angle)]
}

function hslToRgb(hue: number, saturation: number, lightness: number): number[] {
  const channel = (shift: number) => {
    const k = (shift + (((hue % 360) + 360) % 360) / 30) % 12
    const amount = saturation * Math.min(lightness, 1 - lightness)
    return 255 * (lightness - amount * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

function oklabToRgb(l: number, a: number, b: number): number[] {
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return linearToRgb([
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ])
}

function linearToRgb(values: number[]): number[] {
  return values.map(
    (value) => 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055),
  )
}

/** The colour at `t` (0–1) between two, by premultiplied alpha. */
export function between(from: Color, to: Color, t: number): Color {
  const a = from.a * (1 - t) + to.a * t
  if (a === 0) return transparent
  const channel = (x: number, y: number) => (x * from.a * (1 - t) + y * to.a * t) / a
  return { r: channel(from.r, to.r), g: channel(from.g, to.g), b: channel(from.b, to.b), a }
}

/** `over` painted on an opaque ground. */
export function paint(over: Color, ground: Color): Color {
  if (over.a >= 1) return over
  if (over.a <= 0) return ground
  const channel = (x: number, y: number) => x * over.a + y * (1 - over.a)
  return { r: channel(over.r, ground.r), g: channel(over.g, ground.g), b: channel(over.b, ground.b), a: 1 }
}

export function looksAlike(one: Color, two: Color): boolean {
  return (
    Math.abs(one.r - two.r) <= indistinct &&
    Math.abs(one.g - two.g) <= indistinct &&
    Math.abs(one.b - two.b) <= indistinct
  )
}

function luminance({ r, g, b }: Color): number {
  const linear = (channel: number) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/** From 1 (the same) to 21 (black on white). */
export function contrast(one: Color, two: Color): number {
  const [a, b] = [luminance(one) + 0.05, luminance(two) + 0.05]
  return a > b ? a / b : b / a
}

export function writeColor({ r, g, b }: Color): string {
  const hex = (channel: number) => Math.round(channel).toString(16).padStart(2, '0')
  return `#${hex(r)}${hex(g)}${hex(b)}`
}
