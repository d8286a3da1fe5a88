import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorNames, readParts, readSearch, withoutPart } from '../src/model/search/query.ts'
import { makeRandom } from './support/random.ts'

/** A search as its parts: `from=anna`, `-word`, `"exact words"`. */
function shortly(text: string): string[] {
  return readParts(text).map(
    ({ operator, value, not, exact }) =>
      `${not ? '-' : ''}${operator === null ? '' : `${operator}=`}${exact ? `"${value}"` : value}`,
  )
}

const searches: [text: string, parts: string[]][] = [
  ['', []],
  ['   ', []],
  ['order 4711', ['order', '4711']],
  ['from:anna to:ben cc:cleo', ['from=anna', 'to=ben', 'cc=cleo']],
  ['FROM:Anna', ['from=Anna']],
  ['from:"Anna Lind"', ['from="Anna Lind"']],
  ['from:anna@brandt.example', ['from=anna@brandt.example']],
  ['subject:invoice filename:report.pdf', ['subject=invoice', 'filename=report.pdf']],
  ['in:support is:open is:unread assignee:me', ['in=support', 'is=open', 'is=unread', 'assignee=me']],
  ['has:attachment', ['has=attachment']],
  ['before:2026-11-01 after:2026/1/5 on:2026-10', ['before=2026-11-01', 'after=2026/1/5', 'on=2026-10']],
  ['on:today on:Yesterday on:2026', ['on=today', 'on=Yesterday', 'on=2026']],
  ['older_than:7d newer_than:2w', ['older_than=7d', 'newer_than=2w']],
  ['-word -"two words" -from:anna', ['-word', '-"two words"', '-from=anna']],
  ['“curly quotes”', ['"curly quotes"']],
  ['"never ends', ['"never ends"']],
  ['say"so"', ['say', '"so"']],
  // As searches were written before.
  ['status:closed inbox:support since:2026-11-01', ['is=closed', 'in=support', 'after=2026-11-01']],
  // What is no operator, or has a value it does not know, is words.
  ['re:plan', ['re:plan']],
  ['http://a.example', ['http://a.example']],
  ['is:blue', ['is:blue']],
  ['has:hope', ['has:hope']],
  ['before:soon after:2026-13-01 on:9999', ['before:soon', 'after:2026-13-01', 'on:9999']],
  ['on:2005-04-31 on:2026/2/29 on:2024-02-29', ['on:2005-04-31', 'on:2026/2/29', 'on=2024-02-29']],
  ['newer_than:0d older_than:12345d', ['newer_than:0d', 'older_than:12345d']],
  ['-is:open', ['-is:open']],
  ['__proto__:x constructor:y', ['__proto__:x', 'constructor:y']],
  // An operator without its value yet is not searched for, and neither is what has no letter or digit.
  ['from: anna', ['anna']],
  ['from:', []],
  ['- -- *** "" "-" subject:?', ['subject:?']],
  ['größe 東京 😀', ['größe', '東京']],
]

test('a search is words, exact words, excluded words and operators', () => {
  for (const [text, parts] of searches) assert.deepEqual(shortly(text), parts, text)
})

test('only the last word of a text that ends in it is begun', () => {
  const begun = (text: string): string[] =>
    Object.values(readSearch(text, { typing: true }))
      .flat()
      .filter((wanted) => wanted.begun)
      .map(({ value }) => value)
  assert.deepEqual(begun('order invoic'), ['invoic'])
  assert.deepEqual(begun('subject:invoic'), ['invoic'])
  for (const text of ['invoice ', 'in', '"invoic', '-invoic', 'invoice.', 'is:unread', '']) {
    const found = begun(text)
    assert.ok(found.length === 0 || text === 'is:unread', text)
  }
  assert.equal(readSearch('invoic').words[0]!.begun, false)
})

test('any text is read, in linear time, into parts that cover their own piece of it', () => {
  const random = makeRandom(19)
  const pieces = [
    ...operatorNames.map((name) => `${name}:`),
    '"',
    '“',
    '-',
    ':',
    ' ',
    '\t',
    '\0',
    'ß',
    'İ',
    '東',
    '😀',
    '\ud83d',
    'a',
    '7d',
    '2026-02-31',
    'open',
    '\u202e',
    '\\',
    "'",
    '*',
  ]
  for (let round = 0; round < 2_000; round++) {
    let text = ''
    for (let length = Math.floor(random() * 30); length > 0; length--)
      text += pieces[Math.floor(random() * pieces.length)]
    const parts = readParts(text)
    let at = 0
    for (const each of parts) {
      assert.ok(each.start >= at && each.end > each.start && each.end <= text.length, JSON.stringify(text))
      at = each.end
      // A part by itself is the same part.
      const alone = readParts(text.slice(each.start, each.end))
      assert.deepEqual(alone, [{ ...each, start: 0, end: each.end - each.start }], JSON.stringify(text))
    }
    if (parts[0]) assert.ok(readParts(withoutPart(text, parts[0])).length <= parts.length)
    assert.equal(Object.values(readSearch(text, { typing: true })).flat().length, parts.length)
  }
})

test('a megabyte of anything is cut off', () => {
  for (const piece of ['a', '"', '-', 'from:', 'a:', ' ', '-"', 'a_', '東', '"a" ', 'from:"']) {
    const before = process.cpuUsage().user
    const parts = readParts(piece.repeat(1_048_576 / piece.length))
    assert.ok(parts.length <= 50, piece)
    assert.ok(process.cpuUsage().user - before < 200_000, `${piece} takes long`)
  }
})
