/** Pseudo-classes, as they stand in a page nobody has touched yet. */

import type { CssNode, PseudoClassSelector } from 'css-tree'
import { attribute, parentElement, positionOf, siblingOf } from '../../html-document.ts'
import type { Element } from '../../html-document.ts'
import { matches, specificityOf } from './selector-match.ts'
import type { Selector, SelectorContext, Test } from './selector-match.ts'
import { spend } from '../../work.ts'

type CompileList = (nodes: CssNode[], context: SelectorContext) => Selector[] | null

/** Valid, but they wait for a pointer, a key or a script. */
const never = new Set('hover active focus focus-visible focus-within visited target checked'.split(' '))

const pseudoElements = new Set('before after first-line first-letter marker selection placeholder'.split(' '))
const oldPseudoElements = new Set(['before', 'after', 'first-line', 'first-letter'])

export function knowsPseudoElement(name: string): boolean {
  const lower = name.toLowerCase()
  return pseudoElements.has(lower) || lower.startsWith('-webkit-')
}

const simple: Record<string, Test | undefined> = {
  root: (element) => parentElement(element) === null,
  scope: (element) => parentElement(element) === null,
  'first-child': (element) => positionOf(element).position === 1,
  'last-child': (element) => isLast(element),
  'only-child': (element) => positionOf(element).count === 1,
  'first-of-type': (element) => countOfType(element, -1) === 1,
  'last-of-type': (element) => countOfType(element, 1) === 1,
  'only-of-type': (element) => countOfType(element, -1) === 1 && countOfType(element, 1) === 1,
  empty: isEmpty,
  link: isLink,
  'any-link': isLink,
  '-webkit-any-link': isLink,
}

function isEmpty({ childNodes }: Element): boolean {
  return childNodes.every((child) => {
    spend(1)
    return child.nodeName === '#comment'
  })
}

function isLink(element: Element): boolean {
  return (element.tagName === 'a' || element.tagName === 'area') && attribute(element, 'href') !== null
}

function isLast(element: Element): boolean {
  const { position, count } = positionOf(element)
  return position === count
}

/** Its number among siblings of the same name, from the front (-1) or from the back (1). */
function countOfType(element: Element, step: -1 | 1): number {
  let count = 0
  for (let other: Element | null = element; other !== null; other = siblingOf(other, step)) {
    if (other.tagName === element.tagName) count += 1
  }
  return count
}

export function compilePseudoClass(
  node: PseudoClassSelector,
  context: SelectorContext,
  compileList: CompileList,
): { test: Test; specificity: number } | 'pseudo-element' | null {
  const name = node.name.toLowerCase()
  if (oldPseudoElements.has(name) && !node.children) return 'pseudo-element'
  const test = simple[name]
  if (test && !node.children) return { test, specificity: 1000 }
  if (never.has(name)) return { test: () => false, specificity: 1000 }
  if (context.depth > 8) return null
  const inner = { ...context, depth: context.depth + 1 }
  const argument = node.children?.first
  if (!argument) return null
  if (name.startsWith('nth-')) return compileNth(name, argument)
  switch (name) {
    case 'not':
    case 'is':
    case 'where':
    case 'matches':
    case 'any':
    case '-webkit-any':
      return compileLogic(name, argument, inner, compileList)
    default:
      return null
  }
}

function compileLogic(name: string, argument: CssNode, context: SelectorContext, compileList: CompileList) {
  if (argument.type !== 'SelectorList') return null
  const inside = { ...context, parent: null }
  const nodes = argument.children.toArray()
  // `:is()` forgives a bad selector among good ones; `:not()` does not.
  const selectors =
    name === 'not' ? compileList(nodes, inside) : nodes.flatMap((node) => compileList([node], inside) ?? [])
  if (!selectors) return null
  const some: Test = (element, quirks) => selectors.some((selector) => matches(selector, element, quirks))
  const test: Test = name === 'not' ? (element, quirks) => !some(element, quirks) : some
  return { test, specificity: name === 'where' ? 0 : specificityOf(selectors) }
}

function compileNth(name: string, argument: CssNode) {
  if (argument.type !== 'Nth' || argument.selector) return null
  const { nth } = argument
  let step = 0
  let offset = 0
  if (nth.type === 'Identifier') {
    step = 2
    offset = nth.name.toLowerCase() === 'odd' ? 1 : 0
  } else {
    step = readStep(nth.a)
    offset = Number(nth.b ?? 0)
  }
  const hits = (index: number) =>
    step === 0 ? index === offset : (index - offset) % step === 0 && (index - offset) / step >= 0
  const fromEnd = name.includes('last')
  const test: Test = (element) => {
    if (name.endsWith('of-type')) return hits(countOfType(element, fromEnd ? 1 : -1))
    const { position, count } = positionOf(element)
    return hits(fromEnd ? count - position + 1 : position)
  }
  return { test, specificity: 1000 }
}

function readStep(a: string | null): number {
  if (a === null) return 0
  if (a === '' || a === '+') return 1
  return a === '-' ? -1 : Number(a)
}
