/** The normal form of a mail: a closed set of boxes and words, from which `html`, `text` and `links` are written. */

import type { Color } from './css/color.ts'
import type { Style } from './css/style.ts'

/** `older`: a whole older message; `indent`: a blockquote without a known name, which people use to indent. */
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
  /** Alignment by `auto` margins. */
  place: 'center' | 'right' | null
  border: [Border | null, Border | null, Border | null, Border | null]
  radius: number
  width: number | null
  /** Width in percent of the enclosing box. */
  share: number | null
  maxWidth: number | null
  height: number | null
  /** Pixels above, in and below the box that it declares beyond the limits of margins, padding and height. */
  beyond: [top: number, height: number, bottom: number]
  valign: 'top' | 'middle' | 'bottom' | 'sub' | 'super' | null
  /** Underlined or struck through; `none` removes what the tag does by default. */
  stroke: 'underline' | 'line-through' | 'none' | null
  collapse: boolean
  spacing: number
}

export interface Words {
  kind: 'words'
  text: string
  style: Style
  /** The colour as written; set by `judgeInk`. */
  ink: Color
  /** Left out of every output: it cannot be told from its background. */
  gone: boolean
  /** The line of `text` that it is on; -1 if on none. */
  line: number
  folded: boolean
}

export interface Break {
  kind: 'break'
  /** A line end inside preformatted text. */
  raw: boolean
  /** How many that followed it were left out. */
  skipped: number
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
  /** Its caption is below it, in the same box. */
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
  /** What the sender's mail program says about it. */
  mark: MarkKind | null
  children: FormNode[]
  /** Not in `newText`: the page folds it away. */
  folded: boolean
  /** Whether something in it begins a line of its own. */
  holdsBlock: boolean
  /** Approximate width in pixels below which words overflow. */
  least: number
  /** Number of light and of dark characters in it, to choose a background where it is a picture. */
  light: number
  dark: number
  /** The opaque background of its words, and whether it has to be written here. */
  ground: Color
  painted: boolean
  /** For a list, the number of its first item; for an item, its own number. */
  number: number | null
  /** For a list: how many items were counted. */
  items: number
  /** For an item: whether its number was given explicitly. */
  numbered: boolean
  /** Placed beside its neighbours: a float, or an inline table. */
  beside: boolean
  /** For a table. */
  cellPadding: number
  cellBorder: boolean
  /** Cells of a table, or columns, are stacked up to this window width. */
  stackedBelow: number
  /** For a cell. */
  column: number
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
  beyond: [0, 0, 0],
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
    cellPadding: 1,
    cellBorder: false,
    stackedBelow: 0,
    column: 0,
    colspan: 1,
    rowspan: 1,
  }
}

export const makeBreak = (raw = false): Break => ({
  kind: 'break',
  raw,
  skipped: 0,
  folded: false,
})

export const isBlank = (node: FormNode): boolean => node.kind === 'words' && /^[ \t\n\f\r]*$/.test(node.text)
