/** Matching of selectors against the tree. */

import { attribute, classesOf, parentElement, siblingOf } from '../../html-document.ts'
import type { Element } from '../../html-document.ts'
import { spend } from '../../work.ts'

/** `quirks`: without a doctype, names of classes and ids match in any case. */
export type Test = (element: Element, quirks: boolean) => boolean

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

/** Of the weightiest; a list may be too long to be handed to a function. */
export function specificityOf(selectors: readonly Selector[]): number {
  spend(selectors.length)
  return selectors.reduce((most, { specificity }) => Math.max(most, specificity), 0)
}

export function matches(selector: Selector, element: Element, quirks: boolean): boolean {
  return !selector.pseudoElement && matchFrom(selector, 0, element, quirks)
}

function matchFrom(selector: Selector, at: number, element: Element, quirks: boolean): boolean {
  const compound = selector.compounds[at]
  if (!compound || !matchCompound(compound, element, quirks)) return false
  const combinator = selector.combinators[at]
  if (combinator === undefined) return true
  if (combinator === '>' || combinator === '+') {
    const next = combinator === '>' ? parentElement(element) : siblingOf(element, -1)
    return next !== null && matchFrom(selector, at + 1, next, quirks)
  }
  const step = combinator === '~' ? (from: Element) => siblingOf(from, -1) : parentElement
  for (let next = step(element); next !== null; next = step(next)) {
    if (matchFrom(selector, at + 1, next, quirks)) return true
  }
  return false
}

function matchCompound(compound: Compound, element: Element, quirks: boolean): boolean {
  spend(2)
  if (compound.tag !== null && compound.tag !== element.tagName.toLowerCase()) return false
  if (compound.id !== null) {
    const id = attribute(element, 'id')
    if (compound.id !== (quirks ? id?.toLowerCase() : id)) return false
  }
  for (const name of compound.classes) {
    const classes = classesOf(element, quirks)
    spend(classes.length >> 3)
    if (!classes.includes(name)) return false
  }
  for (const test of compound.tests) if (!test(element, quirks)) return false
  return true
}
