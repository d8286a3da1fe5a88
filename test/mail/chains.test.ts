import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'
import { makeChains } from './chains/chains.ts'
import { wordsMissing } from './chains/words.ts'

/** An odd number: plain and HTML take turns. */
const every = process.env['SPOOL_TEST_LONG'] === '1' ? 1 : 9

describe('chains of replies and forwards', () => {
  test('by clients, languages, plain and HTML: nearly all exact, nothing lost', () => {
    const chains = [...makeChains(every)]
    const lost: string[] = []
    const left: string[] = []
    for (const { name, mails } of chains) {
      const read = mails.map(({ raw, expected }) => {
        const { text, newText } = parseMail(raw)
        return { newText, expected: expected?.join(' ') ?? text }
      })
      if (read.some(({ newText, expected }) => wordsMissing(newText, expected) > 0)) lost.push(name)
      else if (read.some(({ newText, expected }) => wordsMissing(expected, newText) > 0)) left.push(name)
    }
    assert.ok(chains.length >= 300 / every, `${chains.length} chains`)
    assert.deepEqual(lost, [])
    assert.ok(left.length <= chains.length * 0.03, `${left.length} of ${chains.length}: ${left.join(', ')}`)
  })
})
