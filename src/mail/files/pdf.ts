import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import type { FileText } from '../../model/files/file-text.ts'
import { readPlain } from '../normal-form.ts'
import { cut, longestText } from './cut.ts'
import { Shapes } from './pdf/letters.ts'
import { Paper } from './pdf/paper.ts'
import { readPage, type PageText } from './pdf/text.ts'
import { describeSight } from './sight.ts'

const mostPages = 300
/** CPU time after which no further page is started, so that the pages already read are not lost. */
const mostMicroseconds = 800_000

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
    const desk = { shapes: new Shapes(), paper: new Paper() }
    const pages: PageText[] = []
    let length = 0
    for (let number = 1; number <= Math.min(document.numPages, mostPages); number++) {
      if (length > longestText || (number > 1 && isSpent())) break
      const page = await document.getPage(number)
      const read = await readPage(page, layers, pdfjs, desk)
      pages.push(read)
      length += read.text.length
      page.cleanup()
    }
    const notes = [
      pages.length < document.numPages
        ? `Only the first ${pages.length} of ${document.numPages} pages were read.`
        : '',
      describeSight(pages, countLetters(pages, desk.shapes.doubtful())),
    ]
    const text = readPlain(pages.map((page) => page.text).join('\n\n')).text.trim()
    if (text === '') notes.unshift('There is no text in it; it may be a scan.')
    const note = notes.filter((each) => each !== '').join(' ')
    return cut('pdf', text, note === '' ? null : note)
  } catch (error) {
    const isLocked = (error as Error).name === 'PasswordException'
    const note = isLocked
      ? 'This file is encrypted with a password, so it cannot be read.'
      : 'This file is damaged, so it cannot be read.'
    return { kind: 'pdf', text: null, note }
  }
}

function countLetters(pages: readonly PageText[], fonts: ReadonlySet<string>): number {
  let letters = 0
  for (const page of pages) for (const [font, number] of page.fonts) if (fonts.has(font)) letters += number
  return letters
}
