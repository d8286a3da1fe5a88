/** Walks the tree once, keeps what can be seen and counts what cannot. */

import { defaultDisplay, isFolded, neverPaints } from './css/browser-default.ts'
import { createCascade } from './css/cascade.ts'
import type { Declared } from './css/cascade.ts'
import { countText, removeInvisible } from '../../model/invisible.ts'
import { isFoldedAway } from './columns.ts'
import { findCover, lookBack } from './cover.ts'
import { attribute, isElement, isHtml } from '../html-document.ts'
import type { Document, Element, Node } from '../html-document.ts'
import { standOnBlock } from './ground.ts'
import { linkAddress } from './link.ts'
import type { Frame, Line, Reading } from './reading.ts'
import { arrangesItems, boxOf, isBlock } from './box.ts'
import { enterScene, rootScene } from './scene.ts'
import type { Box } from './box.ts'
import type { Scene } from './scene.ts'
import { findSheets } from './css/sheets.ts'
import { applyCase, isSeen } from './sight.ts'
import { flowEnd, flowStart, flowText } from './flow.ts'
import { computeStyle, rootStyle } from './css/style.ts'
import type { Computed } from './css/style.ts'
import { parseLength, viewport } from './css/value.ts'
import { isUnchosen } from './choice.ts'
import { countComment, countStyleText } from './unseen.ts'
import type { TextPiece } from './writer.ts'
import { spend } from '../work.ts'

function newLine(indent: number): Line {
  return { indent, first: true, shift: 0, advance: 0 }
}

function restartLine(line: Line): void {
  line.first = false
  line.shift = 0
  line.advance = 0
}

export function readDocument(document: Document): Reading {
  const quirks = document.mode === 'quirks'
  const reading: Reading = {
    pieces: [],
    hidden: 0,
    cascade: createCascade(findSheets(document), quirks),
    links: { link: '#0000ee' },
    frames: [],
    rtl: false,
  }
  const root: Computed = { style: rootStyle, declared: null }
  const scene = rootScene()
  const top = document as unknown as Element
  const box: Box = { display: 'block', boxed: true, floating: false }
  const { frames } = reading
  frames.push({
    element: top,
    nodes: document.childNodes,
    at: 0,
    computed: root,
    scene,
    box,
    start: 0,
    items: 0,
    flowStart: 0,
    beside: false,
    line: newLine(0),
    before: null,
  })
  for (let frame = frames[frames.length - 1]; frame; frame = frames[frames.length - 1]) {
    const node = frame.nodes[frame.at]
    if (!node) {
      leave(reading, frame)
      frames.pop()
      continue
    }
    frame.at += 1
    if (node.nodeName === '#text') readText(reading, frame, (node as { value: string } & Node).value)
    else if (node.nodeName === '#comment')
      reading.hidden += countComment((node as { data: string } & Node).data)
    else if (isElement(node)) enter(reading, frame, node)
  }
  return reading
}

