/** Parses HTML into a tree as browsers do, within limits. */

import {
  defaultTreeAdapter,
  html as htmlNames,
  Parser,
  type Token,
  type DefaultTreeAdapterTypes as Tree,
  type DefaultTreeAdapterMap,
  type TreeAdapter,
} from 'parse5'
import { spend, TooMuchWork } from './work.ts'

export interface Element extends Tree.Element {
  /** Split on first use, then cached. */
  classes: string[] | null
  /** Position among the element children of its parent, from 1; 0 until counted. */
  position: number
  /** Index in its parent's child nodes, known once `position` is. */
  place: number
  /** Number of element children; -1 until counted. */
  elementCount: number
}
export type Document = Tree.Document
export type Node = Tree.Node

export function createElement(
  tagName: string,
  namespaceURI: Tree.Element['namespaceURI'],
  attrs: Tree.Element['attrs'],
): Element {
  return {
    nodeName: tagName,
    tagName,
    attrs,
    namespaceURI,
    childNodes: [],
    parentNode: null,
    classes: null,
    position: 0,
    place: 0,
    elementCount: -1,
  }
}

/** Elements that may still be created; parsing is synchronous, so one shared counter is enough. */
let left = 0

/** Number of open elements. At every tag the parsing rules search all of them, which is quadratic as well. */
let depth = 0
const greatestDepth = 2000

const treeAdapter: TreeAdapter<DefaultTreeAdapterMap> = {
  ...defaultTreeAdapter,
  createElement(tagName, namespaceURI, attrs) {
    left -= 1
    spend(18)
    if (left < 0) throw new TooMuchWork()
    return createElement(tagName, namespaceURI, attrs)
  },
  adoptAttributes(recipient, attrs) {
    spend(recipient.attrs.length)
    defaultTreeAdapter.adoptAttributes(recipient, attrs)
  },
  onItemPush() {
    depth += 1
    if (depth > greatestDepth) throw new TooMuchWork()
  },
  onItemPop() {
    depth -= 1
  },
}

/** Charges each tag for the search: the parsing rules may look through all open elements. */
class CountingParser extends Parser<DefaultTreeAdapterMap> {
  override onStartTag(token: Token.TagToken): void {
    spend(5 + (depth >> 3))
    super.onStartTag(token)
  }

  override onEndTag(token: Token.TagToken): void {
    spend(5 + (depth >> 3))
    super.onEndTag(token)
  }
}

/** Markup that would grow far beyond its own size, or nests deeper than mail does, throws `TooMuchWork`. */
export function parseDocument(html: string): Document {
  // Unclosed formatting elements are recreated in every later block: without a limit, their number is quadratic.
  left = 1000 + html.length / 2
  depth = 0
  spend(html.length)
  // The frame that shows mail runs no script, so `<noscript>` is shown.
  return CountingParser.parse(html, { scriptingEnabled: false, treeAdapter })
}

export function isElement(node: Node | null | undefined): node is Element {
  return node !== null && node !== undefined && 'tagName' in node
}

export function isHtml(element: Element): boolean {
  return element.namespaceURI === htmlNames.NS.HTML
}

export function attribute(element: Element, name: string): string | null {
  for (const attr of element.attrs) if (attr.name === name) return attr.value
  return null
}

export function parentElement(element: Element): Element | null {
  const parent = element.parentNode
  return isElement(parent) ? parent : null
}

export function classesOf(element: Element, quirks: boolean): string[] {
  if (element.classes) return element.classes
  const text = attribute(element, 'class') ?? ''
  element.classes = (quirks ? text.toLowerCase() : text).split(/[ \t\n\f\r]+/).filter((name) => name !== '')
  return element.classes
}

/** Numbers the children of an element's parent, once. */
export function positionOf(element: Element): { position: number; count: number } {
  const parent = element.parentNode
  if (!parent) return { position: 1, count: 1 }
  const holder = parent as Partial<Element> & { childNodes: Tree.ChildNode[] }
  if (element.position === 0 || (holder.elementCount ?? -1) < 0) {
    let count = 0
    for (const [place, child] of holder.childNodes.entries()) {
      if (!isElement(child)) continue
      count += 1
      child.position = count
      child.place = place
    }
    holder.elementCount = count
  }
  return { position: element.position, count: holder.elementCount ?? 1 }
}

/** The element before it under the same parent. */
export function elementBefore(element: Element): Element | null {
  const siblings = element.parentNode?.childNodes
  if (!siblings) return null
  positionOf(element)
  for (let at = element.place - 1; at >= 0; at -= 1) {
    spend(1)
    const sibling = siblings[at]
    if (isElement(sibling)) return sibling
  }
  return null
}
