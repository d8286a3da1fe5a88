/** Pseudo-classes, as they stand in a page nobody has touched yet. */

import { generate, parse as parseCss } from 'css-tree'
import type { CssNode, PseudoClassSelector } from 'css-tree'
import { attribute, isElement, isHtml, parentElement, positionOf, siblingOf } from '../../html-document.ts'
import type { Element } from '../../html-document.ts'
import { matches, specificityOf } from './selector-match.ts'
import type { Selector, SelectorContext, Test } from './selector-match.ts'
import { spend } from '../../work.ts'

type CompileList = (nodes: CssNode[], context: SelectorContext) => Selector[] | null

/** Valid, but they wait for a pointer, a key or a script. */
const never = new Set(
  (
    'hover active focus focus-visible focus-within visited target target-current autofill -webkit-autofill ' +
    'fullscreen -webkit-full-screen modal picture-in-picture user-valid user-invalid popover-open in-range ' +
    'out-of-range invalid valid indeterminate default host host-context state current past future playing paused ' +
    'seeking buffering stalled muted volume-locked active-view-transition xr-overlay -webkit-drag ' +
    '-webkit-any-link-never has-slotted'
  ).split(' '),
)

const pseudoElements = new Set(
  (
    'before after first-line first-letter marker selection placeholder backdrop file-selector-button cue slotted ' +
    'part target-text grammar-error spelling-error highlight details-content view-transition checkmark picker ' +
    'view-transition-group view-transition-image-pair view-transition-old view-transition-new picker-icon ' +
    'scroll-marker scroll-marker-group scroll-button column search-text'
  ).split(' '),
)
const oldPseudoElements = new Set(['before', 'after', 'first-line', 'first-letter'])

export function knowsPseudoElement(name: string): boolean {
  const lower = name.toLowerCase()
  return pseudoElements.has(lower) || lower.startsWith('-webkit-')
}

const formFields = new Set(['input', 'button', 'select', 'textarea', 'option', 'optgroup', 'fieldset'])

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
  enabled: (element) => formFields.has(element.tagName) && attribute(element, 'disabled') === null,
  disabled: (element) => formFields.has(element.tagName) && attribute(element, 'disabled') !== null,
  checked: (element) =>
    attribute(element, element.tagName === 'option' ? 'selected' : 'checked') !== null &&
    (element.tagName === 'input' || element.tagName === 'option'),
  required: (element) => formFields.has(element.tagName) && attribute(element, 'required') !== null,
  optional: (element) =>
    ['input', 'select', 'textarea'].includes(element.tagName) && attribute(element, 'required') === null,
  'read-write': isWritable,
  'read-only': (element) => !isWritable(element),
  'placeholder-shown': (element) => attribute(element, 'placeholder') !== null,
  open: (element) => attribute(element, 'open') !== null,
  defined: (element) => !isHtml(element) || !element.tagName.includes('-'),
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

function isWritable(element: Element): boolean {
  if (attribute(element, 'contenteditable') !== null) return attribute(element, 'contenteditable') !== 'false'
  if (element.tagName !== 'input' && element.tagName !== 'textarea') return false
  return attribute(element, 'readonly') === null && attribute(element, 'disabled') === null
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
  if (name.startsWith('nth-')) return compileNth(name, argument, inner, compileList)
  switch (name) {
    case 'not':
    case 'is':
    case 'where':
    case 'matches':
    case 'any':
    case '-webkit-any':
      return compileLogic(name, argument, inner, compileList)
    case 'has':
      return compileHas(argument, inner, compileList)
    case 'lang':
    case 'dir':
      return { test: matchInheritedAttribute(name, textOf(argument)), specificity: 1000 }
    default:
      return null
  }
}

function textOf(node: CssNode): string {
  if (node.type === 'Identifier') return node.name.toLowerCase()
  return node.type === 'Raw' || node.type === 'String' ? node.value.toLowerCase().replaceAll('"', '') : ''
}

function matchInheritedAttribute(name: string, wanted: string): Test {
  return (element) => {
    for (let at: Element | null = element; at !== null; at = parentElement(at)) {
      spend(1 + at.attrs.length)
      const value = attribute(at, name)?.toLowerCase()
      if (value !== undefined) return value === wanted || (name === 'lang' && value.startsWith(`${wanted}-`))
    }
    return name === 'dir' && wanted === 'ltr'
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

/** `:has()` looks below an element or at its later siblings: for any element there, does the argument match up to it? */
function compileHas(argument: CssNode, context: SelectorContext, compileList: CompileList) {
  if (argument.type !== 'SelectorList') return null
  let anchor: Element | null = null
  const anchorTest: Test = (element) => element === anchor
  const selectors: Selector[] = []
  for (const node of argument.children.toArray()) {
    if (node.type !== 'Selector') return null
    // Read as standing under `:root`, whose place the anchor then takes.
    const anchored = parseCss(`:root ${generate(node)}`, { context: 'selector' })
    const selector = compileList([anchored], { ...context, parent: null })?.[0]
    const last = selector?.compounds[selector.compounds.length - 1]
    if (!selector || !last) return null
    last.tests = [anchorTest]
    selectors.push(selector)
  }
  const test: Test = (element, quirks) => {
    const before = anchor
    anchor = element
    const found = findRelative(element, selectors, quirks)
    anchor = before
    return found
  }
  return { test, specificity: specificityOf(selectors) }
}

function findRelative(element: Element, selectors: Selector[], quirks: boolean): boolean {
  const pending: Element[] = []
  for (let next = siblingOf(element, 1); next !== null; next = siblingOf(next, 1)) pending.push(next)
  addChildren(element, pending)
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const candidate = at
    spend(1)
    if (selectors.some((selector) => matches(selector, candidate, quirks))) return true
    addChildren(candidate, pending)
  }
  return false
}

function addChildren(element: Element, pending: Element[]): void {
  spend(element.childNodes.length)
  for (const child of element.childNodes) if (isElement(child)) pending.push(child)
}

function compileNth(name: string, argument: CssNode, context: SelectorContext, compileList: CompileList) {
  if (argument.type !== 'Nth') return null
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
  const of = argument.selector
    ? compileList(argument.selector.children.toArray(), { ...context, parent: null })
    : null
  if (argument.selector && !of) return null
  const hits = (index: number) =>
    step === 0 ? index === offset : (index - offset) % step === 0 && (index - offset) / step >= 0
  const fromEnd = name.includes('last')
  const test: Test = (element, quirks) => {
    if (of) {
      if (!of.some((selector) => matches(selector, element, quirks))) return false
      let index = 1
      for (
        let other = siblingOf(element, fromEnd ? 1 : -1);
        other;
        other = siblingOf(other, fromEnd ? 1 : -1)
      ) {
        const sibling = other
        if (of.some((selector) => matches(selector, sibling, quirks))) index += 1
      }
      return hits(index)
    }
    if (name.endsWith('of-type')) return hits(countOfType(element, fromEnd ? 1 : -1))
    const { position, count } = positionOf(element)
    return hits(fromEnd ? count - position + 1 : position)
  }
  return { test, specificity: 1000 + (of ? specificityOf(of) : 0) }
}

function readStep(a: string | null): number {
  if (a === null) return 0
  if (a === '' || a === '+') return 1
  return a === '-' ? -1 : Number(a)
}
