/** Where an element's content comes to stand: what clips it, covers it, moves it away or fades it. */

import { isBlock } from './box.ts'
import type { Box } from './box.ts'
import type { Declared } from './css/cascade.ts'
import { angleOf, clipPathHidesAll, clipsAll, maskHidesAll, readTransform } from './css/clip.ts'
import { readOffset } from './css/offset-path.ts'
import { white } from './css/color.ts'
import { readFilters } from './color-effect.ts'
import { boxExtent } from './extent.ts'
import { paintBackground } from './ground.ts'
import type { Paint } from './ground.ts'
import { measuresOf } from './css/style.ts'
import type { Style } from './css/style.ts'
import { parseLength, parseNumber, splitTop, viewport } from './css/value.ts'
import type { Measures } from './css/value.ts'

/** A box that cuts off what does not fit; `y` and `x` follow the text written into it, roughly. */
export interface Window {
  width: number
  height: number
  y: number
  x: number
  /** Placed by its own offsets, not by the flow around it. */
  detached: boolean
  parent: Window | null
}

/** What a box's place is counted from. */
export interface Base {
  window: Window | null
  x: number
  y: number
  /** The place is known to the pixel, not only by how far it was moved. */
  exact: boolean
}

/** Set once something opaque was laid over the whole of a box. */
export interface Cover {
  active: boolean
  /** Index of the first piece of text in the box. */
  start: number
}

export interface Scene {
  gone: boolean
  scale: number
  paint: Paint
  flow: Base
  positioned: Base
  fixed: Base
  cover: Cover
  positionedCover: Cover
  zIndex: number
}

const origin: Base = { window: null, x: 0, y: 0, exact: true }

export function rootScene(): Scene {
  const cover: Cover = { active: false, start: 0 }
  const page = [white]
  return {
    gone: false,
    scale: 1,
    paint: {
      ground: page,
      blockGround: page,
      painted: false,
      opacity: 1,
      letterPaint: null,
      filters: [],
      filteredGround: false,
      blend: null,
    },
    flow: { ...origin, exact: false },
    positioned: origin,
    fixed: origin,
    cover,
    positionedCover: cover,
    zIndex: 0,
  }
}

/** The scene inside an element that declares something. */
export function enterScene(
  scene: Scene,
  {
    box,
    declared,
    parentDeclared,
    style,
    quirks,
    pieces,
  }: {
    box: Box
    declared: Declared
    parentDeclared: Declared | null
    style: Style
    quirks: boolean
    pieces: number
  },
): Scene {
  if (box.display === 'none' || box.display.startsWith('table-column')) return { ...scene, gone: true }
  if (box.display === 'contents') return scene
  const measures = measuresOf(style, quirks)
  if (vanishes(declared, box, measures)) return { ...scene, gone: true }
  const next: Scene = { ...scene, paint: enterPaint(scene.paint, declared, style, quirks, isBlock(box)) }
  const zoom = declared.get('zoom')
  const factor = zoom === undefined ? null : parseNumber(zoom)
  if (factor !== null && factor > 0) next.scale *= factor
  place(next, scene, box, declared, measures, pieces)
  if (box.boxed) {
    move(next, declared, measures)
    const extent = boxExtent(box, declared, parentDeclared, measures, style.wraps ? 0 : style.indent)
    if (extent)
      next.flow = {
        ...next.flow,
        window: { ...extent, y: 0, x: 0, detached: false, parent: next.flow.window },
      }
  }
  if (isContainingBlock(declared)) next.positioned = { ...next.flow, exact: next.flow.exact }
  if (holdsFixed(declared)) next.fixed = next.flow
  return next
}

/** Ways to leave nothing at all of an element and its content. */
function vanishes(declared: Declared, box: Box, measures: Measures): boolean {
  for (const [name, value] of declared) {
    switch (name) {
      case 'content-visibility':
        if (value === 'hidden' && box.boxed) return true
        break
      case 'clip':
        if (isOut(declared) && clipsAll(value, measures)) return true
        break
      case 'clip-path':
        if (clipPathHidesAll(value, measures)) return true
        break
      case 'mask-image':
        if (maskHidesAll(value)) return true
        break
      case 'filter':
        if (readFilters(value).some(({ name, amount }) => name === 'blur' && amount >= 2 * measures.fontSize))
          return true
        break
      case 'content':
        if (value.startsWith('url(')) return true
        break
      case 'scale':
        if (
          box.boxed &&
          splitTop(value, ' ')
            .slice(0, 2)
            .some((part) => Math.abs(parseNumber(part) ?? 1) < 0.05)
        )
          return true
        break
      case 'rotate':
        if (box.boxed && turnsAway(value)) return true
        break
    }
  }
  return declared.get('backface-visibility') === 'hidden' && showsBack(declared.get('transform') ?? '')
}

/** `rotate: y 90deg` and the like: seen from the edge. */
function turnsAway(value: string): boolean {
  const axis = /^(?:[xy]\b|1 0 0|0 1 0)/.test(value)
  return axis && Math.abs(Math.cos(angleOf(splitTop(value, ' ').pop() ?? ''))) < 0.02
}

function showsBack(transform: string): boolean {
  let sign = 1
  for (const [, angle = ''] of transform.matchAll(/rotate[xy]\(([^)]*)\)/gi)) sign *= Math.cos(angleOf(angle))
  return sign < 0
}

function isOut(declared: Declared): boolean {
  const position = declared.get('position')
  return position === 'absolute' || position === 'fixed'
}

