/** What a reader of a file is told about the letters that a person does not see. */

/** Why nobody sees a letter. */
export type Reason = 'faint' | 'small' | 'invisible' | 'misnamed' | 'deleted'
/** Why a letter may not be seen as it is read. */
export type Doubt = 'ground' | 'own' | 'scan' | 'shape' | 'behind' | 'form'

export interface Sight {
  /** How many letters were left out. */
  hidden: Partial<Record<Reason, number>>
  /** How many were kept that may not be seen as they are read. */
  doubts: Partial<Record<Doubt, number>>
}

export function count<K extends string>(counts: Partial<Record<K, number>>, key: K, more = 1): void {
  counts[key] = (counts[key] ?? 0) + more
}

const reasons: Record<Reason, string> = {
  faint: 'in the colour of what is behind them, covered or outside the page',
  small: 'too small to read',
  invisible: 'invisible',
  misnamed: 'drawn as other letters than the file says',
  deleted: 'deleted',
}

const doubtful: Record<Doubt, string> = {
  ground: 'on a pattern or a picture that they could not be compared with',
  own: 'drawn by steps in the file that could not be compared with what they stand for',
  scan: 'an invisible layer behind a picture, as text recognition writes it',
  behind: 'in a box that is behind other text or whose ground is not known',
  form: 'in a form that depends on the program, or on a place in a table',
  shape: 'of shapes that do not fit what the file calls them',
}

const letters = (number: number): string => `${number} ${number === 1 ? 'letter' : 'letters'}`

/** What a reader of the whole file is told; empty if everything is seen as it is read. */
export function describeSight(pages: readonly Sight[], misshapen: number): string {
  const hidden: Sight['hidden'] = {}
  const doubts: Sight['doubts'] = misshapen > 0 ? { shape: misshapen } : {}
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
