/** Which letters of a PDF's page a person sees, and what a reader is told about the others. */

import type { PageWalk } from './page.ts'
import type { Letter, Reason } from './writer.ts'

export type Doubt = 'ground' | 'own' | 'scan' | 'shape'

export interface Verdicts {
  /** The letters to keep. */
  kept: Set<Letter>
  /** How many letters were left out. */
  hidden: Partial<Record<Reason, number>>
  /** How many were kept that may not be seen as they are read. */
  doubts: Partial<Record<Doubt, number>>
}

/** How much of a page a picture covers that is a scan, and how many of its letters may be beside it. */
const [leastScan, mostBeside] = [0.5, 0.2]

export function judgeLetters({ paper, writer: { letters }, pictures }: PageWalk): Verdicts {
  const verdicts: Verdicts = { kept: new Set(), hidden: {}, doubts: {} }
  const { kept, hidden, doubts } = verdicts
  const unseen: Letter[] = []
  for (const letter of letters) {
    const sight = letter.number === 0 ? 'seen' : paper.look(letter.number)
    // Written twice to look bold.
    if (sight === 'twice' && letter.hidden === null) continue
    if (letter.hidden !== null || sight === 'unseen') unseen.push(letter)
    else {
      kept.add(letter)
      if (sight === 'doubtful') count(doubts, 'ground')
      else if (letter.isOwn) count(doubts, 'own')
    }
  }
  const { right, bottom } = paper.whole
  const isScan = pictures.covered >= leastScan * right * bottom && kept.size <= mostBeside * unseen.length
  for (const letter of unseen)
    // Scanners write what they recognise behind the picture of it: where the picture has something to read.
    if (isScan && letter.hidden !== 'small' && letter.hidden !== 'misnamed' && paper.isUneven(letter.box)) {
      kept.add(letter)
      count(doubts, 'scan')
    } else count(hidden, letter.hidden ?? 'faint')
  return verdicts
}

export function count<K extends string>(counts: Partial<Record<K, number>>, key: K, more = 1): void {
  counts[key] = (counts[key] ?? 0) + more
}

const reasons: Record<Reason, string> = {
  faint: 'in the colour of what is behind them, covered or outside the page',
  small: 'too small to read',
  invisible: 'invisible',
  misnamed: 'drawn as other letters than the file says',
}

const doubtful: Record<Doubt, string> = {
  ground: 'on a pattern or a picture that they could not be compared with',
  own: 'drawn by steps in the file that could not be compared with what they stand for',
  scan: 'an invisible layer behind a picture, as text recognition writes it',
  shape: 'of shapes that do not fit what the file calls them',
}

const letters = (number: number): string => `${number} ${number === 1 ? 'letter' : 'letters'}`

/** What a reader of the whole file is told; empty if everything is seen as it is read. */
export function describeSight(
  pages: readonly Pick<Verdicts, 'hidden' | 'doubts'>[],
  misshapen: number,
): string {
  const hidden: Verdicts['hidden'] = {}
  const doubts: Verdicts['doubts'] = misshapen > 0 ? { shape: misshapen } : {}
  for (const page of pages) {
    for (const [key, number] of Object.entries(page.hidden)) count(hidden, key as Reason, number)
    for (const [key, number] of Object.entries(page.doubts)) count(doubts, key as Doubt, number)
  }
  const left = Object.entries(hidden) as [Reason, number][]
  const sum = left.reduce((total, [, number]) => total + number, 0)
  const parts = left.map(([key, number]) => `${number} ${reasons[key]}`).join('; ')
  const sentences = (Object.entries(doubts) as [Doubt, number][]).map(
    ([key, number]) => `${letters(number)} may not be what a person sees: ${doubtful[key]}.`,
  )
  if (sum > 0)
    sentences.unshift(
      `${letters(sum)} that nobody would see ${sum === 1 ? 'was' : 'were'} left out: ${parts}.`,
    )
  return sentences.join(' ')
}
