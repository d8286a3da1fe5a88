/** The normal form of a mail: a closed vocabulary of boxes and words, from which `html`, `text` and `links` are written. */

import type { Color } from './css/color.ts'
import type { Style } from './css/style.ts'

/** `older`: the whole of an older message; `indent`: a blockquote without a name, which people use to indent. */
export type MarkKind = 'quote' | 'older' | 'indent' | 'attribution' | 'header' | 'signature'

export type Level = 'inline' | 'block' | 'inline-block' | 'table' | 'group' | 'row' | 'cell'

type BlockTag = 'div' | 'p' | `h${1 | 2 | 3 | 4 | 5 | 6}` | 'ul' | 'ol' | 'li' | 'blockquote'
type TableTag = 'table' | 'tbody' | 'tr' | 'td'
type InlineTag = 'a' | 'span' | 'b' | 'i' | 'u' | 's' | 'code' | 'sup' | 'sub'
export type Tag = BlockTag | TableTag | InlineTag

export type Sides = [top: number, right: number, bottom: number, left: number]

export interface Border {
  width: number
  style: 'solid' | 'dashed' | 'dotted' | 'double'
  color: Color
}

/** What an element declares for its own box, in pixels. */
export interface Looks {
  background: Color | null
  /** The colours of a gradient; empty for a picture. */
  backgroundImage: Color[] | null
  padding: Sides
  margin: Sides
  /** Where margins are `auto`. */
  place: 'center' | 'right' | null
  border: [Border | null, Border | null, Border | null, Border | null]
  radius: number
  width: number | null
  /** Of what is around, in percent. */
  share: number | null
  maxWidth: number | null
  height: number | null
  valign: 'top' | 'middle' | 'bottom' | 'sub' | 'super' | null
  /** Lines under or through its letters; `none` takes away what the tag brings. */
  stroke: 'underline' | 'line-through' | 'none' | null
  collapse: boolean
  spacing: number
}

export interface Words {
  kind: 'words'
  text: string
  style: Style
  /** As it is written; set by the judgement of ink. */
  ink: Color
  /** Left out, of everything: nobody could tell it from its ground. */
  gone: boolean
  /** The line of `text` it stands on; -1 where it is on none. */
  line: number
  folded: boolean
}

export interface Break {
  kind: 'break'
  /** A line end inside preformatted text. */
  raw: boolean
  folded: boolean
}

export interface Rule {
  kind: 'rule'
  line: number
  folded: boolean
}

export interface Picture {
  kind: 'picture'
  folded: boolean
  source: string
  remote: boolean
  /** Its words stand below it, in the same box. */
  captioned: boolean
  width: number | null
  height: number | null
}

export interface Box {
  kind: 'box'
  tag: Tag
  level: Level
  style: Style
  looks: Looks
  href: string | null
  /** What the sender's program says of it. */
  mark: MarkKind | null
  children: FormNode[]
  /** Not in `newText`: the page folds it away. */
  folded: boolean
  /** Something in it begins a line of its own. */
  holdsBlock: boolean
  /** No narrower than this without words that stick out, roughly. */
  least: number
  /** Letters in it by whether they are light or dark, for grounds that are pictures. */
  light: number
  dark: number
  /** What its words stand on, opaque; and whether it has to be written here. */
  ground: Color
  painted: boolean
  /** Of a list: the number of its first item. Of an item: its own number. */
  number: number | null
  /** Of a list: how many items were counted. */
  items: number
  /** Of an item: its number was given. */
  numbered: boolean
  /** Set beside others: a float, or a table in a line. */
  beside: boolean
  /** Of a table. */
  columns: number
  cellPadding: number
  cellBorder: boolean
  /** A table's rows stand below each other up to this width of the window. */
  stackedBelow: number
  /** Of a cell. */
  colspan: number
  rowspan: number
}

export type FormNode = Words | Break | Rule | Picture | Box

const noSides: Sides = [0, 0, 0, 0]

export const noLooks: Looks = {
  background: null,
  backgroundImage: null,
  padding: noSides,
  margin: noSides,
  place: null,
  border: [null, null, null, null],
  radius: 0,
  width: null,
  share: null,
  maxWidth: null,
  height: null,
  valign: null,
  stroke: null,
  collapse: false,
  spacing: 2,
}

export function makeBox(tag: Tag, level: Level, style: Style, looks: Looks = noLooks): Box {
  return {
    kind: 'box',
    tag,
    level,
    style,
    looks,
    href: null,
    mark: null,
    children: [],
    folded: false,
    holdsBlock: false,
    least: 0,
    light: 0,
    dark: 0,
    ground: style.color,
    painted: false,
    number: null,
    items: 0,
    numbered: false,
    beside: false,
    columns: 0,
    cellPadding: 1,
    cellBorder: false,
    stackedBelow: 0,
    colspan: 1,
    rowspan: 1,
  }
}

export const makeBreak = (raw = false): Break => ({ kind: 'break', raw, folded: false })

export const isBlank = (node: FormNode): boolean => node.kind === 'words' && /^[ \t\n\f\r]*$/.test(node.text)
