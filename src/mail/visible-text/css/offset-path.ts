/** `offset-path`: how far along a line a box was put, where that is far off. */

import { angleOf } from './clip.ts'
import { parseLength, splitTop } from './value.ts'
import type { Measures } from './value.ts'
import { spend } from '../../work.ts'

/** Where exactly on its line a box stands is not followed: only what is far away on the whole line counts. */
const far = -500

export function readOffset(path: string, distance: string, measures: Measures): { x: number; y: number } {
  const ray = /^ray\((.*)\)$/s.exec(path)?.[1]
  if (ray !== undefined) {
    const angle = angleOf(splitTop(ray, ' ').find((part) => /^[-+.\d]|\(/.test(part)) ?? '0')
    const length = parseLength(distance, { ...measures, percent: null }) ?? 0
    return { x: onlyFar(length * Math.sin(angle)), y: onlyFar(-length * Math.cos(angle)) }
  }
  // The pattern may look at each place from each place.
  spend(path.length * path.length)
  // Of straight lines only, as their points bound them.
  const points = /^path\(\s*["']m([^a-z]*(?:l[^a-z]*)*)z?\s*["']\s*\)$/i.exec(path)?.[1]
  const numbers = points?.match(/[+-]?(?:\d+\.?\d*|\.\d+)/g)?.map(Number) ?? []
  if (numbers.length < 2) return { x: 0, y: 0 }
  return {
    x: onlyFar(Math.max(...numbers.filter((_, at) => at % 2 === 0))),
    y: onlyFar(Math.max(...numbers.filter((_, at) => at % 2 === 1))),
  }
}

const onlyFar = (place: number) => (place <= far ? place : 0)

/** The shorthand `offset`: a path, and how far along it. */
export function splitOffset(value: string): { path: string; distance: string } {
  const parts = splitTop(value, ' ')
  const at = parts.findIndex((part) =>
    /^(?:path|ray|url|circle|ellipse|inset|polygon|rect|xywh|shape)\(/.test(part),
  )
  return { path: parts[at] ?? 'none', distance: at === -1 ? '0' : (parts[at + 1] ?? '0') }
}