function enter(reading: Reading, parent: Frame, element: Element): void {
  spend(8 + 4 * element.attrs.length)
  const { cascade, links, pieces, frames } = reading
  const computed = parent.scene.gone
    ? parent.computed
    : computeStyle(element, parent.computed, cascade, links)
  const { declared, style } = computed
  const fallback = defaultDisplay(element)
  const box = boxOf(fallback, declared, parent.box.display)
  let { scene } = parent
  if (!scene.gone) {
    if (declared) {
      // Overflow of the page itself belongs to the window, which scrolls.
      if (element.tagName === 'html' || element.tagName === 'body') dropPageOverflow(declared)
      scene = enterScene(scene, {
        box,
        declared,
        parentDeclared: parent.computed.declared,
        style,
        quirks: cascade.quirks,
        pieces: pieces.length,
      })
    } else if (box.display === 'none' || box.display.startsWith('table-column'))
      scene = { ...scene, gone: true }
    else if (isBlock(box) && scene.paint.ground !== scene.paint.blockGround)
      scene = { ...scene, paint: standOnBlock(scene.paint) }
    if (element.tagName === 'img' && !scene.gone)
      readAlt(reading, { ...parent, element, computed, scene, box })
    if (declared && isInline(box)) scene = shiftLine(parent.line, declared, box, scene)
    if (box.display === 'table-cell' && isFoldedAway(element, cascade)) scene = { ...scene, gone: true }
    if (neverPaints(element) || isFolded(element) || isUnchosen(element) || hostsShadow(element))
      scene = { ...scene, gone: true }
    if (element.tagName === 'html') reading.rtl = style.rtl
    if (declared && !scene.gone) findCover(reading, parent, { box, declared, scene })
  }
  const content = (element as { content?: { childNodes: Node[] } }).content
  const frame: Frame = {
    element,
    nodes: content ? content.childNodes : element.childNodes,
    at: 0,
    computed,
    scene,
    box,
    start: pieces.length,
    items: 0,
    flowStart: 0,
    beside: box.floating || box.display === 'table-cell' || arrangesItems(parent.box.display),
    line: startsLine(box) ? newLine(style.indent) : parent.line,
    before: null,
  }
  if (element.tagName === 'br') restartLine(parent.line)
  frames.push(frame)
  if (scene.gone) return
  flowStart(frame, parent)
  openPieces(reading, frame, parent)
}

/** Margins of an inline box move it and all that follows on the line. */
function shiftLine(line: Line, declared: Declared, box: Box, scene: Scene): Scene {
  line.shift += lengthOf(declared, 'margin-left')
  if (!box.boxed || line.shift === 0) return scene
  return { ...scene, flow: { ...scene.flow, x: scene.flow.x + line.shift, exact: false } }
}

function lengthOf(declared: Declared, name: string): number {
  const measures = { fontSize: 16, rootFontSize: 16, percent: viewport.width, quirks: true }
  return parseLength(declared.get(name) ?? '', measures) ?? 0
}

function startsLine(box: Box): boolean {
  return box.boxed && box.display !== 'contents'
}

function dropPageOverflow(declared: Map<string, string>): void {
  declared.delete('overflow-x')
  declared.delete('overflow-y')
}

/** A shadow tree takes the place of the element's own children. */
function hostsShadow(element: Element): boolean {
  const first = element.childNodes.find((child) => child.nodeName === 'template')
  return isElement(first) && attribute(first, 'shadowrootmode') !== null
}

const spaced = new Set(
  'p h1 h2 h3 h4 h5 h6 blockquote ul ol dl pre figure fieldset listing xmp menu dir'.split(' '),
)

function blockLines(frame: Frame, edge: 'margin-top' | 'margin-bottom'): 1 | 2 {
  const margin = frame.computed.declared?.get(edge)
  if (margin !== undefined && /^-?[\d.]/.test(margin))
    return Number.parseFloat(margin) >= (/r?em$/.test(margin) ? 0.5 : 8) ? 2 : 1
  const { tagName } = frame.element
  if ((tagName === 'ul' || tagName === 'ol') && frame.element.parentNode?.nodeName === 'li') return 1
  return spaced.has(tagName) ? 2 : 1
}

function isInline({ display }: Box): boolean {
  if (display === 'block' || display === 'table-cell') return false
  return (
    display.startsWith('inline') || display === 'contents' || display.startsWith('ruby') || display === 'math'
  )
}

function openPieces(reading: Reading, frame: Frame, parent: Frame): void {
  const { pieces } = reading
  const { element, box } = frame
  const { tagName } = element
  if (box.display === 'table-cell') pieces.push({ kind: 'cell' })
  else if (!isInline(box)) pieces.push({ kind: 'block', lines: blockLines(frame, 'margin-top') })
  if (!isHtml(element)) return
  switch (tagName) {
    case 'br':
      pieces.push({ kind: 'break' })
      return
    case 'hr':
      pieces.push({ kind: 'rule' })
      return
    case 'a':
      pieces.push({ kind: 'link' })
      return
    case 'rt':
      pieces.push(textPiece(' (', frame))
      return
    case 'blockquote':
      pieces.push({ kind: 'open', prefix: '> ', marker: '' })
      return
    case 'li':
      pieces.push({ kind: 'open', prefix: '  ', marker: markerOf(frame, parent) })
      return
  }
}

