/** The box of one element. */

import { attribute, isHtml, type Element, type Node } from '../html-document.ts'
import { cleanLink } from './addresses.ts'
import { sides } from './css/longhand.ts'
import type { Computed, Style } from './css/style.ts'
import { readLooks, sidesOf, type Display } from './looks.ts'
import { readMark } from './marks.ts'
import { makeBox, type Box, type Sides, type Tag } from './tree.ts'

/** An element that is being read. */
export interface Frame {
  element: Element
  nodes: Node[]
  at: number
  computed: Computed
  gone: boolean
  /** The box that receives the content: its own, or the enclosing one. */
  box: Box
  own: boolean
  display: Display
  /** Cell padding of the enclosing table. */
  cellPadding: number
  /** Whether it is inside a link. */
  linked: boolean
  /** How many boxes around it are raised or lowered. */
  raised: number
  /** The `text-indent` of the block around. */
  indent: number
}

/** Words raised further would be on a line of their own, before or after what they follow. */
const mostRaised = 2

/** `around` is the style of the enclosing element. */
export function openBox(frame: Frame, around: Style, quirks: boolean): Box {
  const { element, computed, display, box: parent } = frame
  const { style } = computed
  const box = makeBox(tagOf(frame), display.level, style, readLooks(computed.declared, style, quirks))
  box.beside = display.beside
  if (element.attrs.length > 0 || box.tag === 'blockquote') box.mark = readMark(element)
  if (box.tag === 'a') {
    box.href = cleanLink(attribute(element, 'href') ?? '')
    // A nested link would end the outer one when the HTML is parsed again.
    if (box.href === null || frame.linked) box.tag = display.level === 'block' ? 'div' : 'span'
  }
  if (isRaised(box)) limitRaising(box, frame)
  if (box.tag === 'ol') box.number = itemNumber(element, 'start') || 1
  if (box.tag === 'li') numberItem(box, element, parent)
  if (box.level === 'cell') readCell(box, frame)
  if (box.level === 'table') readTable(box, element)
  const { placing } = around
  const { looks } = box
  if (
    placing !== null &&
    placing !== 'left' &&
    looks.place === null &&
    (box.level === 'table' || looks.width !== null)
  )
    box.looks = { ...looks, place: placing }
  return box
}

export function isRaised({ tag, level, looks: { valign } }: Box): boolean {
  return level === 'inline' && (tag === 'sup' || tag === 'sub' || valign === 'super' || valign === 'sub')
}

function limitRaising(box: Box, frame: Frame): void {
  frame.raised += 1
  if (frame.raised <= mostRaised) return
  box.looks = { ...box.looks, valign: null }
  if (box.tag === 'sup' || box.tag === 'sub') box.tag = 'span'
}

const blockTags = new Set('p h1 h2 h3 h4 h5 h6 ul ol blockquote'.split(' '))
const inlineTags = new Map(
  'a:a b:b strong:b i:i em:i u:u ins:u s:s del:s strike:s code:code tt:code kbd:code samp:code sup:sup sub:sub'
    .split(' ')
    .map((pair) => pair.split(':') as [string, Tag]),
)

function tagOf({ element, display, computed, box: parent }: Frame): Tag {
  const name = isHtml(element) ? element.tagName : ''
  switch (display.level) {
    case 'table':
      return 'table'
    case 'group':
      return 'tbody'
    case 'row':
      return 'tr'
    case 'cell':
      return 'td'
    case 'block':
      if (name === 'a') return 'a'
      if (display.item || name === 'li') return parent.tag === 'ul' || parent.tag === 'ol' ? 'li' : 'div'
      if (name === 'menu' || name === 'dir') return 'ul'
      return blockTags.has(name) ? (name as Tag) : 'div'
    case 'inline-block':
      return name === 'a' ? 'a' : 'span'
    case 'inline': {
      const tag = inlineTags.get(name) ?? 'span'
      const { bold, italic } = computed.style
      return (tag === 'b' && !bold) || (tag === 'i' && !italic) ? 'span' : tag
    }
  }
}

/** Browsers count differently from there on. */
const greatestNumber = 999_999

function itemNumber(element: Element, name: string): number | null {
  return integerOf(element, name, -greatestNumber, greatestNumber)
}

/** An attribute as a number within limits; null if it is none. */
function integerOf(element: Element, name: string, least: number, most: number): number | null {
  const value = Number.parseInt(attribute(element, name) ?? '', 10)
  return Number.isNaN(value) ? null : Math.min(most, Math.max(least, value))
}

/** A list counts its items in `items`. */
function numberItem(box: Box, element: Element, list: Box): void {
  const value = list.tag === 'ol' ? itemNumber(element, 'value') : null
  const first = list.number ?? 1
  box.numbered = value !== null
  list.items = value === null ? list.items + 1 : value - first + 1
  box.number = first + list.items - 1
}

const mostSpan = 30
/** As in browsers, where 0 is all that are left. */
const mostRows = 65_534

function readCell(box: Box, { element, computed, cellPadding }: Frame): void {
  const padding = box.looks.padding.map((own, at) =>
    computed.declared?.has(`padding-${sides[at]}`) ? own : cellPadding,
  ) as Sides
  box.looks = { ...box.looks, padding }
  box.colspan = integerOf(element, 'colspan', 1, mostSpan) ?? 1
  const rows = integerOf(element, 'rowspan', -1, mostRows) ?? 1
  box.rowspan = rows === 0 ? mostRows : Math.max(1, rows)
}

/** Legacy table attributes that apply to all its cells. */
function readTable(box: Box, element: Element): void {
  const spacing = integerOf(element, 'cellspacing', 0, 20)
  if (spacing !== null) box.looks = { ...box.looks, spacing }
  box.cellPadding = integerOf(element, 'cellpadding', 0, 30) ?? 1
  box.cellBorder = (integerOf(element, 'border', 0, 9) ?? 0) > 0
}

/** Called once the content is known. An inline background covers no block, and a paragraph cannot contain one. */
export function settleBox(box: Box): void {
  const { padding, border, background } = box.looks
  if (box.level === 'inline' && box.holdsBlock) {
    box.level = 'block'
    if (box.tag !== 'a') box.tag = 'div'
  } else if (box.holdsBlock && /^(?:p|h\d)$/.test(box.tag)) box.tag = 'div'
  // Inline padding would be painted over the neighbouring lines.
  else if (box.level === 'inline' && (border.some(Boolean) || (background && padding[0] + padding[2] > 0))) {
    box.level = 'inline-block'
    if (box.tag !== 'a') box.tag = 'span'
  }
}

const inlineTag = /^(?:a|span|b|i|u|s|code|sup|sub)$/

/** Adds a child and updates what the parent has to know about its content. */
export function addBox(parent: Box, child: Box): void {
  parent.children.push(child)
  parent.light += child.light
  parent.dark += child.dark
  const sides = sidesOf(child)
  // In a cell, a column with an explicit width does not shrink.
  const column = child.level === 'inline-block' ? (child.looks.width ?? 0) : 0
  parent.least = Math.max(parent.least, Math.max(child.least, column) + sides)
  if (child.holdsBlock || child.level === 'block' || !inlineTag.test(child.tag)) parent.holdsBlock = true
}
