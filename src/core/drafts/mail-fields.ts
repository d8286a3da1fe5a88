import { SpoolError } from '../../model/errors.ts'
import { removeInvisible } from '../../model/invisible.ts'
import type { Address } from '../../model/mail/mail.ts'

const longestText = 100_000
const longestSubject = 500
const longestName = 200
const mostRecipients = 100

/** Line breaks, controls and the separators that some programs take for line breaks: none belongs into a header. */
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const controlsInText = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
/** Overrides of writing direction and tag characters show a person something else than what is there. */
const deceptive = /[\u202d\u202e]|[\u{e0000}-\u{e007f}]/u
const addressForm = /^[^\s@<>"(),:;\\[\]\p{C}]+@[^\s@<>"(),:;\\[\]\p{C}]+$/u

/**
 * What an agent wrote. Nothing in it is invisible: a mail that talks an agent round could have it write what it knows
 * between the letters, past the person who reads and sends.
 */
export function checkProposal(text: string): string {
  const { text: lines, removed } = removeInvisible(checkDraftText(text))
  if (removed > 0)
    throw new SpoolError('bad_parameter', 'The text holds characters that nobody can see; leave them out.')
  if (lines.trim() === '') throw new SpoolError('bad_parameter', 'A draft needs a text.')
  return lines
}

/** What a person wrote, which may be empty still. */
export function checkDraftText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  if (lines.length > longestText)
    throw new SpoolError(
      'bad_parameter',
      `A draft has at most ${longestText} characters; this one has ${lines.length}.`,
    )
  if (controlsInText.test(lines) || deceptive.test(lines) || !lines.isWellFormed())
    throw new SpoolError(
      'bad_parameter',
      'The text holds control characters or characters that hide what is written; leave them out.',
    )
  return lines
}

export function checkSubject(subject: string): string {
  const trimmed = subject.trim()
  if (controls.test(trimmed) || !trimmed.isWellFormed())
    throw new SpoolError('bad_parameter', 'A subject is one line without control characters.')
  if (trimmed.length > longestSubject)
    throw new SpoolError('bad_parameter', `A subject has at most ${longestSubject} characters.`)
  // Taken out, not refused: an answer takes its subject from mail that may be older than this rule.
  return removeInvisible(trimmed).text.trim()
}

/** What a person or agent typed; a bare string is an address without a name. */
export function checkRecipients(field: string, given: readonly (string | Address)[]): Address[] {
  if (given.length > mostRecipients)
    throw new SpoolError('bad_parameter', `${field} has at most ${mostRecipients} addresses.`)
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
          `${field}: a name is one line of at most ${longestName} characters.`,
        )
      const seen = called === null ? null : removeInvisible(called).text.trim() || null
      return { name: seen, address: trimmed }
    }),
  )
}

export function isAddress(text: string): boolean {
  return text.length <= 254 && addressForm.test(text) && text.isWellFormed()
}

/** Addresses of mail from outside: what cannot be written to is left out, and so is a name that would break a header. */
export function usable(addresses: readonly Address[]): Address[] {
  return addresses
    .filter(({ address }) => isAddress(address))
    .map(({ name, address }) => ({ name: name === null ? null : cleanName(name), address }))
}

function cleanName(name: string): string | null {
  const oneLine = name.toWellFormed().replace(new RegExp(controls, 'g'), ' ')
  return removeInvisible(oneLine).text.trim().slice(0, longestName) || null
}

/** The first of each, case aside. */
export function withoutDoubles(addresses: readonly Address[]): Address[] {
  const seen = new Set<string>()
  return addresses.filter(({ address }) => {
    const key = address.toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}
