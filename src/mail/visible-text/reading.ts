/** What is known while a document is read: the elements one is inside of, and what was found so far. */

import type { LinkColors } from './css/browser-default.ts'
import type { Cascade } from './css/cascade.ts'
import type { Element, Node } from '../html-document.ts'
import type { Box } from './box.ts'
import type { Scene } from './scene.ts'
import type { Computed } from './css/style.ts'
import type { Piece } from './writer.ts'

export interface Frame {
  element: Element
  nodes: Node[]
  at: number
  computed: Computed
  scene: Scene
  box: Box
  /** Where the frame's own text begins. */
  start: number
  /** Items of a list counted so far. */
  items: number
  flowStart: number
  /** Laid out next to its siblings: an item of a flexible box, a cell, a float. */
  beside: boolean
  line: Line
  /** The child before the one that is read, where it is a block whose height is known. */
  before: Before | null
}

/** A block that a later one may have been pulled over. */
export interface Before {
  /** Its pieces, from the first up to, not including, the last. */
  from: number
  to: number
  height: number
  marginBottom: number
}

/** The line text is being written on. */
export interface Line {
  /** Of the block, on its first line until a break. */
  indent: number
  first: boolean
  /** How far margins within the line have moved what follows. */
  shift: number
  /** Rough width of the text so far. */
  advance: number
}

export interface Reading {
  pieces: Piece[]
  hidden: number
  cascade: Cascade
  links: LinkColors
  frames: Frame[]
  rtl: boolean
}
