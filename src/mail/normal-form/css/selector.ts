/** CSS selectors, read by css-tree and made ready to match. */

import { ident, parse as parseCss } from 'css-tree'
import type { CssNode, Selector as SelectorNode } from 'css-tree'
import { attribute, parentElement } from '../../html-document.ts'
import { compilePseudoClass, knowsPseudoElement } from './pseudo-class.ts'
import { matches, specificityOf } from './selector-match.ts'
import type { Compound, Selector, SelectorContext, Test } from './selector-match.ts'
import { spend } from '../../work.ts'

/** css-tree clears its whole buffer for each list, and a longer one would enlarge it for good: all mail would pay. */
const longestList = 16_000

/** Null where a browser would drop the rule: one bad selector spoils its list. */
export function compileSelectors(text: string, context: SelectorContext): Selector[] | null {
  spend(20 + 8 * text.length)
  if (text.length > longestList) return null
  try {
    const tree = parseCss(text, { context: 'selectorList' })
    return tree.type === 'SelectorList' ? compileList(tree.children.toArray(), context) : null
  } catch {
    // css-tree throws on what it cannot read, and on nesting too deep for its stack.
    return null
  }
}

export function compileList(nodes: CssNode[], context: SelectorContext): Selector[] | null {
  const selectors: Selector[] = []
  for (const node of nodes) {
    const selector = node.type === 'Selector' ? compileSelector(node, context) : null
    if (!selector) return null
    selectors.push(selector)
  }
  return selectors.length === 0 ? null : selectors
}

function compileSelector(node: SelectorNode, context: SelectorContext): Selector | null {
  const compounds: Compound[] = [emptyCompound()]
  const combinators: string[] = []
  let specificity = 0
  let pseudoElement = false
  let nested = false
  const parts = node.children.toArray()
  const relative = parts[0]?.type === 'Combinator'
  for (const part of parts) {
    const compound = compounds[compounds.length - 1] ?? emptyCompound()
    if (part.type === 'Combinator') {
      combinators.push(part.name.trim() === '' ? ' ' : part.name)
      compounds.push(emptyCompound())
    } else if (part.type === 'NestingSelector') {
      nested = true
      compound.tests.push(matchParent(context))
    } else if (part.type === 'PseudoElementSelector') {
      if (!knowsPseudoElement(part.name)) return null
      pseudoElement = true
      specificity += 1
    } else {
      const weight = addPart(compound, part, context)
      if (weight === null) return null
      if (weight === 'pseudo-element') pseudoElement = true
      else specificity += weight
    }
  }
  if (context.parent && (relative || !nested)) {
    // A nested rule without `&` stands below its parent.
    const first = compounds[0]
    if (relative) first?.tests.push(matchParent(context))
    else {
      compounds.unshift({ ...emptyCompound(), tests: [matchParent(context)] })
      combinators.unshift(' ')
    }
  } else if (relative) return null
  if (context.parent) specificity += specificityOf(context.parent)
  return {
    compounds: compounds.toReversed(),
    combinators: combinators.toReversed(),
    specificity,
    pseudoElement,
  }
}

function emptyCompound(): Compound {
  return { tag: null, id: null, classes: [], tests: [] }
}

function matchParent({ parent }: SelectorContext): Test {
  if (!parent) return (element) => parentElement(element) === null
  return (element, quirks) => parent.some((selector) => matches(selector, element, quirks))
}

/** Adds one simple selector to a compound; its specificity, or null where it is no selector. */
function addPart(
  compound: Compound,
  part: CssNode,
  context: SelectorContext,
): number | 'pseudo-element' | null {
  const fold = (name: string) => (context.quirks ? name.toLowerCase() : name)
  switch (part.type) {
    case 'TypeSelector': {
      const name = ident.decode(part.name.replace(/^[^|]*\|/, '')).toLowerCase()
      if (name === '*') return 0
      compound.tag = name
      return 1
    }
    case 'ClassSelector':
      compound.classes.push(fold(ident.decode(part.name)))
      return 1000
    case 'IdSelector': {
      const id = fold(ident.decode(part.name))
      if (compound.id !== null && compound.id !== id) compound.tests.push(() => false)
      compound.id = id
      return 1_000_000
    }
    case 'AttributeSelector': {
      const value = part.value && (part.value.type === 'String' ? part.value.value : part.value.name)
      compound.tests.push(matchAttribute(part.name.name, part.matcher, value ?? null, part.flags))
      return 1000
    }
    case 'PseudoClassSelector': {
      const compiled = compilePseudoClass(part, context, compileList)
      if (!compiled || compiled === 'pseudo-element') return compiled
      compound.tests.push(compiled.test)
      return compiled.specificity
    }
    default:
      return null
  }
}

/** Attributes of HTML whose values are compared without regard to case. */
const caseless = new Set(
  'align bgcolor color dir face hidden href lang media method rel size type valign'.split(' '),
)
caseless.delete('href')

function matchAttribute(
  rawName: string,
  matcher: string | null,
  value: string | null,
  flags: string | null,
): Test {
  const name = ident.decode(rawName.replace(/^[^|=]*\|/, '')).toLowerCase()
  const ignoreCase = flags?.toLowerCase() === 'i' || (caseless.has(name) && flags?.toLowerCase() !== 's')
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  const wanted = value === null ? '' : fold(value)
  return (element) => {
    const found = attribute(element, name)
    spend(element.attrs.length + ((found?.length ?? 0) >> 2))
    if (found === null) return false
    if (matcher === null) return true
    const has = fold(found)
    switch (matcher) {
      case '=':
        return has === wanted
      case '~=':
        return wanted !== '' && has.split(/[ \t\n\f\r]+/).includes(wanted)
      case '|=':
        return has === wanted || has.startsWith(`${wanted}-`)
      case '^=':
        return wanted !== '' && has.startsWith(wanted)
      case '$=':
        return wanted !== '' && has.endsWith(wanted)
      case '*=':
        return wanted !== '' && has.includes(wanted)
      default:
        return false
    }
  }
}

/** Which of an element's own names a rule hangs on, for the index of rules. */
export function keyOf(selector: Selector): string {
  const subject = selector.compounds[0]
  if (subject?.id) return `#${subject.id}`
  if (subject?.classes[0]) return `.${subject.classes[0]}`
  return subject?.tag ?? '*'
}
