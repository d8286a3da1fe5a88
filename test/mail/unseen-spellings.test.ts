import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readHtml } from '../../src/mail/normal-form.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { isLongRun } from '../support/corpora.ts'
import { writeMail } from '../support/letter.ts'
import { places, spellings } from './hidden/characters.ts'
import { secret } from './hidden/ways.ts'

const unseen =
  /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Cf}\x80-\x9F\u{13430}-\u{13440}\u{16FE4}\u{1D159}]/u
const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
/** Long words are encoded piece by piece. */
const inPieces = (text: string) => (text.match(/.{1,20}/gsu) ?? []).map(encoded).join('\r\n ')

describe('words spelled with what no screen shows, in HTML', () => {
  const ways = Object.entries(spellings).flatMap(([spelling, spell]) =>
    Object.entries(places).map(([place, put]) => [`${spelling} in ${place}`, put(spell(secret))] as const),
  )
  assert.ok(ways.length >= 100)
  for (const [name, html] of ways.filter((_, at) => isLongRun || at % 10 === 0))
    test(name, () => {
      const { text, writeHtml, hiddenCharacters } = readHtml(html, () => '/picture')
      // One selector behind a heart is an emoji's.
      const left = (text + writeHtml(() => true)).replaceAll(/❤[\uFE0E\uFE0F]/gu, '')
      assert.doesNotMatch(left, unseen)
      assert.ok(hiddenCharacters >= secret.length, `only ${hiddenCharacters} counted`)
    })
})

/** Where a mail can hold them, outside of HTML. */
const fields: Record<string, (text: string) => string> = {
  subject: (text) =>
    writeMail({ subject: 'ORDER', text: 'Hello' }).replace(
      /Subject: .*/,
      () => `Subject: Order ${inPieces(text)}`,
    ),
  'raw subject': (text) => writeMail({ subject: `Order ${text}`, text: 'Hello' }),
  'name of the sender': (text) =>
    writeMail({ from: `${inPieces(`Carla${text}`)} <carla@brandt.example>`, text: 'Hello' }),
  'comment behind an address': (text) =>
    writeMail({ from: `carla@brandt.example (${inPieces(text)})`, text: 'Hello' }),
  'name of a recipient': (text) =>
    writeMail({ to: `${inPieces(`Kim${text}`)} <kim@shop.example>`, text: 'Hello' }),
  'name in copy': (text) => writeMail({ headers: { Cc: `"Kim${text}" <kim@shop.example>` }, text: 'Hello' }),
  'name to reply to': (text) =>
    writeMail({ headers: { 'Reply-To': `${inPieces(`Kim${text}`)} <kim@shop.example>` }, text: 'Hello' }),
  'local part of an address': (text) => writeMail({ from: `car${text}la@brandt.example`, text: 'Hello' }),
  'name of a file': (text) =>
    writeMail({
      text: 'Hello',
      attachments: [{ filename: inPieces(`a${text}.pdf`), type: 'application/pdf', content: 'a' }],
    }),
  'plain text': (text) => writeMail({ text: `Hello ${text} team` }),
  'plain text that is quoted': (text) => writeMail({ text: `Hello\n> ${text} team` }),
  signature: (text) => writeMail({ text: `Hello\n-- \n${text} Carla` }),
}

describe('words spelled with what no screen shows, in the parts of a mail', () => {
  const ways = Object.entries(fields).flatMap(([field, write]) =>
    Object.entries(spellings).map(
      ([spelling, spell]) => [`${spelling}, ${field}`, write(spell(secret))] as const,
    ),
  )
  for (const [name, source] of ways.filter((_, at) => isLongRun || at % 10 === 0))
    test(name, () => {
      const mail = parseMail(Buffer.from(source))
      const { subject, from, to, cc, replyTo, text, newText, preview, html, attachments } = mail
      const names = attachments.map(({ filename }) => filename)
      const told = JSON.stringify({ subject, from, to, cc, replyTo, text, newText, preview, html, names })
      assert.doesNotMatch(told.replaceAll(/❤[\uFE0E\uFE0F]/gu, ''), unseen)
      if (from === null) return
      assert.ok(mail.hiddenTextRemoved >= secret.length, `only ${mail.hiddenTextRemoved} counted`)
      assert.deepEqual(mail.warnings, ['hidden_text'])
    })
})

/** Parts of a message that no mail program shows. */
const multi = (parts: string, type = 'mixed', after = '') =>
  `From: a@b.example\r\nSubject: Offer\r\nContent-Type: multipart/${type}; boundary=b\r\n\r\n${parts}\r\n--b--\r\n${after}`
const part = (headers: string, body: string) => `--b\r\n${headers}\r\n\r\n${body}\r\n`
const hello = part('Content-Type: text/plain', 'Hello team')
const outside: Record<string, string> = {
  preamble: multi(`${secret}\r\n${hello}`),
  epilogue: multi(hello, 'mixed', secret),
  'field that is not shown': multi(hello).replace('Subject', `X-Note: ${secret}\r\nSubject`),
  'comments field': multi(hello).replace('Subject', `Comments: ${secret}\r\nSubject`),
  'second subject': multi(hello).replace('Content-Type', `Subject: ${secret}\r\nContent-Type`),
  'comment in a date': multi(hello).replace('Subject', `Date: 1 Jan 2026 (${secret})\r\nSubject`),
  'parameter of a type': multi(part(`Content-Type: text/plain; note="${secret}"`, 'Hello team')),
  'description of a part': multi(
    part(`Content-Type: text/plain\r\nContent-Description: ${secret}`, 'Hello team'),
  ),
  'plain part beside HTML': multi(
    part('Content-Type: text/plain', secret) + part('Content-Type: text/html', '<p>Hello team</p>'),
    'alternative',
  ),
  'enriched part beside HTML': multi(
    part('Content-Type: text/enriched', secret) + part('Content-Type: text/html', '<p>Hello team</p>'),
    'alternative',
  ),
  boundary: multi(hello).replaceAll('boundary=b', `boundary=b; x="${secret}"`),
  'empty lines': multi(part('Content-Type: text/plain', `Hello team${'\r\n'.repeat(5000)}`)),
}

describe('words in parts of a message that nobody is shown', () => {
  for (const [name, source] of Object.entries(outside))
    test(name, () => {
      const { text, newText, preview, html, subject } = parseMail(Buffer.from(source))
      assert.match(text, /^Hello team/)
      assert.ok(!JSON.stringify({ text, newText, preview, html, subject }).includes(secret))
    })
})