function enterPaint(paint: Paint, declared: Declared, style: Style, quirks: boolean, block: boolean): Paint {
  let next = paint
  const opacity = parseNumber(declared.get('opacity') ?? '1')
  if (opacity !== null && opacity < 1) next = { ...next, opacity: next.opacity * Math.max(0, opacity) }
  const filter = declared.get('filter')
  if (filter !== undefined && filter !== 'none') {
    for (const { name, amount } of readFilters(filter)) {
      if (name === 'opacity') next = { ...next, opacity: next.opacity * Math.min(1, amount) }
    }
    next = { ...next, filters: [filter, ...next.filters].slice(0, 8), filteredGround: false }
  }
  const blend = declared.get('mix-blend-mode')
  if (blend !== undefined && blend !== 'normal' && next.painted)
    next = { ...next, blend: { mode: blend, under: next.ground } }
  return paintBackground(next, declared, style, quirks, block)
}

/** Takes the element's place from the flow, from the box around it or from the window. */
function place(
  next: Scene,
  scene: Scene,
  box: Box,
  declared: Declared,
  measures: Measures,
  pieces: number,
): void {
  const length = (name: string, percent: number) => {
    const value = declared.get(name)
    return value === undefined ? null : parseLength(value, { ...measures, percent })
  }
  const position = declared.get('position') ?? 'static'
  const left = length('left', viewport.width)
  const right = length('right', viewport.width)
  const top = length('top', viewport.height)
  const bottom = length('bottom', viewport.height)
  // Parts of a table have no margins.
  const bare = box.display.startsWith('table-') && box.display !== 'table-caption'
  const marginLeft = bare ? 0 : (length('margin-left', viewport.width) ?? 0)
  const marginTop = bare ? 0 : (length('margin-top', viewport.width) ?? 0)
  if (position !== 'static') {
    next.cover = { active: false, start: pieces }
    next.positionedCover = next.cover
    next.zIndex = Number.parseInt(declared.get('z-index') ?? '', 10) || scene.zIndex
  }
  if (position === 'absolute' || position === 'fixed') {
    const base = position === 'fixed' ? scene.fixed : scene.positioned
    const x = left ?? (right === null ? null : right >= viewport.width ? viewport.width - right - 10_000 : 0)
    const y =
      top ?? (bottom === null ? null : bottom >= viewport.height ? viewport.height - bottom - 10_000 : 0)
    const window = base.window && {
      width: Infinity,
      height: Infinity,
      y: y ?? 0,
      x: x ?? 0,
      detached: true,
      parent: base.window,
    }
    const outside =
      position === 'fixed' && scene.fixed === origin && ((left ?? 0) >= 2000 || (top ?? 0) >= 3000)
    if (outside) next.gone = true
    next.flow = {
      window,
      x: (x === null ? scene.flow.x : base.x + x) + marginLeft,
      y: (y === null ? scene.flow.y : base.y + y) + marginTop,
      exact: base.exact && x !== null && y !== null,
    }
    return
  }
  const relative = position === 'static' ? 0 : 1
  // Margins within a line move the line: see `Line`.
  const ownX = isBlock(box) ? marginLeft : 0
  const dx = ownX + relative * (left ?? (right === null ? 0 : -right))
  const dy = (box.boxed ? marginTop : 0) + relative * (top ?? (bottom === null ? 0 : -bottom))
  if (dx === 0 && dy === 0) return
  // A float may stand anywhere across the page.
  const slack = box.floating && dx < 0 ? viewport.width / 2 : 0
  next.flow = { ...scene.flow, x: scene.flow.x + dx + slack, y: scene.flow.y + dy, exact: false }
}

function move(scene: Scene, declared: Declared, measures: Measures): void {
  const width = parseLength(declared.get('width') ?? '', { ...measures, percent: null }) ?? viewport.width
  const height = parseLength(declared.get('height') ?? '', { ...measures, percent: null }) ?? 20
  const transform = declared.get('transform')
  const translate = declared.get('translate')
  const scale = declared.get('scale')
  const path = declared.get('offset-path')
  if (path !== undefined) {
    const { x, y } = readOffset(path, declared.get('offset-distance') ?? '0', measures)
    scene.flow = { ...scene.flow, x: scene.flow.x + x, y: scene.flow.y + y }
  }
  if (transform === undefined && translate === undefined && scale === undefined) return
  const calls = [
    transform ?? '',
    translate === undefined || translate === 'none' ? '' : `translate(${splitTop(translate, ' ').join(',')})`,
    scale === undefined || scale === 'none' ? '' : `scale(${splitTop(scale, ' ').join(',')})`,
  ]
  const { x, y, scale: factor } = readTransform(calls.join(' '), { width, height }, measures)
  if (factor < 0.02) scene.gone = true
  scene.scale *= factor
  scene.flow = { ...scene.flow, x: scene.flow.x + x, y: scene.flow.y + y }
}

function isContainingBlock(declared: Declared): boolean {
  return (declared.get('position') ?? 'static') !== 'static' || holdsFixed(declared)
}

function holdsFixed(declared: Declared): boolean {
  const set = (name: string) => (declared.get(name) ?? 'none') !== 'none'
  return (
    set('transform') ||
    set('filter') ||
    set('translate') ||
    set('scale') ||
    set('rotate') ||
    /paint|layout|strict|content/.test(declared.get('contain') ?? '')
  )
}
