import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A leaf part that the test set expects in a message: its decoded bytes and its position. */
export interface ExpectedLeaf {
  header: string[]
  content: Buffer
  isText: boolean
  /** Content types of the enclosing multiparts and messages, outermost first. */
  path: string[]
}

const tag =
  /<(\/?)(message|header|field|multipart|body-part|preamble|epilogue|text-body|binary-body)([^>]*)>/g
const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' }

/** Reads `…_decoded.xml`: the structure of a message, with its decoded parts in files next to it. */
export function readExpectedLeaves(xmlPath: string): ExpectedLeaf[] {
  const xml = readFileSync(xmlPath, 'latin1')
  const leaves: ExpectedLeaf[] = []
  const path: string[] = []
  let header: string[] = []
  let fieldStart = 0
  for (const match of xml.matchAll(tag)) {
    const [whole, closing, name, attributes] = match
    if (name === 'field') {
      if (closing === '') fieldStart = match.index + whole.length
      else header.push(unescape(xml.slice(fieldStart, match.index)).trim())
    } else if (name === 'header' && closing === '') {
      header = []
    } else if (name === 'multipart') {
      if (closing === '') path.push(fieldOf(header, 'content-type').split(';')[0]!.trim().toLowerCase())
      else path.pop()
    } else if (name === 'message' && xml.slice(0, match.index).trim() !== '') {
      if (closing === '') path.push('message/rfc822')
      else if (path.at(-1) === 'message/rfc822') path.pop()
    } else if (name === 'text-body' || name === 'binary-body') {
      const file = /name="([^"]+)"/.exec(attributes!)![1]!
      const content = readFileSync(join(dirname(xmlPath), file))
      leaves.push({ header, content, isText: name === 'text-body', path: [...path] })
    }
  }
  return leaves
}

export function fieldOf(header: string[], name: string): string {
  const field = header.find((line) => line.toLowerCase().startsWith(`${name}:`))
  return field === undefined ? '' : field.slice(name.length + 1).trim()
}

const unescape = (text: string) => text.replace(/&(?:lt|gt|amp|quot);/g, (entity) => entities[entity]!)
