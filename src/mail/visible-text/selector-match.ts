/** Matching of selectors against the tree, within a budget. */

import { attribute, classesOf, parentElement, siblingOf } from '../html-document.ts'
import type { Element } from '../html-document.ts'

/** One step of matching costs one; below zero the sheet is given up. */
export interface Budget {
  left: number
  /** Without a doctype, names of classes and ids match in any case. */
  quirks: boolean
}

export type Test = (element: Element, budget: Budget) => boolean

export interface Compound {
  tag: string | null
  id: string | null
  classes: string[]
  tests: Test[]
}

export interface Selector {
  /** From right to left; `combinators[i]` joins `compounds[i]` to `compounds[i + 1]`. */
  compounds: Compound[]
  combinators: string[]
  specificity: number
  /** Styles a pseudo-element: never the element itself. */
  pseudoElement: boolean
}

export interface SelectorContext {
  quirks: boolean
  /** What `&` stands for inside a nested rule. */
  parent: Selector[] | null
  depth: number
}

export function matches(selector: Selector, element: Element, budget: Budget): boolean {
  return !selector.pseudoElement && matchFrom(selector, 0, element, budget)
}

function matchFrom(selector: Selector, at: number, element: Element, budget: Budget): boolean {
  const compound = selector.compounds[at]
  if (!compound || !matchCompound(compound, element, budget)) return false
  const combinator = selector.combinators[at]
  if (combinator === undefined) return true
  if (combinator === '>' || combinator === '+') {
    const next = combinator === '>' ? parentElement(element) : siblingOf(element, -1)
    return next !== null && matchFrom(selector, at + 1, next, budget)
  }
  const step = combinator === '~' ? (from: Element) => siblingOf(from, -1) : parentElement
  for (let next = step(element); next !== null; next = step(next)) {
    if (budget.left < 0) return false
    if (matchFrom(selector, at + 1, next, budget)) return true
  }
  return false
}

function matchCompound(compound: Compound, element: Element, budget: Budget): boolean {
  budget.left -= 1
  if (compound.tag !== null && compound.tag !== element.tagName.toLowerCase()) return false
  if (compound.id !== null) {
    const id = attribute(element, 'id')
    if (compound.id !== (budget.quirks ? id?.toLowerCase() : id)) return false
  }
  for (const name of compound.classes) if (!classesOf(element, budget.quirks).includes(name)) return false
  for (const test of compound.tests) if (!test(element, budget)) return false
  return true
}
