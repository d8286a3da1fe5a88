/** Which declarations win on an element: sheets indexed by id, class and type, so that cost does not multiply. */

import { attribute, classesOf } from '../../html-document.ts'
import type { Element } from '../../html-document.ts'
import { expandAll } from './longhand.ts'
import type { Longhand } from './longhand.ts'
import { containerApplies, mediaApplies, supportsApplies } from './media.ts'
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
  within: Selector[] | null
  longhands: Longhand[]
  layer: number
  order: number
}

export interface Keyframes {
  first: Longhand[]
  last: Longhand[]
}

export interface Cascade {
  quirks: boolean
  index: Map<string, IndexedRule[]>
  keyframes: Map<string, Keyframes>
  /** Font families of the mail's own making whose glyphs have no size. */
  blankFonts: Set<string>
  /** Initial values given by `@property`. */
  initials: Map<string, string>
  candidates: Map<string, IndexedRule[]>
  /** Style attributes of this mail, each paid for once, whatever is remembered of the mail before. */
  inline: Map<string, Longhand[]>
}

const unlayered = 1_000_000

export function createCascade(sheets: string[], quirks: boolean): Cascade {
  const cascade: Cascade = {
    quirks,
    index: new Map(),
    keyframes: new Map(),
    blankFonts: new Set(),
    initials: new Map(),
    candidates: new Map(),
    inline: new Map(),
  }
  const gathering: Gathering = { cascade, order: 0, layers: new Map() }
  for (const sheet of sheets) {
    gather(parseSheet(sheet), { parent: null, within: null, layer: '', depth: 0 }, gathering)
  }
  return cascade
}

interface Gathering {
  cascade: Cascade
  order: number
  layers: Map<string, number>
}

interface Place {
  parent: Selector[] | null
  within: Selector[] | null
  layer: string
  depth: number
}

function gather(rules: Rule[], place: Place, gathering: Gathering): void {
  const { cascade } = gathering
  for (const rule of rules) {
    if (rule.kind === 'at') {
      gatherAtRule(rule, place, gathering)
      continue
    }
    const context = { quirks: cascade.quirks, parent: place.parent, depth: 0 }
    const selectors = compileSelectors(rule.prelude, context)
    if (!selectors) continue
    addRule(selectors, rule.declarations, place, gathering)
    if (rule.children.length > 0 && place.depth < 8) {
      gather(rule.children, { ...place, parent: selectors, depth: place.depth + 1 }, gathering)
    }
  }
}

function addRule(
  selectors: Selector[],
  declarations: Parameters<typeof expandAll>[0],
  place: Place,
  gathering: Gathering,
): void {
  const { cascade } = gathering
  for (const { value } of declarations) payForSyntax(value)
  const longhands = expandAll(declarations, cascade.quirks)
  if (longhands.length === 0) return
  const layer = place.layer === '' ? unlayered : layerNumber(place.layer, gathering)
  for (const selector of selectors) {
    gathering.order += 1
    const key = keyOf(selector)
    const bucket = cascade.index.get(key)
    const indexed = { selector, within: place.within, longhands, layer, order: gathering.order }
    if (bucket) bucket.push(indexed)
    else cascade.index.set(key, [indexed])
  }
}

function layerNumber(name: string, { layers }: Gathering): number {
  const known = layers.get(name) ?? layers.size
  layers.set(name, known)
  return known
}

function gatherAtRule(rule: Extract<Rule, { kind: 'at' }>, place: Place, gathering: Gathering): void {
  const { cascade } = gathering
  const children = rule.children ?? []
  const inside = (next: Partial<Place> = {}) => {
    if (place.parent) addRule(place.parent, rule.declarations, { ...place, ...next }, gathering)
    gather(children, { ...place, ...next, depth: place.depth + 1 }, gathering)
  }
  switch (rule.name) {
    case 'media':
      if (mediaApplies(rule.prelude)) inside()
      return
    case 'supports':
      if (supportsApplies(rule.prelude)) inside()
      return
    case 'container':
      if (containerApplies(rule.prelude)) inside()
      return
    case 'layer': {
      const prefix = place.layer === '' ? '' : `${place.layer}.`
      const names = rule.prelude.split(',').map((name) => prefix + (name.trim() || `#${gathering.order}`))
      for (const name of names) layerNumber(name, gathering)
      if (rule.children) inside({ layer: names[0] ?? '' })
      return
    }
    case 'scope': {
      const root = /^\(([^)]*(?:\([^)]*\)[^)]*)*)\)/.exec(rule.prelude)?.[1]
      const context = { quirks: cascade.quirks, parent: null, depth: 0 }
      const within = root ? compileSelectors(root, context) : null
      if (within) inside({ within })
      return
    }
    case 'keyframes':
    case '-webkit-keyframes':
      cascade.keyframes.set(
        rule.prelude.replaceAll(/["']/g, '').toLowerCase(),
        readKeyframes(children, cascade.quirks),
      )
      return
    case 'font-face': {
      const value = (name: string) => rule.declarations.find((one) => one.name === name)?.value
      const adjust = Number.parseFloat(value('size-adjust') ?? '100')
      if (adjust < 10) cascade.blankFonts.add(familyOf(value('font-family') ?? ''))
      return
    }
    case 'property': {
      const initial = rule.declarations.find((one) => one.name === 'initial-value')?.value
      if (initial !== undefined) cascade.initials.set(rule.prelude.trim(), initial)
      return
    }
  }
}

