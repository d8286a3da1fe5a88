import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import type { FileText } from '../../model/files/file-text.ts'
import { readPlain } from '../normal-form.ts'
import { cut, longestText } from './cut.ts'

const mostPages = 300
/** CPU time after which no further page is started, so that the pages already read are not lost. */
const mostMicroseconds = 800_000

const mayHide =
  'Invisible text of a PDF is left out where it can be told apart, which is not always possible.'

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type Page = Awaited<ReturnType<Document['getPage']>>
type Layers = Awaited<ReturnType<Document['getOptionalContentConfig']>>
type Pdfjs = Awaited<ReturnType<typeof getResolvedPDFJS>>

/** Never runs scripts in the file and never loads external resources. */
export async function readPdf(bytes: Uint8Array): Promise<FileText> {
  const begun = process.threadCpuUsage()
  const isSpent = (): boolean => {
    const { user, system } = process.threadCpuUsage(begun)
    return user + system > mostMicroseconds
  }
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      verbosity: 0,
    })
    const pdfjs = await getResolvedPDFJS()
    const layers = await document.getOptionalContentConfig()
    const pages: string[] = []
    let hidden = 0
    let length = 0
    for (let number = 1; number <= Math.min(document.numPages, mostPages); number++) {
      if (length > longestText || (number > 1 && isSpent())) break
      const page = await document.getPage(number)
      const read = await readPage(page, layers, pdfjs)
      pages.push(read.text)
      length += read.text.length
      hidden += read.hidden
      page.cleanup()
    }
    const notes = [
      pages.length < document.numPages
        ? `Only the first ${pages.length} of ${document.numPages} pages were read.`
        : '',
      hidden > 0 ? `${hidden} invisible characters were left out.` : '',
      mayHide,
    ]
    const text = readPlain(pages.join('\n\n')).text.trim()
    if (text === '') notes.unshift('There is no text in it; it may be a scan.')
    return cut('pdf', text, notes.filter((note) => note !== '').join(' '))
  } catch (error) {
    const isLocked = (error as Error).name === 'PasswordException'
    const note = isLocked
      ? 'This file is encrypted with a password, so it cannot be read.'
      : 'This file is damaged, so it cannot be read.'
    return { kind: 'pdf', text: null, note }
  }
}

interface Item {
  str: string
  hasEOL: boolean
  height: number
  transform: number[]
}

/** Text smaller than this, in points, or outside the page is invisible. */
const leastHeight = 1
/** Characters that the items of a page have, or lack, at other places than what is painted. */
const blank = /[\s\p{Cf}]+/gu

async function readPage(
  page: Page,
  layers: Layers,
  { OPS, normalizeUnicode }: Pdfjs,
): Promise<{ text: string; hidden: number }> {
  const { items } = await page.getTextContent({ disableNormalization: true })
  const { letters, seen, annotations } = await readPainted(page, layers, OPS)
  const [left, bottom, right, top] = page.view as [number, number, number, number]
  let text = ''
  let hidden = 0
  let next = 0
  for (const item of items as Item[]) {
    if (typeof item.str !== 'string') continue
    const [x, y] = [item.transform[4]!, item.transform[5]!]
    const isInside = x < right && y < top && x + 1 > left && y + 1 > bottom
    const words = item.str.replaceAll(blank, '')
    let at = findWords(letters, words, next)
    if (at !== -1) next = at + words.length
    text += item.str.replaceAll(/[^\s\p{Cf}]/gu, (letter) => {
      const isSeen = isInside && item.height >= leastHeight && (at === -1 || seen[at])
      if (at !== -1) at += letter.length
      if (!isSeen) hidden += 1
      return isSeen ? letter : ''
    })
    if (item.hasEOL) text += '\n'
  }
  return { text: normalizeUnicode([text, ...annotations].join('\n')), hidden }
}

/** Items come in the order of painting, but what lies outside the page may be missing. */
function findWords(letters: string, words: string, from: number): number {
  const sorted = (text: string): string => text.split('').toSorted().join('')
  // In an item that is written from right to left, the letters are in another order.
  if (sorted(letters.slice(from, from + words.length)) === sorted(words)) return from
  return letters.indexOf(words, from)
}

/** How text is painted at some point. */
interface Ink {
  mode: number
  size: number
  alpha: number
}
const firstInk: Ink = { mode: 0, size: 12, alpha: 1 }
/** Rendering modes that paint nothing: invisible, and clipping only. */
const invisibleModes = new Set([3, 7])

interface Painted {
  /** Without white space, in the order of painting. */
  letters: string
  /** Whether each of the letters is visible. */
  seen: boolean[]
  /** The texts of form fields and other annotations, which are no part of the page's own text. */
  annotations: string[]
}

async function readPainted(page: Page, layers: Layers, OPS: Pdfjs['OPS']): Promise<Painted> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const [left, bottom, right, top] = page.view as [number, number, number, number]
  const painted: Painted = { letters: '', seen: [], annotations: [] }
  const saved: Ink[] = []
  const shown: boolean[] = []
  let ink = firstInk
  let annotation: string | null = null
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index] as unknown[]
    switch (operator) {
      case OPS.save:
      case OPS.beginGroup:
      case OPS.paintFormXObjectBegin:
        saved.push(ink)
        break
      case OPS.restore:
      case OPS.endGroup:
      case OPS.paintFormXObjectEnd:
        ink = saved.pop() ?? ink
        break
      case OPS.setTextRenderingMode:
        ink = { ...ink, mode: Number(args[0]) }
        break
      case OPS.setFont:
        ink = { ...ink, size: Math.abs(Number(args[1])) }
        break
      case OPS.setGState: {
        const alpha = (args[0] as [string, unknown][]).findLast(([key]) => key === 'ca')
        if (alpha) ink = { ...ink, alpha: Number(alpha[1]) }
        break
      }
      case OPS.beginMarkedContent:
        shown.push(true)
        break
      case OPS.beginMarkedContentProps:
        shown.push(args[0] !== 'OC' || layers.isVisible(args[1]))
        break
      case OPS.endMarkedContent:
        shown.pop()
        break
      case OPS.beginAnnotation: {
        const [x = 0, y = 0, toX = 0, toY = 0] = args[1] as number[]
        ink = firstInk
        annotation = ''
        shown.push(
          Math.min(toX, right) - Math.max(x, left) > 1 && Math.min(toY, top) - Math.max(y, bottom) > 1,
        )
        break
      }
      case OPS.endAnnotation:
        shown.pop()
        if (annotation) painted.annotations.push(annotation)
        annotation = null
        break
      case OPS.showText: {
        const isSeen =
          !invisibleModes.has(ink.mode) && ink.size >= leastHeight && ink.alpha > 0 && !shown.includes(false)
        const glyphs = args[0] as ({ unicode?: string } | number)[]
        const text = glyphs.map((glyph) => (typeof glyph === 'number' ? '' : (glyph.unicode ?? ''))).join('')
        if (annotation !== null) annotation += isSeen ? `${text}\n` : ''
        else {
          const letters = text.replaceAll(blank, '')
          painted.letters += letters
          for (let count = 0; count < letters.length; count++) painted.seen.push(isSeen)
        }
      }
    }
  }
  return painted
}
