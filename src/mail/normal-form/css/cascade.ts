/** Which declarations win on an element: sheets indexed by id, class and type, so that cost does not multiply. */

import { attribute, classesOf } from '../../html-document.ts'
import type { Element } from '../../html-document.ts'
import { expandAll } from './longhand.ts'
import type { Longhand } from './longhand.ts'
import { mediaApplies, supportsApplies } from './media.ts'
import { matches } from './selector-match.ts'
import type { Selector } from './selector-match.ts'
import { compileSelectors, keyOf } from './selector.ts'
import { parseDeclarations, parseSheet } from './sheet.ts'
import type { Rule } from './sheet.ts'
import { spend } from '../../work.ts'

/** Winning values by property. */
export type Declared = Map<string, string>

interface IndexedRule {
  selector: Selector
  longhands: Longhand[]
  order: number
}

export interface Cascade {
  quirks: boolean
  index: Map<string, IndexedRule[]>
  candidates: Map<string, IndexedRule[]>
  /** Style attributes of this mail, each paid for once, whatever is remembered of the mail before. */
  inline: Map<string, Longhand[]>
}

export function createCascade(sheets: string[], quirks: boolean): Cascade {
  const cascade: Cascade = { quirks, index: new Map(), candidates: new Map(), inline: new Map() }
  const gathering: Gathering = { cascade, order: 0 }
  for (const sheet of sheets) gather(parseSheet(sheet), null, 0, gathering)
  return cascade
}

interface Gathering {
  cascade: Cascade
  order: number
}

const deepest = 32

function gather(rules: Rule[], parent: Selector[] | null, depth: number, gathering: Gathering): void {
  if (depth > deepest) return
  for (const rule of rules) {
    spend(1)
    if (rule.kind === 'at') {
      if (!atRuleApplies(rule.name, rule.prelude)) continue
      if (parent) addRule(parent, rule.declarations, gathering)
      gather(rule.children ?? [], parent, depth + 1, gathering)
      continue
    }
    const selectors = compileSelectors(rule.prelude, { quirks: gathering.cascade.quirks, parent, depth: 0 })
    if (!selectors) continue
    addRule(selectors, rule.declarations, gathering)
    if (rule.children.length > 0 && depth < 8) gather(rule.children, selectors, depth + 1, gathering)
  }
}

/** What else there is (layers, scopes, containers, keyframes) has no effect: the form shows the text either way. */
function atRuleApplies(name: string, prelude: string): boolean {
  if (name === 'media') return mediaApplies(prelude)
  if (name === 'supports') return supportsApplies(prelude)
  return name === 'layer'
}

function addRule(
  selectors: Selector[],
  declarations: Parameters<typeof expandAll>[0],
  gathering: Gathering,
): void {
  const { cascade } = gathering
  for (const { value } of declarations) payForSyntax(value)
  const longhands = expandAll(declarations, cascade.quirks)
  if (longhands.length === 0) return
  spend(2 * selectors.length)
  for (const selector of selectors) {
    gathering.order += 1
    const key = keyOf(selector)
    const bucket = cascade.index.get(key)
    const indexed = { selector, longhands, order: gathering.order }
    if (bucket) bucket.push(indexed)
    else cascade.index.set(key, [indexed])
  }
}

const inlineCache = new Map<string, Longhand[]>()

function payForSyntax(value: string): void {
  spend(10 + 6 * value.length)
}

function readInline(style: string, { quirks, inline }: Cascade): Longhand[] {
  const own = inline.get(style)
  if (own) return own
  payForSyntax(style)
  const key = quirks ? style : `!${style}`
  const known = inlineCache.get(key)
  const longhands = known ?? expandAll(parseDeclarations(style), quirks)
  inline.set(style, longhands)
  if (!known && style.length < 1000) {
    if (inlineCache.size > 2000) inlineCache.clear()
    inlineCache.set(key, longhands)
  }
  return longhands
}

const nothing: Longhand[] = []

/** All that the mail's author declares on an element, the winners only; null where there is nothing. */
export function declaredOn(element: Element, cascade: Cascade): Declared | null {
  const style = attribute(element, 'style')
  const inline = style === null ? nothing : readInline(style, cascade)
  const rules = cascade.index.size === 0 ? null : matchingRules(element, cascade)
  if (!rules && inline.length === 0) return null
  spend(10 + 4 * inline.length)
  const declared: Declared = new Map()
  const put = (longhands: Longhand[], important: boolean) => {
    for (const one of longhands) {
      if (one.important !== important) continue
      if (one.name === 'all') clearAll(declared)
      declared.set(one.name, one.value)
    }
  }
  if (rules) for (const rule of rules) put(rule.longhands, false)
  put(inline, false)
  if (rules) for (const rule of rules) put(rule.longhands, true)
  put(inline, true)
  return declared
}

function clearAll(declared: Declared): void {
  spend(declared.size)
  for (const name of declared.keys()) if (!name.startsWith('--')) declared.delete(name)
}

function matchingRules(element: Element, cascade: Cascade): IndexedRule[] | null {
  const candidates = candidatesFor(element, cascade)
  if (candidates.length === 0) return null
  const found: IndexedRule[] = []
  for (const rule of candidates) if (matches(rule.selector, element, cascade.quirks)) found.push(rule)
  // Applying a rule costs as well, and a hostile sheet may have thousands that all match.
  for (const { longhands } of found) spend(3 + 4 * longhands.length)
  return found.length === 0 ? null : found
}

/** Rules that hang on one of the element's own names, in order of weight. */
function candidatesFor(element: Element, cascade: Cascade): IndexedRule[] {
  const id = attribute(element, 'id') ?? ''
  const key = `${element.tagName}#${id}.${attribute(element, 'class') ?? ''}`
  spend(key.length >> 2)
  const known = cascade.candidates.get(key)
  if (known) return known
  const names = [`#${cascade.quirks ? id.toLowerCase() : id}`, element.tagName.toLowerCase(), '*']
  const classes = new Set(classesOf(element, cascade.quirks))
  for (const name of classes) names.push(`.${name}`)
  spend(2 * names.length)
  const found = names.flatMap((name) => cascade.index.get(name) ?? [])
  spend(6 * found.length)
  found.sort((a, b) => a.selector.specificity - b.selector.specificity || a.order - b.order)
  if (cascade.candidates.size < 5000) cascade.candidates.set(key, found)
  return found
}
