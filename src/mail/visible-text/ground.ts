/** The colours text stands on, and whether text can be told from them. */

import { between, looksAlike, paint, transparent } from './css/color.ts'
import type { Color } from './css/color.ts'
import type { Declared } from './css/cascade.ts'
import { colorValue } from './css/style.ts'
import type { Style } from './css/style.ts'
import { blendColors, filterColor } from './color-effect.ts'
import { splitTop } from './css/value.ts'
import { spend } from '../work.ts'

/** How many points of a gradient are looked at, and at how many of them text must show. */
const samples = 5
const enough = 3

/** One colour, or the samples of a gradient. */
export type Ground = Color[]

export interface Paint {
  ground: Ground
  /** What a block stands on: the background of an inline element around it does not reach under it. */
  blockGround: Ground
  /** Whether anything was painted on the empty page; blending takes no part in what was not. */
  painted: boolean
  /** Opacity of all groups around, multiplied. */
  opacity: number
  /** Colours of the nearest `background-clip: text`, which paints the letters themselves. */
  letterPaint: Ground | null
  filters: string[]
  /** Whether a ground was painted inside the filtered group, so that the filter changes it too. */
  filteredGround: boolean
  /** Mode of the nearest blended group, and what lies under that group. */
  blend: { mode: string; under: Ground } | null
}

/** A block inside an inline element leaves the background of that behind. */
export function standOnBlock(state: Paint): Paint {
  return state.ground === state.blockGround ? state : { ...state, ground: state.blockGround }
}

/** What is painted over a ground by an element's own background. */
export function paintBackground(
  before: Paint,
  declared: Declared,
  style: Style,
  quirks: boolean,
  block: boolean,
): Paint {
  const paintState = block ? standOnBlock(before) : before
  const colorText = declared.get('background-color')
  const image = declared.get('background-image')
  if (colorText === undefined && image === undefined) return paintState
  const color =
    colorText === undefined ? transparent : (colorValue(colorText, style.color, quirks) ?? transparent)
  const gradient = image === undefined ? null : sampleGradient(image, style.color, quirks)
  if (color.a === 0 && !gradient) return paintState
  const clip = declared.get('background-clip')
  if (clip === 'text') {
    const letters = gradient ? gradient.map((over) => (color.a === 0 ? over : paintOn(over, color))) : [color]
    return { ...paintState, letterPaint: letters }
  }
  let ground = color.a === 0 ? paintState.ground : paintState.ground.map((under) => paint(color, under))
  if (gradient) {
    ground = gradient.map((over, at) =>
      paint(over, ground[ground.length === 1 ? 0 : at] ?? ground[0] ?? over),
    )
  }
  const blockGround = block ? ground : paintState.blockGround
  return { ...paintState, ground, blockGround, painted: true, filteredGround: paintState.filters.length > 0 }
}

function paintOn(over: Color, under: Color): Color {
  return over.a >= 1 ? over : { ...paint(over, under), a: Math.max(over.a, under.a) }
}

/** Pictures are not looked at: mail is shown without loading any from outside. */
function sampleGradient(image: string, current: Color, quirks: boolean): Color[] | null {
  for (const layer of splitTop(image, ',')) {
    const body = /^(?:-webkit-)?(?:repeating-)?(?:linear|radial|conic)-gradient\((.*)\)$/s.exec(
      layer.trim(),
    )?.[1]
    if (body === undefined) continue
    const stops = readStops(body, current, quirks)
    if (stops.length > 0)
      return Array.from({ length: samples }, (_, at) => colorAt(stops, (at + 0.5) / samples))
  }
  return null
}

function readStops(body: string, current: Color, quirks: boolean): { color: Color; at: number }[] {
  const stops: { color: Color; at: number | null }[] = []
  for (const part of splitTop(body, ',')) {
    const words = splitTop(part, ' ')
    const color = words.map((word) => colorValue(word, current, quirks)).find((found) => found !== null)
    if (!color) continue
    const places = words
      .filter((word) => /^-?[\d.]+%$/.test(word))
      .map((word) => Number.parseFloat(word) / 100)
    if (places.length === 0) stops.push({ color, at: null })
    for (const at of places) stops.push({ color, at })
  }
  return stops.map(({ color, at }, index) => ({
    color,
    at: at ?? (stops.length < 2 ? 0 : index / (stops.length - 1)),
  }))
}

function colorAt(stops: { color: Color; at: number }[], at: number): Color {
  let before = stops[0]
  for (const stop of stops) {
    if (stop.at > at) {
      if (!before || before === stop || stop.at === before.at) return stop.color
      return between(before.color, stop.color, (at - before.at) / (stop.at - before.at))
    }
    before = stop
  }
  return before?.color ?? transparent
}

/** Whether letters of this style can be told from what they stand on. */
export function standsOut(
  style: Style,
  drawn: boolean,
  { ground, opacity, letterPaint, filters, filteredGround, blend }: Paint,
): boolean {
  const shows = (letters: Color, weight: number) => {
    let seen = 0
    for (const [at, own] of ground.entries()) {
      let base = filteredGround ? filterColor(filters, own) : own
      let over = filters.length > 0 ? filterColor(filters, letters) : letters
      if (blend) {
        const under = blend.under[blend.under.length === 1 ? 0 : at] ?? base
        over = { ...blendColors(blend.mode, over, under), a: over.a }
        if (own !== under) base = blendColors(blend.mode, base, under)
      }
      const result = paint({ ...over, a: over.a * opacity * weight }, base)
      if (!looksAlike(result, base)) seen += ground.length === 1 ? enough : 1
    }
    return seen >= enough
  }
  const looks = 2 + style.shadows.length + (letterPaint?.length ?? 0)
  spend(looks * ground.length * filters.reduce((sum, filter) => sum + filter.length, 2))
  const letters = drawn ? style.svgFill : (style.fill ?? style.color)
  if (shows(letters, 1)) return true
  if (letterPaint && letters.a < 0.95 && letterPaint.some((color) => shows(color, 1 - letters.a))) return true
  if (style.strokeWidth > 0 && shows(style.strokeColor ?? style.color, 1)) return true
  return style.shadows.some(({ color, blur }) => shows(color, blur > style.fontSize ? 0.1 : 1))
}
