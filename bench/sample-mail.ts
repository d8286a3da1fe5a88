import { hash } from 'node:crypto'
import { makePreview } from '../src/model/mail/preview.ts'
import type { Address, ParsedMail } from '../src/model/mail/mail.ts'
import { splitTerms } from '../src/model/search-terms.ts'

/** Mail made up by counting: the same number always gives the same mail, so a store can be built again alike. */
export interface SampleMail {
  /** Which thread, from 0. */
  thread: number
  /** Which message of it, from 0. */
  position: number
  /** Of its thread: longer threads hold longer mail, with HTML, as discussions do. */
  messages: number
  inbox: string
  date: number
}

const syllables =
  'ba be bi bo da de di do fa fe fi ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa'
    .split(' ')
    .concat('se si so ta te ti to va ve vi vo wa we wi za zo'.split(' '))

/** 5,000 words; the first are met often and the last seldom, as in any language. */
const vocabulary = Array.from({ length: 5_000 }, (_, number) => spell(number + 300))

function spell(number: number): string {
  let word = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

export function sampleWord(number: number): string {
  return vocabulary[number % vocabulary.length]!
}

/** A generator of numbers from 0 to 1 that begins anew for each mail. */
export function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 4_294_967_296
  }
}

function writeWords(random: () => number, count: number): string {
  const words: string[] = []
  for (let i = 0; i < count; i++) words.push(vocabulary[Math.floor(vocabulary.length * random() ** 3)]!)
  return words.join(' ')
}

export function orderNumber(thread: number): string {
  return `A${100_000 + thread}`
}

export function makeMail({ thread, position, messages, inbox, date }: SampleMail): ParsedMail {
  const random = randomFrom(thread * 16 + position + 1)
  const long = messages > 1
  const person = Math.floor(random() * 20_000)
  const from: Address = {
    name: `${capital(spell(person + 400))} ${capital(spell(person + 9_000))}`,
    address: `${spell(person + 400)}.${person}@customers.example`,
  }
  const subject = `${position > 0 ? 'Re: ' : ''}Order ${orderNumber(thread)}: ${writeWords(randomFrom(thread + 1), 4)}`
  const newText = `${writeWords(random, long ? 160 : 45)}.\n\n${writeWords(random, long ? 60 : 15)}.`
  const text = long ? `${newText}\n\n> ${writeWords(random, 60)}` : newText
  const messageId = nameMessage(thread, position)
  const raw = `Message-ID: ${messageId}\r\nFrom: ${from.name} <${from.address}>\r\nTo: ${inbox}\r\nSubject: ${subject}\r\nDate: ${new Date(date).toUTCString()}\r\n\r\n${text}\r\n`
  const references = Array.from({ length: position }, (_, earlier) => nameMessage(thread, earlier))
  return {
    raw: Buffer.from(raw),
    messageId,
    inReplyTo: references.at(-1) ?? null,
    references,
    date,
    receivedDate: date,
    from,
    to: [{ name: null, address: inbox }],
    cc: [],
    replyTo: [],
    subject,
    text,
    newText,
    forwards: false,
    hidesUnmarked: false,
    fingerprints: new Int32Array(),
    preview: makePreview(newText),
    searchTerms: splitTerms(`${subject} ${from.name} ${from.address} ${inbox} ${text}`).join(' '),
    html: long ? `<div><p>${text.replaceAll('\n\n', '</p><p>')}</p></div>` : null,
    links: [],
    truncated: false,
    hiddenTextRemoved: 0,
    warnings: [],
    attachments: [],
    kind: 'personal',
    bounce: null,
    identity: hash('sha256', raw, 'buffer'),
  }
}

function nameMessage(thread: number, position: number): string {
  return `<${thread}.${position}@customers.example>`
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
