/**
 * The text a person sees. An agent that reads mail must not obey what its owner cannot see,
 * so what is invisible is taken out and counted.
 */

import { removeInvisible } from '../model/invisible.ts'
import { parseDocument, type ParsedHtml } from './html-document.ts'
import { readDocument } from './visible-text/reader.ts'
import { writePieces } from './visible-text/writer.ts'

export { partsDiffer } from './visible-text/parts.ts'

export interface VisibleText {
  text: string
  /** Characters taken out because nobody sees them, white space aside. */
  hiddenCharacters: number
}

/** What a browser would show of an HTML document. */
export function readHtml(html: string): VisibleText {
  return readParsedHtml(parseDocument(html))
}

export function readParsedHtml({ document, exact }: ParsedHtml): VisibleText {
  const { pieces, hidden } = readDocument(document)
  const text = writePieces(pieces)
  // Mail whose markup is read by simpler rules is marked even when nothing was found.
  return { text, hiddenCharacters: exact ? hidden : Math.max(1, hidden) }
}

/** A plain part, without what no screen shows. */
export function readPlain(plain: string): VisibleText {
  const lines = plain.replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
  const { text, removed } = removeInvisible(lines)
  return { text, hiddenCharacters: removed }
}
