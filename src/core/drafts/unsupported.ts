import type { Unsupported } from '../../model/draft.ts'
import type { MailLink } from '../../model/mail/mail.ts'
import { askedDateKeys, dateForm, statedDateKeys } from './unsupported/dates.ts'
import {
  amountForm,
  askedAmountKeys,
  askedNumberKeys,
  numberForm,
  statedAmountKeys,
  statedNumberKeys,
} from './unsupported/numbers.ts'

/**
 * Facts are compared by meaning, not spelling: each has one or more keys, and a fact in the draft is supported if the
 * thread has any of them. `3,50 €` and `EUR 3.50` are the same; `03/04/2026` can be either of two days.
 */
type Kind = Unsupported['kind']

/** Every repetition is bounded: mail is hostile, and matching must stay linear in its length. */
const label = String.raw`[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?`
const linkForm = new RegExp(
  String.raw`(?:https?:\/\/|www\.)[^\s<>"]{1,2000}|(?<![\p{L}\d.@-])(?:${label}\.){1,6}(?:\p{L}{2,20}\/[^\s<>"]{0,2000}|(?:com|net|org|io|eu|info|shop|example|de|at|ch|fr|nl|uk)(?![\p{L}\d-]))`,
  'giu',
)
const addressForm =
  /(?<![\p{L}\d.!#$%&'*+/=?^_`{|}~-])[\p{L}\d.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\d-]{1,63}\.){1,8}[\p{L}\d-]{2,63}/gu
/** "1." or "2)" at the start of a line is a list marker. */
const listMark = /^[ \t>]{0,20}\d{1,2}[.)](?=\s)/gm

/** Digits of other scripts and styles, and other forms of the signs in addresses, which readers and browsers take alike. */
const otherForms = /(?![0-9])\p{Nd}|[．。｡＠]/gu
const plainForms = new Map([
  ['．', '.'],
  ['。', '.'],
  ['｡', '.'],
  ['＠', '@'],
])

/** Keeps every position: a digit of two code units becomes two digits. */
function plainForm(char: string): string {
  let plain = plainForms.get(char)
  if (plain === undefined) {
    // Unicode has the digits of each script in a row, from zero to nine.
    const code = char.codePointAt(0)!
    let zero = code
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
    plain = String((code - zero) % 10).padStart(char.length, '0')
    plainForms.set(char, plain)
  }
  return plain
}

/** Every checkable fact in the text, in plain form, each character in at most one: a date is not also a number. */
export function findFacts(text: string): Unsupported[] {
  const facts: Unsupported[] = []
  let rest = text.replace(otherForms, plainForm).replace(listMark, (mark) => ' '.repeat(mark.length))
  const take = (kind: Kind, form: RegExp, trim = (found: string): string => found): void => {
    let masked = ''
    let done = 0
    for (const match of rest.matchAll(form)) {
      const fact = trim(match[0])
      const end = match.index + fact.length
      facts.push({ kind, text: fact, start: match.index, end })
      masked += rest.slice(done, match.index) + ' '.repeat(fact.length)
      done = end
    }
    rest = masked + rest.slice(done)
  }
  take('address', addressForm)
  take('link', linkForm, withoutPunctuation)
  take('date', dateForm)
  take('amount', amountForm)
  take('number', numberForm)
  return facts.sort((a, b) => a.start - b.start)
}

const punctuation = new Set(`.,;:!?'"’”*_`)

/** Strips the punctuation of the sentence or bracket around a link. */
function withoutPunctuation(link: string): string {
  let end = link.length
  while (end > 0 && punctuation.has(link[end - 1]!)) end--
  const bare = link.slice(0, end)
  return bare.endsWith(')') && !bare.includes('(') ? withoutPunctuation(bare.slice(0, -1)) : bare
}

type Keys = Record<Kind, (text: string) => string[]>

/** Keys that a fact in the thread provides. */
const stated: Keys = {
  link: (text) => [linkKey(text)],
  address: (text) => [addressKey(text)],
  date: statedDateKeys,
  amount: statedAmountKeys,
  number: statedNumberKeys,
}

/** Keys that would support a fact in the draft. */
const asked: Keys = { ...stated, date: askedDateKeys, amount: askedAmountKeys, number: askedNumberKeys }

function linkKey(link: string): string {
  const [, host = '', path = ''] = /^([^/?#]*)(.*)$/s.exec(link.replace(/^https?:\/\//i, ''))!
  return `link ${host.toLowerCase().replace(/^www\./, '')}${path.replace(/\/$/, '')}`
}

function addressKey(address: string): string {
  return `address ${address.toLowerCase()}`
}

/** Facts of a thread, collected message by message. */
export class ThreadFacts {
  readonly #keys = new Set<string>()

  addText(text: string): void {
    for (const { kind, text: fact } of findFacts(text)) {
      for (const key of stated[kind](fact)) this.#keys.add(key)
      // A number inside a date or a link also counts as a number of the thread; one inside an amount keeps its
      // currency.
      if (kind === 'amount' || kind === 'number') continue
      for (const [number] of fact.matchAll(numberForm))
        for (const key of statedNumberKeys(number)) this.#keys.add(key)
    }
  }

  addAddress(address: string): void {
    this.#keys.add(addressKey(address))
  }

  /** Link targets of an HTML mail, which may differ from its text. */
  addLinks(links: readonly MailLink[]): void {
    for (const { href } of links) {
      if (/^mailto:/i.test(href)) this.addAddress(href.slice(7).split('?')[0]!)
      else this.#keys.add(linkKey(href))
    }
  }

  /** The draft's facts that are not in the thread. */
  missingFrom(text: string): Unsupported[] {
    return findFacts(text)
      .filter(({ kind, text: fact }) => !asked[kind](fact).some((key) => this.#keys.has(key)))
      .map((fact) => ({ ...fact, text: text.slice(fact.start, fact.end) }))
  }
}
