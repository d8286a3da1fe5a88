/** Walks a mail's tree once, applies the cascade and builds the normal form. */

import { countText, removeInvisible } from '../../model/invisible.ts'
import { isElement, isHtml, type Document, type Element, type Node } from '../html-document.ts'
import { spend } from '../work.ts'
import { addBox, openBox, settleBox, type Frame } from './box.ts'
import { defaultDisplay, type LinkColors } from './css/browser-default.ts'
import { createCascade, type Cascade } from './css/cascade.ts'
import { findSheets } from './css/sheet.ts'
import { computeStyle, rootStyle, type Style } from './css/style.ts'
import { areHiddenWords, isHiddenBox } from './hiding.ts'
import { displayOf } from './looks.ts'
import { readPicture, type InlineImage } from './picture.ts'
import { arrangeTable, loosen } from './table.ts'
import { isBlank, makeBox, makeBreak, type Box, type Break } from './tree.ts'
import { countComment, countStyleText, Unseen } from './unseen.ts'
import { addWords } from './words.ts'

/** Boxes nested deeper are not created; their words are kept, in their own style. */
const deepest = 150
/** Consecutive line breaks that are kept: more would push what follows out of sight. */
const [mostBreaks, mostRawBreaks] = [4, 40]

interface Reading {
  cascade: Cascade
  links: LinkColors
  inlineImage: InlineImage
  frames: Frame[]
  /** Number of open boxes. */
  depth: number
  unseen: Unseen
  /** Whether a visible word was read. */
  begun: boolean
  /** Line breaks since the last word, and the last that was kept. */
  breaks: number
  lastBreak: Break | null
}

/** The form, and what was left out so far. */
export function readForm(document: Document, inlineImage: InlineImage) {
  const reading: Reading = {
    cascade: createCascade(findSheets(document), document.mode === 'quirks'),
    links: { link: '#0000ee' },
    inlineImage,
    frames: [],
    depth: 0,
    unseen: new Unseen(),
    begun: false,
    breaks: 0,
    lastBreak: null,
  }
  const root = makeBox('div', 'block', rootStyle)
  const { frames } = reading
  frames.push({
    element: document as unknown as Element,
    nodes: document.childNodes,
    at: 0,
    computed: { style: { ...rootStyle, doubtful: reading.cascade.doubtful }, declared: null },
    gone: false,
    box: root,
    own: true,
    display: { level: 'block', beside: false, item: false, arranges: false },
    cellPadding: 1,
    linked: false,
    raised: 0,
    indent: 0,
  })
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    const node = frame.nodes[frame.at]
    if (!node) {
      frames.pop()
      leave(reading, frame, frames.at(-1))
      continue
    }
    frame.at += 1
    if (node.nodeName === '#text') readText(reading, frame, (node as { value: string } & Node).value)
    else if (node.nodeName === '#comment') readComment(reading, (node as { data: string } & Node).data)
    else if (isElement(node)) enter(reading, frame, node)
  }
  return { root, unseen: reading.unseen }
}

function readComment(reading: Reading, data: string): void {
  spend(2 + (data.length >> 2))
  reading.unseen.addFurniture(countComment(data))
}

function enter(reading: Reading, parent: Frame, element: Element): void {
  spend(35 + 4 * element.attrs.length)
  const { cascade, frames } = reading
  const computed = parent.gone
    ? parent.computed
    : computeStyle(element, parent.computed, cascade, reading.links)
  const { declared, style } = computed
  const fallback = defaultDisplay(element)
  const display = parent.gone ? parent.display : displayOf(fallback, declared, parent.display.arranges)
  const gone =
    parent.gone ||
    isNone(element, fallback, declared?.get('display')) ||
    (!isPage(element) && isHiddenBox(declared, style, display, cascade.quirks))
  const content = (element as { content?: { childNodes: Node[] } }).content
  const nodes = content ? content.childNodes : element.childNodes
  const indent = display.level === 'inline' ? parent.indent : style.indent
  const frame: Frame = { ...parent, element, nodes, at: 0, computed, gone, own: false, display, indent }
  if (!gone) {
    if (isHtml(element) && addLeaf(reading, parent.box, frame)) return
    if (reading.depth < deepest) {
      frame.box = openBox(frame, parent.computed.style, cascade.quirks)
      frame.linked ||= frame.box.tag === 'a'
      if (frame.box.level === 'table') frame.cellPadding = frame.box.cellPadding
      frame.own = true
      reading.depth += 1
    } else if (display.level !== 'inline') addBreak(reading, frame.box, false, false)
    if (element.tagName === 'rt') addWords(frame.box, ' (', style)
  }
  frames.push(frame)
}

