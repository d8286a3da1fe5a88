import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'
import { removeInvisible, type Writer } from '../../src/model/invisible.ts'
import { writeMail } from '../support/letter.ts'

/** Drawn, although Unicode calls them format characters. */
const drawn = /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u
const blank = /[\t\n\v\f\r]/
const unseen = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((char) =>
    /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Noncharacter_Code_Point}\p{Variation_Selector}\u{13440}\u{16FE4}\u{1D159}]/u.test(
      char,
    ),
  )
  .filter((char) => !drawn.test(char) && !blank.test(char))

/** What stays in each surrounding, because it changes what is seen there. */
const surroundings: Record<string, { around: [string, string]; mail?: string[]; team?: string[] }> = {
  Latin: { around: ['a', 'b'] },
  figures: { around: ['1', '2'] },
  signs: { around: ['=', '='] },
  'an emoji': { around: ['⚽', '⚽'], mail: ['\uFE0E', '\uFE0F'] },
  Arabic: { around: ['ب', 'ب'], mail: ['\u200C'], team: ['\u200C'] },
  Hebrew: { around: ['ש', 'ל'] },
  Devanagari: { around: ['क', 'ष'] },
  'Chinese characters': { around: ['的', '的'], mail: ['\u{E0100}', '\u{E0101}', '\u{E0102}', '\u{E0103}'] },
  Khmer: { around: ['ខ', 'ម'] },
  Mongolian: {
    around: ['ᠠ', 'ᠡ'],
    mail: ['\u180B', '\u180C', '\u180E', '\u200C'],
    team: ['\u180E', '\u200C'],
  },
  'the edge of a line': { around: ['', ''] },
}

/** One after each `=`, as a line between two paragraphs. */
const rule = (secret: string) =>
  [...Buffer.from(secret)].map((byte) => `=${String.fromCodePoint(0xe0100 + byte)}`).join('')

describe('what no screen shows is taken out of every surrounding', () => {
  assert.ok(unseen.length > 4_200, `${unseen.length} code points`)
  for (const [name, { around, ...kept }] of Object.entries(surroundings))
    for (const writer of ['mail', 'team'] satisfies Writer[])
      test(`${name}, ${writer}`, () => {
        const [before, after] = around
        const left = unseen.filter((char) =>
          removeInvisible(before + char + after, writer).text.includes(char),
        )
        assert.deepEqual(left, kept[writer] ?? [])
      })

  for (const [name, { around }] of Object.entries(surroundings))
    test(`${name}, two at a time`, () => {
      const [before, after] = around
      for (const [at, char] of unseen.entries()) {
        const { text } = removeInvisible(before + char + unseen.at(at - 1)! + after, 'mail')
        const extra = [...text].length - [...(before + after)].length
        assert.ok(extra <= 1, `${char.codePointAt(0)!.toString(16)} and its neighbour`)
      }
    })
})

test('an account number in a line of signs reaches nobody', () => {
  const iban = 'DE89370400440532013000'
  const parsed = parseMail(
    Buffer.from(writeMail({ subject: `Invoice ${rule(iban)}`, text: `Hello\n${rule(iban)}\nBye` })),
  )
  const line = '='.repeat(iban.length)
  assert.equal(parsed.subject, `Invoice ${line}`)
  assert.equal(parsed.text.trim(), `Hello\n${line}\nBye`)
  assert.equal(parsed.hiddenTextRemoved, 2 * iban.length)
  assert.deepEqual(parsed.warnings, ['hidden_text'])
})

test('a handful of stray joiners and selectors is no hidden text, more of them is', () => {
  const warnings = (strays: string) =>
    parseMail(Buffer.from(writeMail({ subject: 'Order', text: `Where is it?${strays}` }))).warnings
  assert.deepEqual(warnings(' x\uFE0F'.repeat(5)), [])
  assert.deepEqual(warnings(' x\uFE0F'.repeat(6)), ['hidden_text'])
  assert.deepEqual(warnings(' x\u202E'), ['hidden_text'])
})

const written = {
  'a family': '👨\u200D👩\u200D👧\u200D👦',
  'a skin tone': '👩🏽\u200D💻 👍🏿',
  'a heart on fire': '❤\uFE0F\u200D🔥',
  'an eye in a bubble': '👁\uFE0F\u200D🗨\uFE0F',
  'a rainbow flag': '🏳\uFE0F\u200D🌈',
  'a flag of Scotland': '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
  'a flag of England': '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  keys: '1\uFE0F\u20E3 #\uFE0F\u20E3',
  'a heart': '❤\uFE0F',
  Persian: 'می\u200Cخواهم',
  'a Persian name': 'علی\u200Cرضا',
  'a vowelled Persian word': 'مِی\u200Cخواهَم',
  'an abbreviation in Arabic': 'ه\u200D ١٤٤٥',
  'Hindi with a half letter': 'क्\u200Dष',
  'Hindi with a written virama': 'क्\u200Cष',
  Bengali: 'র\u200D্যাব',
  Malayalam: 'അവന്\u200D',
  Sinhala: 'ශ්\u200Dරී',
  'Hebrew points in order': 'שּׁ\u034Fָ',
  'Arabic signs': '\u0600١٢٣',
}
const ofMailOnly = {
  'a Mongolian selector': 'ᠠ\u180B',
  'a Mongolian vowel separator': 'ᠠ\u180Eᠠ',
  'a variant of a Japanese name': '葛\u{E0100}城',
  'a zero with a stroke': '0\uFE00',
  'an emoji as text': '☎\uFE0E',
}

describe('what writing needs stays', () => {
  for (const [name, text] of Object.entries({ ...written, ...ofMailOnly }))
    test(`${name}, in mail`, () => {
      const mail = parseMail(Buffer.from(writeMail({ subject: text, text: `x\n${text}` })))
      assert.deepEqual([mail.subject, mail.text.trim()], [text.trim(), `x\n${text}`])
      assert.deepEqual([mail.hiddenTextRemoved, mail.warnings], [0, []])
    })
  for (const [name, text] of Object.entries(written))
    test(`${name}, by the team and its agents`, () => {
      assert.deepEqual(removeInvisible(text), { text, removed: 0, strays: 0 })
    })
})

test('what changes nothing where a script may have it goes without being counted', () => {
  for (const [given, left] of [
    ['کار\u200Cها', 'کارها'],
    ['ខ្មែរ\u200Bភាសា', 'ខ្មែរភាសា'],
    ['வ்\u200Cக', 'வ்க'],
    ['Silben\u00ADtrennung', 'Silbentrennung'],
  ] as const)
    assert.deepEqual(removeInvisible(given, 'mail'), { text: left, removed: 0, strays: 0 })
})

test('emoji that look the same are spelled the same', () => {
  assert.equal(removeInvisible('❤\u200D🔥').text, '❤\uFE0F\u200D🔥')
  assert.equal(removeInvisible('🐱\u200D👤').text, '🐱👤')
  assert.equal(removeInvisible('⌚\uFE0F☎\uFE0E').text, '⌚☎')
})
