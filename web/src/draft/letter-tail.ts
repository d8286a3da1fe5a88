import type { Letter } from '../../../src/model/mail/letter.ts'

/** Signature and quoted original: what comes after the words. Null where it was not made of them. */
export function tailOf({ body }: Letter, text: string): string | null {
  const own = text.trimEnd()
  return body.startsWith(own) ? body.slice(own.length) : null
}
