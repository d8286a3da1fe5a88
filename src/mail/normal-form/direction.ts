/**
 * Right-to-left layout is kept only where there is text in such a script. Otherwise it would show cells, boxes and
 * numbers in another order than `text` has.
 */

import { spend } from '../work.ts'
import type { Style } from './css/style.ts'
import type { Box, FormNode } from './tree.ts'

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu
/** One letter in this many suffices: such text often has foreign names in it. */
const enough = 4

const none = { all: 0, rightToLeft: 0 }
type Letters = typeof none

export function settleDirection(root: Box): void {
  const counts = new Map<Box, Letters>()
  /** Words and their box share a style, and so do their changed ones. */
  const known = new Map<Style, Style>()

  const settle = (box: Box, around: boolean): void => {
    spend(1 + box.children.length)
    const { all, rightToLeft } = box.style.rtl ? count(box) : none
    const isKept = box.style.rtl && (all === 0 ? around : rightToLeft * enough >= all)
    if (!isKept) box.style = turn(box.style)
    for (const child of box.children) {
      if (child.kind === 'box') settle(child, isKept)
      else if (child.kind === 'words' && !isKept) child.style = turn(child.style)
    }
  }

  /** Counted once for each box, from the inside out. */
  const count = (box: Box): Letters => {
    let sum = counts.get(box)
    if (sum) return sum
    sum = { ...none }
    for (const child of box.children) {
      const { all, rightToLeft } = child.kind === 'box' ? count(child) : lettersOf(child)
      sum.all += all
      sum.rightToLeft += rightToLeft
    }
    counts.set(box, sum)
    return sum
  }

  /** Stays at the side it was at. */
  const turn = (style: Style): Style => {
    if (!style.rtl) return style
    const turned = known.get(style) ?? {
      ...style,
      rtl: false,
      align: style.align === 'start' ? 'right' : style.align,
    }
    known.set(style, turned)
    return turned
  }

  settle(root, false)
}

function lettersOf(node: FormNode): Letters {
  if (node.kind !== 'words') return none
  spend(node.text.length >> 1)
  return {
    all: node.text.match(/\p{L}/gu)?.length ?? 0,
    rightToLeft: node.text.match(rightToLeft)?.length ?? 0,
  }
}
