/** Which declarations win on an element. Sheets are indexed by id, class and type, so that cost does not multiply. */

import { attribute, classesOf, type Element } from '../../html-document.ts'
import { expandAll, type Longhand } from './longhand.ts'
import { compileSelectors, keyOf, matches, type Selector } from './selector.ts'
import { parseDeclarations, parseSheet, type Declaration, type Rule } from './sheet.ts'
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
  /** A background is set by a rule with an unsupported selector, so no text colour can be judged. */
  doubtful: boolean
  index: Map<string, IndexedRule[]>
  candidates: Map<string, IndexedRule[]>
  /** Style attributes of this mail, each charged once per mail, even if cached from an earlier mail. */
  inline: Map<string, Longhand[]>
}

export function createCascade(sheets: string[], quirks: boolean): Cascade {
  const rules = sheets.flatMap(parseSheet)
  const index: Cascade['index'] = new Map()
  const variables = readVariables(rules)
  let [order, doubtful] = [0, false]
  for (const rule of rules) {
    const selectors = compileSelectors(rule.selectors, quirks)
    const longhands = expandAll(putIn(rule.declarations, variables), quirks)
    doubtful ||= !selectors && longhands.some(({ name }) => name.startsWith('background'))
    if (!selectors || longhands.length === 0) continue
    spend(2 * selectors.length)
    for (const selector of selectors) {
      order += 1
      const key = keyOf(selector)
      const bucket = index.get(key)
      const indexed = { selector, longhands, order }
      if (bucket) bucket.push(indexed)
      else index.set(key, [indexed])
    }
  }
  return { quirks, doubtful, index, candidates: new Map(), inline: new Map() }
}

type Variables = Map<string, string>

/** Only variables that apply to the whole mail; one with several values is not read. */
function readVariables(rules: Rule[]): Variables {
  const variables: Variables = new Map()
  for (const { selectors, declarations } of rules) {
    const own = declarations.filter(({ name }) => name.startsWith('--'))
    for (const { name, value } of putIn(own, variables)) {
      const isRead = /^(?::root|html|body|\*)$/i.test(selectors) && value.length < 100
      variables.set(name, isRead && (variables.get(name) ?? value) === value ? value : 'unread()')
    }
  }
  return variables
}

const use = /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g

function putIn(declarations: Declaration[], variables: Variables): Declaration[] {
  return declarations.map((declaration) => {
    payForSyntax(declaration.value)
    if (!declaration.value.includes('var(')) return declaration
    const value = declaration.value.replaceAll(
      use,
      (call, name: string, fallback?: string) => variables.get(name) ?? fallback?.trim() ?? call,
    )
    payForSyntax(value)
    return { ...declaration, value }
  })
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

/** The winning author declarations on an element; null if there are none. */
export function declaredOn(element: Element, cascade: Cascade): Declared | null {
  const style = attribute(element, 'style')
  const inline = style === null ? nothing : readInline(style, cascade)
  const rules = cascade.index.size === 0 ? null : matchingRules(element, cascade)
  if (!rules && inline.length === 0) return null
  spend(10 + 4 * inline.length)
  const declared: Declared = new Map()
  const put = (longhands: Longhand[], important: boolean) => {
    for (const one of longhands) if (one.important === important) declared.set(one.name, one.value)
  }
  if (rules) for (const rule of rules) put(rule.longhands, false)
  put(inline, false)
  if (rules) for (const rule of rules) put(rule.longhands, true)
  put(inline, true)
  return declared
}

function matchingRules(element: Element, cascade: Cascade): IndexedRule[] | null {
  const candidates = candidatesFor(element, cascade)
  if (candidates.length === 0) return null
  const found = candidates.filter(({ selector }) => matches(selector, element, cascade.quirks))
  // Applying a rule costs work too, and a hostile sheet may have thousands that all match.
  for (const { longhands } of found) spend(3 + 4 * longhands.length)
  return found.length === 0 ? null : found
}

/** Rules indexed under the element's id, classes or type, or under `*`, in order of specificity. */
function candidatesFor(element: Element, cascade: Cascade): IndexedRule[] {
  const id = attribute(element, 'id') ?? ''
  const key = `${element.tagName}\0${id}\0${attribute(element, 'class') ?? ''}`
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
