/** Finds the style sheets a mail brings along. */

import { attribute, isElement } from '../../html-document.ts'
import type { Document, Node } from '../../html-document.ts'
import { mediaApplies } from './media.ts'

/** More style than this is not read. */
const longest = 1_000_000

export function findSheets(document: Document): string[] {
  const sheets: string[] = []
  const pending: Node[] = [document]
  let length = 0
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isElement(node)) {
      const sheet = readSheet(node)
      if (sheet !== null && length + sheet.length <= longest) {
        length += sheet.length
        sheets.push(sheet)
      }
    }
    if ('childNodes' in node)
      for (let at = node.childNodes.length - 1; at >= 0; at -= 1) pending.push(node.childNodes[at] as Node)
  }
  return sheets
}

function readSheet(node: Parameters<typeof attribute>[0]): string | null {
  if (node.tagName !== 'style' && node.tagName !== 'link') return null
  const type = attribute(node, 'type')?.trim().toLowerCase() ?? ''
  if ((type !== '' && type !== 'text/css') || !mediaApplies(attribute(node, 'media') ?? '')) return null
  if (node.tagName === 'style') {
    return node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
  }
  if (!/(?:^|\s)stylesheet(?:\s|$)/i.test(attribute(node, 'rel') ?? '')) return null
  return readDataSheet(attribute(node, 'href') ?? '')
}

/** A sheet written into its own address needs no loading. */
function readDataSheet(address: string): string | null {
  const match = /^\s*data:text\/css([^,]*),(.*)$/is.exec(address)
  if (!match) return null
  const [, parameters = '', body = ''] = match
  try {
    const text = decodeURIComponent(body)
    return /;base64/i.test(parameters) ? Buffer.from(text, 'base64').toString('utf8') : text
  } catch {
    return null
  }
}
