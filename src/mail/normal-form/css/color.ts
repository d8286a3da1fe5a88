/** CSS colours as red, green, blue (0–255) and alpha (0–1). */

import { namedColors } from './color-names.ts'
import { splitTop } from './value.ts'

export interface Color {
  r: number
  g: number
  b: number
  a: number
}

export const white: Color = { r: 255, g: 255, b: 255, a: 1 }
export const transparent: Color = { r: 0, g: 0, b: 0, a: 0 }

/** Two colours that differ by no more than this in every channel (of 255) cannot be told apart by eye. */
const indistinct = 16

const cache = new Map<string, Color | null>()

/** Null if the text is not a colour; the caller must resolve `currentcolor`. */
export function parseColor(text: string): Color | null {
  const known = cache.get(text)
  if (known !== undefined) return known
  if (cache.size > 2000) cache.clear()
  const color = readColor(text.trim().toLowerCase())
  cache.set(text, color)
  return color
}

function readColor(text: string): Color | null {
  if (text.startsWith('#')) return readHex(text.slice(1))
  const packed = namedColors.get(text)
  if (packed !== undefined) return { r: packed >> 16, g: (packed >> 8) & 255, b: packed & 255, a: 1 }
  if (text === 'transparent') return transparent
  const [, name, body = ''] = /^(rgb|hsl)a?\((.*)\)$/s.exec(text) ?? []
  return name === undefined ? null : readFunction(name, body)
}

export function readHex(hex: string): Color | null {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(hex)) return null
  const digits = hex.length > 4 ? hex : hex.replaceAll(/./g, '$&$&')
  const [r = 0, g = 0, b = 0, a = 255] = digits.match(/../g)!.map((pair) => Number.parseInt(pair, 16))
  return { r, g, b, a: a / 255 }
}

/**
 * Without a doctype a colour may lack its `#`, in a property of its own. What begins with a digit is read as a number
 * first, so `00f` is `00000f`.
 */
export function readQuirky(text: string): Color | null {
  const [, digits, rest = ''] = /^(\d*)([\da-f]*)$/.exec(text) ?? []
  // An exponent makes it a number that is not whole.
  if (digits === undefined || (digits !== '' && /^e\d/.test(rest))) return null
  const hex = digits === '' ? rest : `${Number(digits)}${rest}`.padStart(6, '0')
  return hex.length === 3 || hex.length === 6 ? readHex(hex) : null
}

/** The colour of an attribute such as `bgcolor`: browsers make one of any text. Null where they ignore it. */
export function readLegacy(value: string): Color | null {
  const text = value.trim().toLowerCase()
  if (text === '' || text === 'transparent') return null
  const named = /^[a-z]+$/.test(text) ? parseColor(text) : null
  if (named) return named
  if (/^#[\da-f]{3}$/.test(text)) return readHex(text.slice(1))
  const digits = text
    .replaceAll(/[^\0-\uffff]/gu, '00')
    .slice(0, 128)
    .replace(/^#/, '')
    .replaceAll(/[^\da-f]/g, '0')
  const length = Math.max(1, Math.ceil(digits.length / 3))
  const padded = digits.padEnd(3 * length, '0')
  let parts = [0, 1, 2].map((at) => padded.slice(at * length, (at + 1) * length).slice(-8))
  while (parts[0]!.length > 2 && parts.every((part) => part.startsWith('0')))
    parts = parts.map((part) => part.slice(1))
  return readHex(parts.map((part) => part.slice(0, 2).padStart(2, '0')).join(''))
}

/** A number, or a percentage of `whole`. */
function readNumber(text: string | undefined, whole: number): number {
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(%|deg)?$/.exec(text ?? '')
  if (!match) return Number.NaN
  return match[2] === '%' ? (Number(match[1]) / 100) * whole : Number(match[1])
}

function readFunction(name: string, body: string): Color | null {
  const parts = splitTop(body.replaceAll(/[,/]/g, ' '), ' ')
  const [one, two, three, alpha = '1'] = parts
  if (parts.length > 4) return null
  const rgb =
    name === 'rgb'
      ? [readNumber(one, 255), readNumber(two, 255), readNumber(three, 255)]
      : hslToRgb(readNumber(one, 360), readNumber(two, 100) / 100, readNumber(three, 100) / 100)
  const a = Math.min(1, Math.max(0, readNumber(alpha, 1)))
  if (rgb.some(Number.isNaN) || Number.isNaN(a)) return null
  const [r = 0, g = 0, b = 0] = rgb.map((value) => Math.min(255, Math.max(0, value)))
  return { r, g, b, a }
}

function hslToRgb(hue: number, saturation: number, lightness: number): number[] {
  const channel = (shift: number) => {
    const k = (shift + (((hue % 360) + 360) % 360) / 30) % 12
    const amount = saturation * Math.min(lightness, 1 - lightness)
    return 255 * (lightness - amount * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

/** `over` painted on an opaque background. */
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
