import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDifferences } from '../../web/src/draft/differences.ts'

/** `-removed-` and `+added+`, the rest unchanged. */
function mark(before: string, after: string): string {
  const around = { same: '', removed: '-', added: '+' }
  return findDifferences(before, after)
    .map(({ text, kind }) => `${around[kind]}${text}${around[kind]}`)
    .join('')
}

const cases: [before: string, after: string, shown: string][] = [
  ['Best regards', 'Best regards\n\nAda', 'Best regards+\n\nAda+'],
  ['Best regards\n\nAda', 'Best regards', 'Best regards-\n\nAda-'],
  ['Hello Carla, it left', 'Hello Carla,\n\nit left', 'Hello Carla,- -+\n\n+it left'],
  ['It left on Monday.', 'It left on Tuesday.', 'It left on -Monday-+Tuesday+.'],
  ['', 'New', '+New+'],
  ['One two', 'One two', 'One two'],
]

test('a diff shows only what changed: a line added after a word leaves the word alone', () => {
  for (const [before, after, shown] of cases) {
    assert.equal(mark(before, after), shown)
    const pieces = findDifferences(before, after)
    const without = (kind: string): string =>
      pieces.flatMap((piece) => (piece.kind === kind ? [] : piece.text)).join('')
    assert.deepEqual([without('added'), without('removed')], [before, after], 'both can be read back')
  }
})