function markerOf(frame: Frame, parent: Frame): string {
  if (frame.computed.style.listType.startsWith('none')) return '  '
  if (parent.element.tagName !== 'ol') return '- '
  const value = Number.parseInt(attribute(frame.element, 'value') ?? '', 10)
  const first = Number.parseInt(attribute(parent.element, 'start') ?? '1', 10) || 1
  parent.items = Number.isNaN(value) ? parent.items + 1 : value - first + 1
  return `${first + parent.items - 1}. `
}

function leave(reading: Reading, frame: Frame): void {
  const { pieces, frames } = reading
  const { element, box } = frame
  const parent = frames[frames.length - 2]
  if (parent) parent.before = lookBack(reading, frame)
  if (frame.scene.gone || element.tagName === undefined) return
  const declared = frame.computed.declared
  if (parent && declared && isInline(box)) parent.line.shift += lengthOf(declared, 'margin-right')
  // Text after a block begins a line of its own, which is not the first.
  if (parent && isBlock(box) && !box.floating) restartLine(parent.line)
  if (parent) flowEnd(frame, parent)
  if (isHtml(element)) {
    if (element.tagName === 'a')
      pieces.push({ kind: 'link-end', address: linkAddress(attribute(element, 'href')) })
    if (element.tagName === 'rt') pieces.push(textPiece(') ', frame))
    if (element.tagName === 'blockquote' || element.tagName === 'li') pieces.push({ kind: 'close' })
  }
  if (box.display === 'table-cell') pieces.push({ kind: 'cell-end' })
  else if (box.display === 'table-row') pieces.push({ kind: 'row-end' })
  else if (!isInline(box)) pieces.push({ kind: 'block', lines: blockLines(frame, 'margin-bottom') })
}

/** Pictures from outside are not loaded, so their words stand in their place, where these find room. */
function readAlt(reading: Reading, frame: Frame): void {
  const alt = attribute(frame.element, 'alt')?.trim() ?? ''
  if (alt === '' || !/^\s*https?:/i.test(attribute(frame.element, 'src') ?? '')) return
  const { text, removed } = removeInvisible(alt)
  if (hasRoom(frame, text) && isSeen(reading, frame, text)) {
    reading.hidden += removed
    reading.pieces.push(textPiece(`[${text}]`, frame))
  } else reading.hidden += countText(alt)
}

function hasRoom({ computed }: Frame, text: string): boolean {
  const side = (name: string) => {
    const size = Number.parseFloat(computed.declared?.get(name) ?? '')
    return Number.isNaN(size) || computed.declared?.get(name)?.endsWith('%') === true ? Infinity : size
  }
  const { fontSize } = computed.style
  const width = side('width')
  const height = side('height')
  return Math.min(width, height) >= fontSize && width * height >= text.length * fontSize * fontSize * 0.4
}

function readText(reading: Reading, frame: Frame, value: string): void {
  spend(4 + (value.length >> 2))
  const { element, computed, scene } = frame
  const { style } = computed
  if (element.tagName === 'style' && scene.gone) {
    reading.hidden += countStyleText(value)
    return
  }
  if (/^[ \t\n\f\r]*$/.test(value)) {
    if (!scene.gone && value !== '') reading.pieces.push(textPiece(value, frame))
    return
  }
  frame.before = null
  if (scene.gone || !isSeen(reading, frame, value)) {
    reading.hidden += countText(value)
    return
  }
  const { text, removed } = removeInvisible(value)
  reading.hidden += removed
  for (const { part, shown } of flowText(frame, text)) {
    if (shown) reading.pieces.push(textPiece(applyCase(part, style), frame))
    else reading.hidden += countText(part)
  }
}

function textPiece(text: string, { computed, scene }: Frame): TextPiece {
  return { kind: 'text', text, spaces: computed.style.spaces, hidden: false, zIndex: scene.zIndex }
}
