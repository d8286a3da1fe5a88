import type { Address } from '../../model/mail/mail.ts'
import { oneLine, type Hidden } from './header.ts'
import { decodeWords } from './encoded-words.ts'

const mostAddresses = 1000
const longestName = 500
const longestAddress = 500

/** One address while it is being parsed: words outside brackets, the text in `<…>`, and comments. */
interface Draft {
  words: string
  /** Words before a colon are the name of a group, unless they contain a sign of an address. */
  mayNameGroup: boolean
  hadQuotes: boolean
  bracketed: string | null
  comments: string
}

/**
 * Parses an address field in one pass. Groups are flattened. Text that is not an address is kept as a name where
 * possible, so that a broken From still shows the sender.
 */
export function readAddresses(field: string, hidden?: Hidden): Address[] {
  const found: Address[] = []
  let draft = newDraft()
  let i = 0
  let hasOpenQuote = false
  const finish = () => {
    const address = toAddress(draft, hidden)
    if (address !== null) found.push(address)
    draft = newDraft()
  }
  while (i < field.length && found.length < mostAddresses) {
    const c = field[i]!
    const end = c === '"' && !hasOpenQuote ? closing(field, i, '"') : field.length
    if (c === '"' && end === field.length) {
      // A quote that is never closed is an ordinary character, and so are all quotes after it.
      hasOpenQuote = true
      i++
    } else if (c === '"' && field[end + 1] === '@') {
      // The quotes belong to the address.
      addWords(draft, field.slice(i, end + 1))
      i = end + 1
    } else if (c === '"') {
      addWords(draft, field.slice(i + 1, end).replace(/\\([^])/g, '$1'))
      draft.hadQuotes = true
      i = end + 1
    } else if (c === '(') {
      const end = closingComment(field, i)
      draft.comments += ` ${field.slice(i + 1, end).replace(/\\([^])/g, '$1')}`
      i = end + 1
    } else if (c === '<') {
      const end = closing(field, i, '>')
      const text = field.slice(i + 1, end)
      // An unquoted `<` in a name: the last brackets hold the address.
      if (draft.bracketed !== null && draft.bracketed !== '') addWords(draft, ` ${draft.bracketed}`)
      draft.bracketed = text.slice(text.lastIndexOf('<') + 1)
      i = end + 1
    } else if (c === ',' || c === ';') {
      finish()
      i++
    } else if (c === ':' && draft.bracketed === null && draft.mayNameGroup) {
      // The name of a group is not a person's name.
      draft = newDraft()
      i++
    } else if (c === '=' && field[i + 1] === '?') {
      const end = endOfWord(field, i)
      addWords(draft, field.slice(i, end))
      i = end
    } else {
      plainRun.lastIndex = i + 1
      plainRun.test(field)
      addWords(draft, field.slice(i, plainRun.lastIndex))
      i = plainRun.lastIndex
    }
  }
  if (found.length < mostAddresses) finish()
  return found
}

/** Characters without a special meaning. */
const plainRun = /[^"(<,;:=]*/y

const newDraft = (): Draft => ({
  words: '',
  mayNameGroup: true,
  hadQuotes: false,
  bracketed: null,
  comments: '',
})

/** Checks only the new text: searching all words at each colon would be quadratic in the length of the field. */
function addWords(draft: Draft, text: string): void {
  draft.words += text
  draft.mayNameGroup &&= !text.includes('@') && !text.includes('[')
}

/** Index of the closing character, or the end of the field. */
export function closing(field: string, from: number, close: string): number {
  for (let i = from + 1; i < field.length; i++) {
    if (field[i] === '\\') i++
    else if (field[i] === close) return i
  }
  return field.length
}

function closingComment(field: string, from: number): number {
  let depth = 0
  for (let i = from; i < field.length; i++) {
    if (field[i] === '\\') i++
    else if (field[i] === '(') depth++
    else if (field[i] === ')' && --depth === 0) return i
  }
  return field.length
}

/** An encoded word may contain a bare comma, which does not end an address. */
function endOfWord(field: string, from: number): number {
  const word = /=\?[^?\s]{1,60}\?[QqBb]\?[^?\s]*\?=/y
  word.lastIndex = from
  return word.test(field) ? word.lastIndex : from + 2
}

function toAddress({ words, hadQuotes, bracketed, comments }: Draft, hidden?: Hidden): Address | null {
  let name = words
  let address = bracketed ?? ''
  if (bracketed === null && words.includes('@')) {
    const bare = hadQuotes ? words.trim() : (words.split(/\s/).find((word) => word.includes('@')) ?? '')
    address = bare
    name = hadQuotes ? '' : words.replace(bare, ' ')
  }
  const cleanName = oneLine(decodeWords(name), hidden)
    .replace(/^'(.*)'$/, '$1')
    .slice(0, longestName)
  const cleanAddress = bareAddress(address, hidden)
  const comment = oneLine(decodeWords(comments), hidden).slice(0, longestName)
  const shown = cleanName || comment
  if (cleanAddress === '' && cleanName === '') return null
  return {
    name: shown === '' || shown === cleanAddress ? null : shown.toWellFormed(),
    address: cleanAddress.toWellFormed(),
  }
}

/** Without comments, white space, and the route that RFC 822 allowed before an address. */
function bareAddress(written: string, hidden?: Hidden): string {
  const text = oneLine(written, hidden)
    .replace(/\([^()]*\)/g, '')
    .replace(/\s+/g, '')
  return (text.startsWith('@') ? text.slice(text.indexOf(':') + 1) : text).slice(0, longestAddress)
}
