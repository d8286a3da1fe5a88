/** The channels of a colour in the spaces that CSS names, for colours made from other colours. */

/** Red, green, blue (0–255) and alpha (0–1). */
export interface Color {
  r: number
  g: number
  b: number
  a: number
}

/** By the names they have in `rgb(from …)`, in the numbers these are written in. */
export type Channels = Record<string, number>

/** Null where the space is not known. */
export function channelsIn(space: string, color: Color): Channels | null {
  const { r, g, b, a: alpha } = color
  const [red, green, blue] = [r / 255, g / 255, b / 255]
  switch (space) {
    case 'rgb':
    case 'rgba':
      return { r, g, b, alpha }
    case 'srgb':
    case 'display-p3':
    case 'a98-rgb':
    case 'prophoto-rgb':
    case 'rec2020':
      return { r: red, g: green, b: blue, alpha }
    case 'srgb-linear':
      return { r: linear(r), g: linear(g), b: linear(b), alpha }
    case 'hsl':
    case 'hsla':
    case 'hwb':
      return { ...hueOf(red, green, blue), alpha }
    case 'oklab':
    case 'oklch': {
      const [l, x, y] = toOklab(color)
      return { l, a: x, b: y, c: Math.hypot(x, y), h: hue(x, y), alpha }
    }
    case 'lab':
    case 'lch': {
      const [l, x, y] = toLab(color)
      return { l, a: x, b: y, c: Math.hypot(x, y), h: hue(x, y), alpha }
    }
    case 'xyz':
    case 'xyz-d65':
    case 'xyz-d50': {
      const [x, y, z] = toXyz(color)
      return { x, y, z, alpha }
    }
    default:
      return null
  }
}

/** Hue in degrees, the rest of 100. Lightness and whiteness, saturation and blackness share no names. */
function hueOf(r: number, g: number, b: number): Channels {
  const most = Math.max(r, g, b)
  const least = Math.min(r, g, b)
  const span = most - least
  const lightness = (most + least) / 2
  const turn =
    span === 0 ? 0 : most === r ? ((g - b) / span) % 6 : most === g ? (b - r) / span + 2 : (r - g) / span + 4
  const saturation = span === 0 ? 0 : span / (1 - Math.abs(2 * lightness - 1))
  return {
    h: (turn * 60 + 360) % 360,
    s: saturation * 100,
    l: lightness * 100,
    w: least * 100,
    b: (1 - most) * 100,
  }
}

function linear(channel: number): number {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

export function luminance({ r, g, b }: Color): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

function toXyz({ r: red, g: green, b: blue }: Color): [number, number, number] {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  return [
    0.4124 * r + 0.3576 * g + 0.1805 * b,
    0.2126 * r + 0.7152 * g + 0.0722 * b,
    0.0193 * r + 0.1192 * g + 0.9505 * b,
  ]
}

function toLab(color: Color): [number, number, number] {
  const [x, y, z] = toXyz(color)
  const root = (t: number) => (t > 0.008856 ? Math.cbrt(t) : (903.3 * t + 16) / 116)
  const [fx, fy, fz] = [root(x / 0.9505), root(y), root(z / 1.089)]
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)]
}

function toOklab({ r: red, g: green, b: blue }: Color): [number, number, number] {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const x = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const y = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const z = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * x + 0.793617785 * y - 0.0040720468 * z,
    1.9779984951 * x - 2.428592205 * y + 0.4505937099 * z,
    0.0259040371 * x + 0.7827717662 * y - 0.808675766 * z,
  ]
}

const hue = (x: number, y: number) => ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360
