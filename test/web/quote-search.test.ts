import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findQuote, QuoteSearch } from '../../web/src/mail/quote-search.ts'

function found(text: string, quote: string): string | null {
  const place = findQuote(text, quote)
  return place && text.slice(place.start, place.end)
}

test('a quote is found by its words, whatever the white space and the composition of letters', () => {
  assert.equal(found('It cost\n 49,90 €.  Where?', 'cost 49,90 €. Where?'), 'cost\n 49,90 €.  Where?')
  assert.equal(found('the cafe\u0301 is', 'café is'), 'cafe\u0301 is')
  assert.equal(found('the café is', 'cafe\u0301'), 'café')
  assert.equal(found('a notable event, no table', 'no table'), 'no table')
  assert.equal(found('notable', 'no table'), null)
  assert.equal(found('no table', 'notable'), null)
  assert.equal(found('a.b', 'a+b'), null)
  assert.equal(found('anything', ' '), null)
})

test('marks that a line of text begins with need not stand on the screen', () => {
  assert.equal(found('2 chairs\n1 table', '- 2 chairs\n- 1 table'), '2 chairs\n1 table')
  assert.equal(found('One\nTwo', '> One > Two'), 'One\nTwo')
  assert.equal(found('One\nTwo', 'One --- Two'), null)
})

test('an edge of an element may be a space, that of a block always is', () => {
  const search = (isBlock: boolean) => {
    const made = new QuoteSearch()
    made.add('Total')
    made.addEdge(isBlock)
    made.add('10')
    return made
  }
  assert.ok(search(false).find('Total10'))
  assert.ok(search(false).find('Total 10'))
  assert.equal(search(true).find('Total10'), null)
  assert.deepEqual(search(true).find('Total 10'), { start: 0, end: 7 })
})
