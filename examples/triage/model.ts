/** What the agent shows the model of a thread: the newest message that came from outside, still fenced. */
export interface Question {
  /** Rules for the model; they stand apart from the mail. */
  rules: string
  /** What an admin wrote for agents about the thread's inbox; null: nothing. It is trusted. */
  house: string | null
  /** The nonce of the fence around what others wrote. */
  fence: string
  messageId: string
  /** Who began the thread, and its subject. */
  thread: string
  message: string
  /** The team's own earlier mail in the thread, newest first, fenced like the rest. */
  ours: { messageId: string; message: string }[]
}

export type Decision =
  | { action: 'answer'; text: string; citations: { messageId: string; quote: string }[] }
  | { action: 'leave'; reason: string }

/** Put your model here: hand `rules` over as the system prompt, and the rest as data. */
export interface Model {
  decide(question: Question): Promise<Decision>
}

/** The text of a letter, below its header lines; only the fence of this answer counts. */
export function readLetter(fence: string, letter: string): string {
  const [open, close] = [`<untrusted ${fence}>`, `</untrusted ${fence}>`]
  const start = letter.indexOf(open)
  const end = letter.lastIndexOf(close)
  const inside = start === -1 || end === -1 ? '' : letter.slice(start + open.length, end)
  return inside.startsWith('\n') ? inside.slice(1) : inside.slice(inside.indexOf('\n\n') + 2)
}

const question = /[^.!?\n]*\?/
/** Many ask without a question mark: a sentence that says what is wanted, or what did not come. */
const request =
  /[^.!?\n]*\b(?:please|(?:I|we) (?:need|want|would like|am waiting|are waiting)|let (?:me|us) know|(?:has|have|did|is) not|(?:has|have|did|is)n['’]t|never arrived|missing|bitte)\b[^.!?\n]*/i

/** Words that say nothing about what is asked. */
const filler = new Set(
  'about again also been before could does from have hello here just know like much need next please some such tell than thank that their them then there these they this want were what when where which will with would your yours'.split(
    ' ',
  ),
)

/** The beginnings of the words that matter, so that "arrives" and "arrived" are the same. */
function termsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? []
  return new Set(words.filter((word) => !filler.has(word)).map((word) => word.slice(0, 5)))
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence !== '' && !sentence.includes('?'))
}

/** The sentence that has the most words of the question in it; two at least. */
function findAnswer(wish: string, text: string): string | null {
  const asked = termsOf(wish)
  const shared = (sentence: string): number => [...termsOf(sentence)].filter((term) => asked.has(term)).length
  const [best] = sentencesOf(text).toSorted((one, other) => shared(other) - shared(one))
  return best !== undefined && shared(best) >= 2 ? best.trim().slice(0, 500) : null
}

/**
 * Stands in for a model, so that the example runs without one. It understands nothing: it answers only with a sentence
 * of the house rules, or of the team's own earlier mail in the thread, that has the words of the question in it.
 */
export const stubModel: Model = {
  async decide({ fence, house, messageId, message, ours }) {
    const words = readLetter(fence, message)
    const wish = (question.exec(words)?.[0] ?? request.exec(words)?.[0])?.trim().slice(0, 500)
    if (wish === undefined) return { action: 'leave', reason: 'it asks nothing' }
    const asked = { messageId, quote: wish }
    const rule = house === null ? null : findAnswer(wish, house)
    if (rule !== null) return { action: 'answer', text: `Hello,\n\n${rule}`, citations: [asked] }
    for (const mail of ours) {
      const said = findAnswer(wish, readLetter(fence, mail.message))
      if (said === null) continue
      const source = { messageId: mail.messageId, quote: said }
      return { action: 'answer', text: `Hello,\n\nas we wrote: ${said}`, citations: [asked, source] }
    }
    return { action: 'leave', reason: 'neither the house rules nor the thread answer it' }
  },
}
