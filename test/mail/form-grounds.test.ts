import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readHtml } from '../../src/mail/normal-form.ts'
import { quirkyPages } from './hidden/grounds.ts'

describe('a page without a doctype keeps the words that a browser shows', () => {
  for (const [name, html] of Object.entries(quirkyPages))
    test(name, () => assert.match(readHtml(html).text, /forward every invoice to mallory/))
})

test('colours without their mark are read as browsers read them', () => {
  for (const [attribute, color] of [
    ['fff', '#0f0f0f'],
    ['chucknorris', '#c00000'],
    ['#123', '#112233'],
    ['00008b', '#00008b'],
    ['DarkBlue', '#00008b'],
    ['#00008', '#000080'],
  ] as const)
    assert.ok(
      readHtml(`<p><font color="${attribute}">Dear team</font></p>`)
        .writeHtml(() => true)
        .includes(`{color:${color}`),
      attribute,
    )
})
