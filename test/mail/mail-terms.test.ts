import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsOfMail } from '../../src/model/search/mail-terms.ts'
import { splitTerms } from '../../src/model/search/terms.ts'
import { makeRandom } from '../support/random.ts'

const termsOfText = (text: string): string => termsOfMail({ subject: '', from: null, to: [], cc: [] }, text)

test('mail in ASCII has the terms that any text has: each once, in order, cut, and not too many', () => {
  const random = makeRandom(7)
  // Few letters, so that words come again and begin like others.
  const letters = 'aAbB0 \n-_@\0\x7f'
  const long = Array.from({ length: 90_000 }, (_, at) => `word${at}`).join('.')
  const texts = [
    '',
    'a',
    ' ',
    'abc ab abcd ab ABC',
    'x'.repeat(100),
    `${'y'.repeat(64)}1 ${'y'.repeat(64)}2`,
    long,
  ]
  for (let count = 0; count < 3000; count++)
    texts.push(
      Array.from({ length: random() * 300 }, () => letters[Math.floor(random() * letters.length)]).join(''),
    )
  for (const text of texts) assert.equal(termsOfText(text), splitTerms(text).join(' '))
  assert.ok(termsOfText(long).length < long.length, 'the longest one is cut')
})

test('people and subject are found too', () => {
  const kim = { name: 'Kim', address: 'kim@shop.example' }
  const tom = { name: null, address: 'tom@shop.example' }
  assert.equal(
    termsOfMail({ subject: 'Re: Kim', from: kim, to: [tom], cc: [] }, 'Hello Tom'),
    're kim shop example tom hello',
  )
})

test('words chosen to share a hash are found as others are, also where they come again', () => {
  const slots = 16_384
  const slotOf = (word: string): number => {
    let hash = 0
    for (const letter of word) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
    return (hash ^ (hash >>> 15)) & (slots - 1)
  }
  const words: string[] = []
  for (let at = 0; words.length < 1000; at++) {
    const word = `w${at.toString(36)}`
    if (slotOf(word) < 100) words.push(word)
  }
  const text = [...words, ...words].join(' ')
  assert.ok(text.length > slots / 2 && text.length < slots - 1, `${text.length}: another number of slots`)
  assert.equal(termsOfText(text), words.join(' '))
  // More of them than a mail's terms may have characters.
  const again = `${`${text} `.repeat(60)}needle`
  assert.equal(termsOfText(again), `${words.join(' ')} needle`)
})
