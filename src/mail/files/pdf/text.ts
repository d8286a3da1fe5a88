/** The text of a PDF's page, without the letters that nobody sees. */

import type { getResolvedPDFJS } from 'unpdf'
import { PageWalk, type Desk } from './page.ts'
import { count, type Sight } from '../sight.ts'
import { judgeLetters } from './sight.ts'
import type { Layers, Page } from './state.ts'
import type { Letter } from './writer.ts'

type Pdfjs = Awaited<ReturnType<typeof getResolvedPDFJS>>

export interface PageText extends Sight {
  text: string
  /** How many letters were kept of each font. */
  fonts: Map<string, number>
}

interface Item {
  str: string
  hasEOL: boolean
}

/** Characters that the items of a page have, or lack, at other places than what is painted. */
const blank = /[\s\p{Cf}]+/gu

export async function readPage(
  page: Page,
  layers: Layers,
  { OPS, normalizeUnicode }: Pdfjs,
  desk: Desk,
): Promise<PageText> {
  const walk = new PageWalk(page, layers, OPS, desk)
  await walk.follow(await page.getOperatorList())
  const { items } = await page.getTextContent({ disableNormalization: true })
  const { kept, hidden, doubts } = judgeLetters(walk)
  // For each character, the letter that it belongs to.
  const owners: Letter[] = []
  let letters = ''
  let fields = ''
  const fonts = new Map<string, number>()
  for (const letter of walk.writer.letters) {
    if (kept.has(letter)) fonts.set(letter.font, (fonts.get(letter.font) ?? 0) + 1)
    if (letter.isAnnotation) fields += kept.has(letter) ? letter.text : ''
    else {
      const text = letter.text.replaceAll(blank, '')
      letters += text
      for (let at = 0; at < text.length; at++) owners.push(letter)
    }
  }
  let text = ''
  let next = 0
  for (const item of items as Item[]) {
    if (typeof item.str !== 'string') continue
    const words = item.str.replaceAll(blank, '')
    let at = findWords(letters, words, next)
    // What is not among the painted letters was not painted.
    if (at === -1) count(hidden, 'invisible', words.length)
    else {
      next = at + words.length
      text += item.str.replaceAll(/[^\s\p{Cf}]/gu, (character) => {
        const letter = owners[at]!
        at += character.length
        return kept.has(letter) ? character : ''
      })
    }
    if (item.hasEOL) text += '\n'
  }
  return {
    text: normalizeUnicode([text, fields.trimEnd()].filter((part) => part !== '').join('\n')),
    hidden,
    doubts,
    fonts,
  }
}

/** Items come in the order of painting, but what lies outside the page may be missing. */
function findWords(letters: string, words: string, from: number): number {
  if (letters.startsWith(words, from)) return from
  const sorted = (text: string): string => text.split('').toSorted().join('')
  // In an item that is written from right to left, the letters are in another order.
  if (sorted(letters.slice(from, from + words.length)) === sorted(words)) return from
  return letters.indexOf(words, from)
}
