import { randomFillSync } from 'node:crypto'
import { z } from 'zod'

/**
 * Text that others wrote, marked so that a model can tell it from Spool's own words. Who writes a mail cannot know the
 * nonce, which is drawn when the mail is read: they cannot write the end of a fence.
 */
export interface Fence {
  nonce: string
  open: string
  close: string
  wrap(text: string): string
  wrapOrNull(text: string | null): string | null
  /** Cut to so many characters, with a mark behind the fence: there it is Spool's word, and cannot be forged inside. */
  wrapPart(text: string, most: number): string
}

/** Inside a fence nothing may look like one: not to a hurried reader, and not if someone should guess the nonce. */
const lookalike = /<(?=\s*\/?\s*untrusted\b)/gi

/** The words of a mail again, out of what an agent was shown of it. */
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
      // Never through the middle of a surrogate pair.
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

/** How an untrusted text is described to those who read the schema. */
export function untrusted(description: string) {
  return z.string().meta({ description: `UNTRUSTED, fenced: ${description}` })
}