export function familyOf(text: string): string {
  return (text.split(',')[0] ?? '').trim().replaceAll(/["']/g, '').toLowerCase()
}

function readKeyframes(rules: Rule[], quirks: boolean): Keyframes {
  const frames: Keyframes = { first: [], last: [] }
  for (const rule of rules) {
    if (rule.kind !== 'rule') continue
    for (const { value } of rule.declarations) payForSyntax(value)
    const longhands = expandAll(rule.declarations, quirks)
    for (const stop of rule.prelude
      .toLowerCase()
      .split(',')
      .map((part) => part.trim())) {
      if (stop === 'from' || Number.parseFloat(stop) === 0) frames.first.push(...longhands)
      if (stop === 'to' || Number.parseFloat(stop) === 100) frames.last.push(...longhands)
    }
  }
  return frames
}

const inlineCache = new Map<string, Longhand[]>()

/** Checking a long value against its grammar may try many ways. */
function payForSyntax(value: string): void {
  spend(10 + (value.length > 300 ? 30 : 8) * value.length)
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
  spend(2 * inline.length)
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
  const frames = cascade.keyframes.size > 0 ? framesOf(declared, cascade) : null
  spend(frames?.length ?? 0)
  if (frames) for (const one of frames) declared.set(one.name, one.value)
  if (rules) {
    // Among important declarations the first layer wins, within a layer the usual order holds.
    const byLayer = rules.some((rule) => rule.layer !== unlayered)
      ? rules.toSorted(
          (a, b) => b.layer - a.layer || a.selector.specificity - b.selector.specificity || a.order - b.order,
        )
      : rules
    for (const rule of byLayer) put(rule.longhands, true)
  }
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
  for (const rule of candidates) {
    if (!matches(rule.selector, element, cascade.quirks)) continue
    if (rule.within && !isWithin(element, rule.within, cascade.quirks)) continue
    found.push(rule)
  }
  // Applying a rule costs as well, and a hostile sheet may have thousands that all match.
  for (const { layer, longhands } of found) spend(2 * longhands.length + (layer === unlayered ? 0 : 10))
  return found.length === 0 ? null : found
}

function isWithin(element: Element, roots: Selector[], quirks: boolean): boolean {
  for (let at: Element['parentNode'] = element; at && 'tagName' in at; at = at.parentNode) {
    const ancestor = at as Element
    if (roots.some((root) => matches(root, ancestor, quirks))) return true
  }
  return false
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
  found.sort(
    (a, b) => a.layer - b.layer || a.selector.specificity - b.selector.specificity || a.order - b.order,
  )
  if (cascade.candidates.size < 5000) cascade.candidates.set(key, found)
  return found
}

/** What an animation leaves on the element a few seconds after opening. */
function framesOf(declared: Declared, cascade: Cascade): Longhand[] | null {
  const name = declared.get('animation-name')
  const frames =
    name === undefined ? undefined : cascade.keyframes.get(name.replaceAll(/["']/g, '').toLowerCase())
  if (!frames) return null
  const seconds = (property: string) => {
    const text = declared.get(property) ?? '0s'
    return Number.parseFloat(text) / (text.endsWith('ms') ? 1000 : 1)
  }
  const fill = declared.get('animation-fill-mode') ?? 'none'
  const count = declared.get('animation-iteration-count') ?? '1'
  const delay = seconds('animation-delay')
  const duration = seconds('animation-duration')
  const reverse = declared.get('animation-direction') === 'reverse'
  const first = reverse ? frames.last : frames.first
  const last = reverse ? frames.first : frames.last
  const length = duration * (count === 'infinite' ? Number.POSITIVE_INFINITY : Number(count))
  if (declared.get('animation-play-state') === 'paused') {
    if (delay > 0) return fill === 'both' || fill === 'backwards' ? first : null
    return -delay >= length
      ? fill === 'both' || fill === 'forwards'
        ? last
        : null
      : -delay > duration / 2
        ? last
        : first
  }
  const longWait = 30
  if (delay > longWait) return fill === 'both' || fill === 'backwards' ? first : null
  if (duration > longWait * 10 && delay >= 0) return first
  if (count === 'infinite') return null
  return fill === 'both' || fill === 'forwards' ? last : null
}
