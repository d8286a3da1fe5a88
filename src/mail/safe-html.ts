import { hash } from 'node:crypto'
import { attribute, isElement, parseDocument } from './html-document.ts'
import type { Document, Element, Node } from './html-document.ts'
import { bodyAttributes, cleanAttributes } from './safe-html/attributes.ts'
import type { BodyLooks, InlineImage } from './safe-html/attributes.ts'
import { voidElements, withheld } from './safe-html/elements.ts'
import { cleanStyleSheet } from './safe-html/stylesheet.ts'
import { TagWriter } from './safe-html/writer.ts'
import { spend } from './work.ts'

const mostBytes = 1_000_000

export interface SafeHtml {
  html: string
  /** The mail was longer than fits; the rest is missing. */
  truncated: boolean
}

export function sanitizeHtml(html: string, inlineImage: InlineImage): SafeHtml {
  return sanitizeDocument(html, parseDocument(html).document, inlineImage)
}

/**
 * A mail's HTML for display: no script, no handler, no form, nothing that loads from elsewhere.
 *
 * The input is only ever read as the tree a browser would make of it; each node is dropped or written anew from
 * allowlists, fully escaped. What is written holds no raw-text element but one clean `<style>` at the front and no
 * foreign element, so a browser cannot read it in another way than it was meant, whatever the input did.
 */
export function sanitizeDocument(source: string, document: Document, inlineImage: InlineImage): SafeHtml {
  const writing: Writing = {
    writer: new TagWriter(mostBytes - 200),
    inlineImage,
    source,
    scope: '',
    body: null,
    sheets: '',
  }
  walk(document, writing)
  const content = writing.writer.finish()
  return { html: wrap(content, writing), truncated: writing.writer.truncated }
}

interface Writing {
  writer: TagWriter
  inlineImage: InlineImage
  source: string
  /** The class the mail's rules are bound to; made when there are any. */
  scope: string
  body: BodyLooks | null
  sheets: string
}

/** Without recursion: mail may nest deeper than a stack. */
function walk(document: Document, writing: Writing): void {
  const { writer } = writing
  const open: { element: Element | null; nodes: readonly Node[]; at: number }[] = [
    { element: null, nodes: document.childNodes, at: 0 },
  ]
  for (let place = open.at(-1); place && !writer.truncated; place = open.at(-1)) {
    const node = place.nodes[place.at++]
    if (node === undefined) {
      if (place.element) writer.end(place.element.tagName)
      open.pop()
    } else if (node.nodeName === '#text') writer.text((node as Node & { value: string }).value)
    else if (isElement(node) && enter(node, writing))
      open.push({ element: node, nodes: node.childNodes, at: 0 })
  }
}

/** Whether to go on inside. */
function enter(element: Element, writing: Writing): boolean {
  spend(8 + 2 * element.attrs.length)
  const { tagName } = element
  if (tagName === 'body') writing.body ??= keepBody(element, writing.writer)
  if (tagName === 'style') keepSheet(element, writing)
  if (withheld.has(tagName)) return false
  writing.writer.start(tagName, (written) => cleanAttributes(written, element.attrs, writing.inlineImage))
  return !voidElements.has(tagName)
}

function keepBody(element: Element, writer: TagWriter): BodyLooks {
  const looks = bodyAttributes(element.attrs)
  const fits = writer.reserve(Buffer.byteLength(looks.classes + looks.rest))
  return fits ? looks : { classes: '', rest: '' }
}

function keepSheet(element: Element, writing: Writing): void {
  writing.scope ||= `spool-mail-${hash('sha256', writing.source).slice(0, 16)}`
  const css = element.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
  spend(4 * css.length)
  const sheet = cleanStyleSheet(css, attribute(element, 'media'), writing.scope)
  if (writing.writer.reserve(Buffer.byteLength(sheet))) writing.sheets += sheet
}

function wrap(content: string, { sheets, scope, body }: Writing): string {
  const classes = ['spool-mail', sheets && scope, body?.classes].filter(Boolean).join(' ')
  const style = sheets && `<style>\n${sheets}</style>`
  return `<div class="${classes}"${body?.rest ?? ''}>${style}${content}</div>`
}
