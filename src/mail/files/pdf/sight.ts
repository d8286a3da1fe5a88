/** Which letters of a PDF's page a person sees. */

import type { PageWalk } from './page.ts'
import { count, type Sight } from '../sight.ts'
import type { Letter } from './writer.ts'

export interface Verdicts extends Sight {
  /** The letters to keep. */
  kept: Set<Letter>
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
