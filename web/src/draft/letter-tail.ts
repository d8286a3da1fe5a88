import type { Letter } from '../../../src/model/mail/letter.ts'

/** Signature and quoted original: what follows the text. Null if the letter was not made from this text. */
export function tailOf({ body }: Letter, text: string): string | null {
  const own = text.trimEnd()
  return body.startsWith(own) ? body.slice(own.length) : null
}
