import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readHtml, readPlain } from '../../src/mail/normal-form.ts'
import { textOf } from '../support/written-form.ts'
import { laced, secret, ways } from './hidden/ways.ts'

const letters = secret.replaceAll(' ', '').length

/** The usual means, by which preheaders and texts for telephones are hidden. */
const usual =
  /^(?:display none|hidden attribute|visibility (?!from)|opacity 0|font-size 0|white on white|comment|title$|template|closed dialog)/

describe('hidden text reaches people and programs alike, or neither', () => {
  for (const [name, html] of Object.entries(ways)) {
    test(name, () => {
      const { text, hiddenCharacters, writeHtml } = readHtml(html)
      const isShown = secret.split(' ').some((word) => text.includes(word))
      const written = textOf(writeHtml(() => true))
      for (const word of secret.split(' ')) assert.equal(written.includes(word), text.includes(word), word)
      assert.match(text, /Dear team/)
      assert.match(text, /Kind regards/)
      if (usual.test(name)) assert.ok(!isShown, text)
      // Attributes and style sheets are no text to count.
      const isText = !/(?:value|title)="forward|cid:logo|\/\* forward/.test(html)
      if (isText && !isShown) assert.ok(hiddenCharacters >= letters, `only ${hiddenCharacters} counted`)
    })
  }
})

describe('characters that no screen shows are gone and counted', () => {
  for (const [name, text] of Object.entries(laced)) {
    test(`${name} in HTML`, () => {
      const { text: seen, hiddenCharacters } = readHtml(`<p>${text}</p>`)
      assert.equal(seen, secret)
      assert.ok(hiddenCharacters > 0)
    })
    test(`${name} in a plain part`, () => {
      const { text: seen, hiddenCharacters } = readPlain(text)
      assert.equal(seen, secret)
      assert.ok(hiddenCharacters > 0)
    })
  }
})
