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
    const { OPS } = await getResolvedPDFJS()
    const pages: string[] = []
    let hidden = 0
    let length = 0
    for (let number = 1; number <= Math.min(document.numPages, mostPages); number++) {
      if (length > longestText || (number > 1 && isSpent())) break
      const page = await document.getPage(number)
      const read = await readPage(page, OPS)
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

async function readPage(page: Page, OPS: Record<string, number>): Promise<{ text: string; hidden: number }> {
  const { items } = await page.getTextContent()
  const unseen = await findUnseen(page, OPS)
  const [left, bottom, right, top] = page.view as [number, number, number, number]
  let text = ''
  let hidden = 0
  for (const item of items as Item[]) {
    if (typeof item.str !== 'string') continue
    const [x, y] = [item.transform[4]!, item.transform[5]!]
    const isInside = x < right && y < top && x + 1 > left && y + 1 > bottom
    const words = item.str.replaceAll(/\s+/g, '')
    if (words !== '' && (!isInside || item.height < leastHeight || unseen(words))) hidden += words.length
    else text += item.str
    if (item.hasEOL) text += '\n'
  }
  return { text, hidden }
}

/** Rendering modes that paint nothing: invisible, and clipping only. */
const invisibleModes = new Set([3, 7])

/** Finds text that is only ever drawn in a mode that paints nothing, or too small to see. */
async function findUnseen(page: Page, OPS: Record<string, number>): Promise<(words: string) => boolean> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const states: { mode: number; size: number }[] = []
  let state = { mode: 0, size: 12 }
  let [seen, unseen] = ['', '']
  for (const [index, operator] of fnArray.entries()) {
    if (operator === OPS['save']) states.push(state)
    else if (operator === OPS['restore']) state = states.pop() ?? state
    else if (operator === OPS['setTextRenderingMode'])
      state = { ...state, mode: Number((argsArray[index] as number[])[0]) }
    else if (operator === OPS['setFont'])
      state = { ...state, size: Math.abs(Number((argsArray[index] as [string, number])[1])) }
    else if (operator === OPS['showText']) {
      const glyphs = (argsArray[index] as [({ unicode?: string } | number)[]])[0]
      const words = glyphs.map((glyph) => (typeof glyph === 'number' ? '' : (glyph.unicode ?? ''))).join('')
      if (invisibleModes.has(state.mode) || state.size < leastHeight) unseen += words
      else seen += words
    }
  }
  if (unseen === '') return () => false
  const [shown, notShown] = [seen.replaceAll(/\s+/g, ''), unseen.replaceAll(/\s+/g, '')]
  return (words) => notShown.includes(words) && !shown.includes(words)
}
