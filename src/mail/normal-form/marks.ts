/**
 * What the sender's mail program says about parts of a mail by the names it gives to elements: a quote, a signature.
 * Anybody can write these names, so they are hints: `new-text` trusts one if its lines look like what it claims.
 */

import type { Element } from '../html-document.ts'
import { spend } from '../work.ts'
import type { Box, FormNode, MarkKind } from './tree.ts'

/** Lines of `text`: from `from` up to, not including, `to`. */
export interface Mark {
  kind: MarkKind
  from: number
  to: number
}

const names = new Map<string, MarkKind>([
  ...kindOf('quote', 'gmail_quote gmail_quote_container protonmail_quote mail_android_quote zmail_extra'),
  ...kindOf('quote', 'tutanota_quote'),
  ...kindOf('older', 'yahoo_quoted olk_src_body_section'),
  ...kindOf('older', 'ms-outlook-mobile-reference-message mail-editor-reference-message-container'),
  ...kindOf('attribution', 'gmail_attr moz-cite-prefix'),
  ...kindOf('header', 'divrplyfwdmsg moz-email-headers-table outlookmessageheader'),
  ...kindOf(
    'signature',
    'gmail_signature moz-signature protonmail_signature_block applemailsignature signature',
  ),
  ...kindOf('signature', 'ms-outlook-mobile-signature ms-outlook-ios-signature ymail_android_signature'),
])

function kindOf(kind: MarkKind, list: string): [string, MarkKind][] {
  return list.split(' ').map((name) => [name, kind])
}

const longestNames = 300

export function readMark(element: Element): MarkKind | null {
  const isQuote = element.tagName === 'blockquote'
  let kind: MarkKind | null = isQuote ? 'indent' : null
  for (const { name, value } of element.attrs) {
    if (name === 'class' || name === 'id') kind = named(value) ?? kind
    else if (isQuote && name === 'type' && value.toLowerCase() === 'cite') kind = 'quote'
    else if (name === 'data-signatureblock') kind = 'signature'
    // Outlook puts the header of a quoted message below a line.
    else if (name === 'style' && kind === null && isUnderLine(element, value)) kind = 'header'
  }
  return kind
}

/** Outlook prefixes the names in quoted mail with `x_`, as Hotmail did with `ecx`. */
function named(value: string): MarkKind | null {
  for (const name of value.slice(0, longestNames).toLowerCase().split(/\s+/)) {
    const kind = names.get(name.replace(/^(?:x_|ecx)+/, ''))
    if (kind !== undefined) return kind
  }
  return null
}

function isUnderLine({ tagName }: Element, style: string): boolean {
  return (tagName === 'div' || tagName === 'p') && /border-top[^;]*:[^;]*solid|border-top-style/i.test(style)
}

/** The lines of every marked box; outer boxes come before inner ones. */
export function findMarks(root: Box): Mark[] {
  const marks: Mark[] = []
  gather(root, marks)
  return marks.filter(({ from, to }) => from < to)
}

interface Extent {
  first: number
  last: number
}

function gather(box: Box, marks: Mark[]): Extent {
  spend(2 + box.children.length)
  const extent: Extent = { first: Number.POSITIVE_INFINITY, last: -1 }
  const mark: Mark | null = box.mark === null ? null : { kind: box.mark, from: 0, to: 0 }
  if (mark) marks.push(mark)
  for (const child of box.children) {
    const { first, last } = extentOf(child, marks)
    extent.first = Math.min(extent.first, first)
    extent.last = Math.max(extent.last, last)
  }
  if (mark && extent.last >= 0) {
    mark.from = extent.first
    mark.to = extent.last + 1
  }
  return extent
}

function extentOf(node: FormNode, marks: Mark[]): Extent {
  if (node.kind === 'box') return gather(node, marks)
  const line = node.kind === 'words' || node.kind === 'rule' ? node.line : -1
  return line < 0 ? { first: Number.POSITIVE_INFINITY, last: -1 } : { first: line, last: line }
}
