import { randomFillSync } from 'node:crypto'
import { z } from 'zod'

/**
 * Marks text from outside so that a model can tell it from Spool's own. The nonce is drawn when the mail is read, so
 * its author cannot know it and cannot forge the end of a fence.
 */
export interface Fence {
  nonce: string
  open: string
  close: string
  wrap(text: string): string
  wrapOrNull(text: string | null): string | null
  /** Truncates to `most` characters. The truncation note is outside the fence, where it cannot be forged. */
  wrapPart(text: string, most: number): string
}

/** Nothing inside a fence may look like a fence, whether to a careless reader or with a guessed nonce. */
const lookalike = /<(?=\s*\/?\s*untrusted\b)/gi

/** Undoes the replacement of lookalikes in text that an agent was shown. */
export function restoreText(shown: string): string {
  return shown.replace(/‹(?=\s*\/?\s*untrusted\b)/gi, '<')
}

export function raiseFence(nonce = drawNonce()): Fence {
  const open = `<untrusted ${nonce}>`
  const close = `</untrusted ${nonce}>`
  const wrap = (text: string): string =>
    open + (text.includes('<') ? text.replace(lookalike, '‹') : text) + close
  return {
    nonce,
    open,
    close,
    wrap,
    wrapOrNull: (text) => (text === null ? null : wrap(text)),
    wrapPart(text, most) {
      if (text.length <= most) return wrap(text)
      // Never split a surrogate pair.
      const half = text.charCodeAt(most - 1)
      const end = half >= 0xd800 && half <= 0xdbff ? most - 1 : most
      return `${wrap(text.slice(0, end))} [cut: ${end} of ${text.length} characters; get_thread with full: true has the rest]`
    },
  }
}

const letters = 'abcdefghjkmnpqrstvwxyz0123456789'
const pool = Buffer.allocUnsafe(1024)
let used = pool.length
export const nonceLength = 12

export function drawNonce(): string {
  if (used + nonceLength > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let nonce = ''
  for (let index = 0; index < nonceLength; index++) nonce += letters[pool[used++]! & 31]
  return nonce
}

/** The schema of a fenced string. */
export function untrusted(description: string) {
  return z.string().meta({ description: `UNTRUSTED, fenced: ${description}` })
}
