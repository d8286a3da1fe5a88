import { randomInt } from 'node:crypto'
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
  /** The same for a text with a header above it, which is never cut. */
  wrapLetter(header: string, text: string, most: number): string
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
  const wrapLetter = (header: string, text: string, most: number): string => {
    if (text.length <= most) return wrap(header + text)
    const end = cutBefore(text, most)
    return `${wrap(header + text.slice(0, end))} [cut: ${end} of ${text.length} characters; get_thread with full: true has the rest]`
  }
  return {
    nonce,
    open,
    close,
    wrap,
    wrapOrNull: (text) => (text === null ? null : wrap(text)),
    wrapPart: (text, most) => wrapLetter('', text, most),
    wrapLetter,
  }
}

/** Where a text can be cut at `most` characters without splitting a surrogate pair. */
export function cutBefore(text: string, most: number): number {
  const half = text.charCodeAt(most - 1)
  return half >= 0xd800 && half <= 0xdbff ? most - 1 : most
}

export const nonceLength = 12

/** Digits, because they cost a model a third of what letters do, and a fence stands around every message. */
export function drawNonce(): string {
  return String(randomInt(10 ** nonceLength)).padStart(nonceLength, '0')
}

/** The schema of a fenced string. */
export function untrusted(description: string) {
  return z.string().meta({ description: `UNTRUSTED, fenced: ${description}` })
}
