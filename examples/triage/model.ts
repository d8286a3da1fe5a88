/** What the agent shows the model of a thread: the newest message that came from outside, still fenced. */
export interface Question {
  /** Rules for the model; they stand apart from the mail. */
  rules: string
  /** The nonce of the fence around what others wrote. */
  fence: string
  messageId: string
  subject: string
  newText: string
}

export type Decision =
  | { action: 'answer'; text: string; citations: { messageId: string; quote: string }[] }
  | { action: 'leave'; reason: string }

/** Put your model here: hand `rules` over as the system prompt, and the rest as data. */
export interface Model {
  decide(question: Question): Promise<Decision>
}

/** What stands inside a fence, for words that are quoted; only the fence of this answer counts. */
export function unfence(fence: string, text: string): string {
  const [open, close] = [`<untrusted ${fence}>`, `</untrusted ${fence}>`]
  const start = text.indexOf(open)
  const end = text.lastIndexOf(close)
  return start === -1 || end === -1 ? '' : text.slice(start + open.length, end)
}

/** Stands in for a model, so that the example runs without one: it thanks for questions and leaves the rest alone. */
export const stubModel: Model = {
  async decide({ fence, messageId, newText }) {
    const words = unfence(fence, newText)
    const question = /[^.!?\n]*\?/.exec(words)?.[0].trim()
    if (question === undefined) return { action: 'leave', reason: 'it asks nothing' }
    const text =
      'Hello,\n\nthank you for your question. We are looking into it and will come back to you shortly.'
    return { action: 'answer', text, citations: [{ messageId, quote: question.slice(0, 500) }] }
  },
}
