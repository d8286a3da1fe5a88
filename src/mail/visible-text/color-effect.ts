/** Filters and blend modes, as far as they change a colour. */

import type { Color } from './css/color.ts'
import { parseNumber } from './css/value.ts'

/** One call of a `filter` list, such as `invert(1)`. */
export function readFilters(value: string): { name: string; amount: number }[] {
  return [...value.matchAll(/([a-z-]+)\(\s*([^()]*)\)/g)].map(([, name = '', argument = '']) => ({
    name,
    amount:
      argument.trim() === ''
        ? 1
        : name === 'blur'
          ? Number.parseFloat(argument)
          : (parseNumber(argument) ?? 1),
  }))
}

export function filterColor(filters: string[], color: Color): Color {
  let result = color
  for (const value of filters)
    for (const { name, amount } of readFilters(value)) result = applyFilter(name, amount, result)
  return result
}

function applyFilter(name: string, amount: number, color: Color): Color {
  const each = (change: (channel: number) => number): Color => {
    const clamp = (channel: number) => Math.min(255, Math.max(0, change(channel)))
    return { r: clamp(color.r), g: clamp(color.g), b: clamp(color.b), a: color.a }
  }
  switch (name) {
    case 'brightness':
      return each((channel) => channel * amount)
    case 'contrast':
      return each((channel) => (channel - 127.5) * amount + 127.5)
    case 'invert':
      return each((channel) => channel + (255 - 2 * channel) * Math.min(1, amount))
    case 'grayscale':
    case 'saturate': {
      const gray = 0.2126 * color.r + 0.7152 * color.g + 0.0722 * color.b
      const share = name === 'saturate' ? amount : 1 - Math.min(1, amount)
      return each((channel) => gray + (channel - gray) * share)
    }
    default:
      return color
  }
}

/** The backdrop is opaque; modes that mix hues are left as they are. */
export function blendColors(mode: string, over: Color, base: Color): Color {
  const blend = (s: number, b: number): number => {
    switch (mode) {
      case 'multiply':
        return (s * b) / 255
      case 'screen':
        return s + b - (s * b) / 255
      case 'darken':
        return Math.min(s, b)
      case 'lighten':
        return Math.max(s, b)
      case 'plus-lighter':
        return Math.min(255, s + b)
      case 'difference':
        return Math.abs(s - b)
      case 'exclusion':
        return s + b - (2 * s * b) / 255
      case 'color-dodge':
        return b === 0 ? 0 : s >= 255 ? 255 : Math.min(255, (b * 255) / (255 - s))
      case 'color-burn':
        return b >= 255 ? 255 : s <= 0 ? 0 : 255 - Math.min(255, ((255 - b) * 255) / s)
      case 'hard-light':
        return s <= 127.5 ? (2 * s * b) / 255 : 255 - (2 * (255 - s) * (255 - b)) / 255
      case 'overlay':
        return b <= 127.5 ? (2 * s * b) / 255 : 255 - (2 * (255 - s) * (255 - b)) / 255
      case 'soft-light':
        return b >= 255 || b <= 0 ? b : s
      default:
        return s
    }
  }
  return { r: blend(over.r, base.r), g: blend(over.g, base.g), b: blend(over.b, base.b), a: over.a }
}
