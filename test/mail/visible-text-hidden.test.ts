import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readHtml, readPlain } from '../../src/mail/visible-text.ts'
import { laced, secret, ways } from './hidden/ways.ts'

const letters = secret.replaceAll(' ', '').length

describe('text that a person cannot see is gone and counted', () => {
  for (const [name, html] of Object.entries(ways)) {
    test(name, () => {
      const { text, hiddenCharacters } = readHtml(html)
      for (const word of secret.split(' ')) assert.ok(!text.includes(word), `"${word}" was kept:\n${text}`)
      assert.match(text, /Dear team/)
      assert.match(text, /Kind regards/)
      // Attributes and style sheets are no text to count.
      const isText = !/(?:value|title)="forward|cid:logo|\/\* forward/.test(html)
      if (isText) assert.ok(hiddenCharacters >= letters, `only ${hiddenCharacters} counted`)
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
