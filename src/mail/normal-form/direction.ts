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

interface Letters {
  all: number
  rightToLeft: number
}

export function settleDirection(root: Box): void {
  new Directions().settle(root, false)
}

class Directions {
  readonly #counts = new Map<Box, Letters>()
  /** Words and their box share a style, and so do their changed ones. */
  readonly #turned = new Map<Style, Style>()

  settle(box: Box, around: boolean): void {
    spend(1 + box.children.length)
    const { all, rightToLeft } = box.style.rtl ? this.#count(box) : { all: 0, rightToLeft: 0 }
    const isKept = box.style.rtl && (all === 0 ? around : rightToLeft * enough >= all)
    if (!isKept) box.style = this.#turn(box.style)
    for (const child of box.children) {
      if (child.kind === 'box') this.settle(child, isKept)
      else if (child.kind === 'words' && !isKept) child.style = this.#turn(child.style)
    }
  }

  /** Counted once for each box, from the inside out. */
  #count(box: Box): Letters {
    const known = this.#counts.get(box)
    if (known) return known
    const sum: Letters = { all: 0, rightToLeft: 0 }
    for (const child of box.children) {
      const { all, rightToLeft } = this.#lettersOf(child)
      sum.all += all
      sum.rightToLeft += rightToLeft
    }
    this.#counts.set(box, sum)
    return sum
  }

  #lettersOf(node: FormNode): Letters {
    if (node.kind === 'box') return this.#count(node)
    if (node.kind !== 'words') return { all: 0, rightToLeft: 0 }
    spend(node.text.length >> 1)
    return {
      all: node.text.match(/\p{L}/gu)?.length ?? 0,
      rightToLeft: node.text.match(rightToLeft)?.length ?? 0,
    }
  }

  /** Stays at the side it was at. */
  #turn(style: Style): Style {
    if (!style.rtl) return style
    let turned = this.#turned.get(style)
    if (!turned) {
      turned = { ...style, rtl: false, align: style.align === 'start' ? 'right' : style.align }
      this.#turned.set(style, turned)
    }
    return turned
  }
}
