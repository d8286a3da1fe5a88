import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editRatio } from '../../src/core/drafts/edit-ratio.ts'

test('a word that is gone counts once, wherever the same word stands', () => {
  assert.equal(editRatio('yes yes', 'yes'), 0.5)
})

test('the order of very many words does not count', () => {
  const words = Array.from({ length: 3001 }, (_, index) => `word${index}`)
  assert.equal(editRatio(words.join(' '), words.toReversed().join(' ')), 0)
})
