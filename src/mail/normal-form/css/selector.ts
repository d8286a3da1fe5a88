/** CSS selectors, parsed by css-tree and compiled for matching. */

import parseSelectors from 'css-tree/selector-parser'
import { ident } from 'css-tree/utils'
import type { AttributeSelector, CssNode, PseudoClassSelector, Selector as SelectorNode } from 'css-tree'
import {
  attribute,
  classesOf,
  parentElement,
  positionOf,
  elementBefore,
  type Element,
} from '../../html-document.ts'
import { spend } from '../../work.ts'

/** `quirks`: without a doctype, class names and ids match case-insensitively. */
type Test = (element: Element, quirks: boolean) => boolean

interface Compound {
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
}

/** css-tree clears its whole buffer for each list; a longer list would enlarge it for good and slow down all mail. */
const longestList = 16_000
const mostCompounds = 50

/** Null where a browser would drop the rule: one invalid selector invalidates its whole list. */
export function compileSelectors(text: string, quirks: boolean): Selector[] | null {
  spend(20 + 8 * text.length)
  if (text.length > longestList) return null
  try {
    const tree = parseSelectors(text, { context: 'selectorList' })
    return tree.type === 'SelectorList' ? compileList(tree.children.toArray(), quirks) : null
  } catch {
    // css-tree throws on input it cannot parse, and on nesting too deep for its stack.
    return null
  }
}

function compileList(nodes: CssNode[], quirks: boolean): Selector[] | null {
  const selectors: Selector[] = []
  for (const node of nodes) {
    const selector = node.type === 'Selector' ? compileSelector(node, quirks) : null
    if (!selector) return null
    selectors.push(selector)
  }
  return selectors.length === 0 ? null : selectors
}

function compileSelector(node: SelectorNode, quirks: boolean): Selector | null {
  let compound = emptyCompound()
  const compounds = [compound]
  const combinators: string[] = []
  let specificity = 0
  for (const part of node.children.toArray()) {
    if (part.type === 'Combinator') {
      compound = emptyCompound()
      combinators.unshift(part.name.trim() === '' ? ' ' : part.name)
      compounds.unshift(compound)
    } else {
      const weight = addPart(compound, part, quirks)
      if (weight === null) return null
      specificity += weight
    }
  }
  return compounds.length > mostCompounds ? null : { compounds, combinators, specificity }
}

const emptyCompound = (): Compound => ({ tag: null, id: null, classes: [], tests: [] })

const never: Test = () => false

/** Adds one simple selector to a compound. Returns its specificity, or null if it is not supported. */
function addPart(compound: Compound, part: CssNode, quirks: boolean): number | null {
  const fold = (name: string) => (quirks ? ident.decode(name).toLowerCase() : ident.decode(name))
  switch (part.type) {
    case 'TypeSelector': {
      const name = ident.decode(part.name.replace(/^[^|]*\|/, '')).toLowerCase()
      if (name === '*') return 0
      compound.tag = name
      return 1
    }
    case 'ClassSelector':
      compound.classes.push(fold(part.name))
      return 1000
    case 'IdSelector':
      compound.id = fold(part.name)
      return 1_000_000
    case 'AttributeSelector':
      compound.tests.push(matchAttribute(part))
      return 1000
    case 'PseudoElementSelector':
      compound.tests.push(never)
      return 1
    case 'PseudoClassSelector':
      return addPseudoClass(compound, part, quirks)
    default:
      return null
  }
}

function matchAttribute({ name: { name: rawName }, matcher, value, flags }: AttributeSelector): Test {
  const name = ident.decode(rawName.replace(/^[^|=]*\|/, '')).toLowerCase()
  const fold = (text: string) => (flags?.toLowerCase() === 'i' ? text.toLowerCase() : text)
  const wanted = fold((value?.type === 'String' ? value.value : value?.name) ?? '')
  return (element) => {
    const found = attribute(element, name)
    spend(element.attrs.length + ((found?.length ?? 0) * (16 + wanted.length)) / 64)
    if (found === null || matcher === null) return found !== null
    const has = fold(found)
    if (matcher === '=') return has === wanted
    if (matcher === '|=') return has === wanted || has.startsWith(`${wanted}-`)
    if (wanted === '') return false
    if (matcher === '~=') return has.split(/[ \t\n\f\r]+/).includes(wanted)
    if (matcher === '^=') return has.startsWith(wanted)
    return matcher === '$=' ? has.endsWith(wanted) : has.includes(wanted)
  }
}

/** As in a page that nobody has interacted with: the others need a pointer, a key or a script, or style no element. */
const pseudoClasses = new Map<string, Test>([
  ['root', (element) => parentElement(element) === null],
  ['first-child', (element) => positionOf(element).position === 1],
  ['last-child', (element) => positionOf(element).position === positionOf(element).count],
  ['link', (element) => element.tagName === 'a' && attribute(element, 'href') !== null],
  ...'hover active focus visited target checked before after first-line first-letter'
    .split(' ')
    .map((name): [string, Test] => [name, never]),
])

function addPseudoClass(compound: Compound, node: PseudoClassSelector, quirks: boolean): number | null {
  const name = node.name.toLowerCase()
  const argument = node.children?.first
  const test = pseudoClasses.get(name)
  if (!argument) {
    if (test) compound.tests.push(test)
    return test ? 1000 : null
  }
  if (name === 'nth-child' && argument.type === 'Nth' && !argument.selector) {
    const { nth } = argument
    const [step, offset] =
      nth.type === 'Identifier'
        ? [2, nth.name.toLowerCase() === 'odd' ? 1 : 0]
        : [readStep(nth.a), Number(nth.b ?? 0)]
    compound.tests.push((element) => {
      const after = positionOf(element).position - offset
      return step === 0 ? after === 0 : after % step === 0 && after / step >= 0
    })
    return 1000
  }
  if (name !== 'not' || argument.type !== 'SelectorList') return null
  const selectors = compileList(argument.children.toArray(), quirks)
  if (!selectors) return null
  compound.tests.push((element) => !selectors.some((selector) => matches(selector, element, quirks)))
  return selectors.reduce((most, { specificity }) => Math.max(most, specificity), 0)
}

function readStep(a: string | null): number {
  if (a === null) return 0
  return /^[+-]?$/.test(a) ? Number(`${a}1`) : Number(a)
}

/** The id, class or type under which a rule is indexed. */
export function keyOf({ compounds: [subject] }: Selector): string {
  if (subject?.id) return `#${subject.id}`
  if (subject?.classes[0]) return `.${subject.classes[0]}`
  return subject?.tag ?? '*'
}

/** Matches from the compound at `at` leftwards. */
export function matches(selector: Selector, element: Element, quirks: boolean, at = 0): boolean {
  const compound = selector.compounds[at]
  if (!compound || !matchCompound(compound, element, quirks)) return false
  const combinator = selector.combinators[at]
  if (combinator === undefined) return true
  if (combinator === '>' || combinator === '+') {
    const next = combinator === '>' ? parentElement(element) : elementBefore(element)
    return next !== null && matches(selector, next, quirks, at + 1)
  }
  const step = combinator === '~' ? elementBefore : parentElement
  for (let next = step(element); next !== null; next = step(next)) {
    if (matches(selector, next, quirks, at + 1)) return true
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
