import { SpoolError } from '../../model/errors.ts'
import { removeInvisible } from '../../model/invisible.ts'
import type { Address } from '../../model/mail/mail.ts'

const longestText = 100_000
const longestSubject = 500
const longestName = 200
const mostRecipients = 100

/** Line breaks, control characters and separators that some programs treat as line breaks: none may be in a header. */
export const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const controlsInText = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
/** Direction overrides and tag characters make text look different from what it says. */
const deceptive = /[\u202d\u202e]|[\u{e0000}-\u{e007f}]/u
const addressForm = /^[^\s@<>"(),:;\\[\]\p{C}]+@[^\s@<>"(),:;\\[\]\p{C}]+$/u

/**
 * Text written by an agent. It must contain nothing invisible: a mail that manipulates an agent could make it hide
 * secrets between the letters, unseen by the person who sends it.
 */
export function checkProposal(text: string): string {
  const { text: lines, removed } = removeInvisible(checkDraftText(text))
  if (removed > 0)
    throw new SpoolError('bad_parameter', 'The text contains invisible characters; remove them.')
  if (lines.trim() === '') throw new SpoolError('bad_parameter', 'A draft needs text.')
  return withPlainBlanks(lines)
}

const oddBlanks = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800]/g
/** Of the delimiter of a signature, the blank stays. */
const endBlanks = /(?<!^--)[ \t\u3000]+$/gm

/** Which of the blanks that look alike is where, and what stands at the end of a line, could spell out a secret, too. */
function withPlainBlanks(text: string): string {
  return text.replaceAll(oddBlanks, ' ').replaceAll(endBlanks, '')
}

/** Text written by a person; it may be empty. */
export function checkDraftText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  if (lines.length > longestText)
    throw new SpoolError(
      'bad_parameter',
      `A draft can have at most ${longestText} characters; this one has ${lines.length}.`,
    )
  if (controlsInText.test(lines) || deceptive.test(lines) || !lines.isWellFormed())
    throw new SpoolError(
      'bad_parameter',
      'The text contains control characters or characters that change how it is displayed; remove them.',
    )
  return lines
}

export function checkSubject(subject: string): string {
  const trimmed = subject.trim()
  if (controls.test(trimmed) || !trimmed.isWellFormed())
    throw new SpoolError('bad_parameter', 'A subject must be one line without control characters.')
  if (trimmed.length > longestSubject)
    throw new SpoolError('bad_parameter', `A subject can have at most ${longestSubject} characters.`)
  // Removed, not rejected: a reply takes its subject from mail that may be older than this rule.
  return removeInvisible(trimmed).text.trim()
}

/** A bare string is an address without a name. */
export function checkRecipients(field: string, given: readonly (string | Address)[]): Address[] {
  if (given.length > mostRecipients)
    throw new SpoolError('bad_parameter', `${field} can have at most ${mostRecipients} addresses.`)
  return withoutDoubles(
    given.map((each) => {
      const { name, address } = typeof each === 'string' ? { name: null, address: each } : each
      const trimmed = address.trim()
      if (!isAddress(trimmed))
        throw new SpoolError(
          'bad_parameter',
          `${field}: ${JSON.stringify(trimmed.slice(0, 100))} is not an e-mail address.`,
          { details: { field, given: trimmed.slice(0, 100) } },
        )
      const called = name?.trim() || null
      if (called !== null && (controls.test(called) || !called.isWellFormed() || called.length > longestName))
        throw new SpoolError(
          'bad_parameter',
          `${field}: a name must be one line of at most ${longestName} characters.`,
        )
      const seen = called === null ? null : removeInvisible(called).text.trim() || null
      return { name: seen, address: trimmed }
    }),
  )
}

function isAddress(text: string): boolean {
  return text.length <= 254 && addressForm.test(text) && text.isWellFormed()
}

/** Addresses of inbound mail, without those that cannot be written to; names are cleaned for use in a header. */
export function usable(addresses: readonly Address[]): Address[] {
  return addresses
    .filter(({ address }) => isAddress(address))
    .map(({ name, address }) => ({ name: name === null ? null : cleanName(name), address }))
}

function cleanName(name: string): string | null {
  const oneLine = name.toWellFormed().replace(new RegExp(controls, 'g'), ' ')
  // Cutting can split a character.
  return removeInvisible(oneLine).text.trim().slice(0, longestName).toWellFormed() || null
}

/** Keeps the first of each address, ignoring case. */
export function withoutDoubles(addresses: readonly Address[]): Address[] {
  const seen = new Set<string>()
  return addresses.filter(({ address }) => {
    const key = address.toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}
