/** What the agent shows the model of a thread: the newest message that came from outside, still fenced. */
export interface Question {
  /** Rules for the model; they stand apart from the mail. */
  rules: string
  /** The nonce of the fence around what others wrote. */
  fence: string
  messageId: string
  /** Who began the thread, and its subject. */
  thread: string
  message: string
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

/** Stands in for a model, so that the example runs without one: it thanks whoever asks for something and leaves the rest alone. */
export const stubModel: Model = {
  async decide({ fence, messageId, message }) {
    const words = readLetter(fence, message)
    const wish = question.exec(words)?.[0] ?? request.exec(words)?.[0]
    if (wish === undefined) return { action: 'leave', reason: 'it asks nothing' }
    const text =
      'Hello,\n\nthank you for your mail. We are looking into it and will come back to you shortly.'
    return { action: 'answer', text, citations: [{ messageId, quote: wish.trim().slice(0, 500) }] }
  },
}