/** Content clipped on these belongs to the window, which scrolls. */
const isPage = ({ tagName }: Element) => tagName === 'html' || tagName === 'body'

/** The content of some elements is never rendered, whatever their style. */
function isNone({ tagName }: Element, fallback: string, display: string | undefined): boolean {
  if (display === 'none') return true
  const isFixed = fallback === 'none' && !/^(?:div|span|p|dialog|rp|td|tr|table|section|h\d)$/.test(tagName)
  return isFixed || (fallback === 'none' && display === undefined)
}

function addLeaf(reading: Reading, box: Box, { element, computed, display }: Frame): boolean {
  switch (element.tagName) {
    case 'br':
      addBreak(reading, box, false)
      return true
    case 'hr':
      box.children.push({ kind: 'rule', line: -1, folded: false })
      box.holdsBlock = true
      return true
    case 'wbr':
      return true
    case 'img':
    case 'image': {
      const { node, hidden } = readPicture(
        element,
        computed,
        display,
        reading.inlineImage,
        reading.cascade.quirks,
      )
      reading.unseen.characters += hidden
      reading.breaks = 0
      if (node?.kind === 'box') reading.begun = true
      if (node?.kind === 'box') addBox(box, node)
      else if (node) box.children.push(node)
      return true
    }
    default:
      return false
  }
}

/** `isSeen`: not only the edge of a box that is nested too deep. */
function addBreak(reading: Reading, box: Box, raw: boolean, isSeen = true): void {
  reading.breaks += 1
  if (reading.breaks <= (raw ? mostRawBreaks : mostBreaks))
    box.children.push((reading.lastBreak = makeBreak(raw)))
  else if (reading.lastBreak && isSeen) reading.lastBreak.skipped += 1
}

function leave(
  reading: Reading,
  { element, gone, box, own, display, computed }: Frame,
  parent: Frame | undefined,
): void {
  if (gone || !parent) return
  if (element.tagName === 'rt') addWords(box, ') ', computed.style)
  if (!own) {
    if (display.level !== 'inline') addBreak(reading, box, false, false)
    return
  }
  reading.depth -= 1
  if (box.level === 'table') arrangeTable(box)
  else if (box.level !== 'group' && box.level !== 'row') for (const child of box.children) loosen(child)
  settleBox(box)
  if (box.beside) dropBlank(parent.box)
  addBox(parent.box, box)
}

/** Floats beside each other have no space between them. */
function dropBlank({ children }: Box): void {
  const [before, last] = [children.at(-2), children.at(-1)]
  if (last && isBlank(last) && before?.kind === 'box' && before.beside) children.pop()
}

function readText(reading: Reading, { element, gone, computed, box, indent }: Frame, value: string): void {
  spend(6 + (value.length >> 1))
  const { style } = computed
  const blank = /^[ \t\n\f\r]*$/.test(value)
  if (gone || areHiddenWords(style, indent)) {
    if (!blank) countHidden(reading, element, value)
    return
  }
  const cleaned = removeInvisible(value, 'mail')
  const { text } = cleaned
  reading.unseen.addRemoved(cleaned, value)
  reading.begun ||= text.trim() !== ''
  // Too deep for a box of its own: this one has the style of the words, and no more.
  const holder = style === box.style ? box : makeBox('span', 'inline', style)
  if (style.spaces === 'collapse') {
    if (!blank) reading.breaks = 0
    addWords(holder, text, style)
  } else addLines(reading, holder, text, style)
  if (holder !== box && holder.children.length > 0) addBox(box, holder)
}

function addLines(reading: Reading, box: Box, text: string, style: Style): void {
  for (const [at, line] of text.replaceAll('\r', '').split('\n').entries()) {
    spend(8)
    if (at > 0) addBreak(reading, box, style.spaces === 'keep')
    if (line.trim() !== '') reading.breaks = 0
    addWords(box, line, style)
  }
}

function countHidden({ unseen, frames, begun }: Reading, { tagName }: Element, text: string): void {
  if (tagName === 'style') return unseen.addFurniture(countStyleText(text))
  if (tagName === 'title') return unseen.addFurniture(countText(text))
  spend(begun ? 0 : frames.length)
  const hides = (frame: Frame) => frame.gone || areHiddenWords(frame.computed.style, frame.indent)
  unseen.addHidden(text, begun ? null : (frames.find(hides)?.element ?? null))
}
