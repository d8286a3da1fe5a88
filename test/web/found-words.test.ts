import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FoundWords } from '../../web/src/search/words.ts'

const marked = (search: string, text: string): string =>
  (FoundWords.of(search)?.cut(text) ?? [{ text, found: false }])
    .map((piece) => (piece.found ? `[${piece.text}]` : piece.text))
    .join('')

test('the words of a search are marked as the server finds them', () => {
  const marks: [search: string, text: string, expected: string][] = [
    ['oak', 'Oak, soak and OAK-tree', '[Oak], soak and [OAK]-tree'],
    ['strasse', 'Die Straße 7', 'Die [Straße] 7'],
    ['cafe', 'Cafe\u0301 Café', '[Cafe\u0301] [Café]'],
    ['invoic', 'Invoice invoicing in', '[Invoice] [invoicing] in'],
    ['in', 'Invoice in', 'Invoice [in]'],
    ['"invoic"', 'Invoice', 'Invoice'],
    ['京', '東京タワー', '東[京]タワー'],
    ['-oak table', 'oak table', 'oak [table]'],
    ['from:anna is:open', 'Anna is open', '[Anna] is open'],
    ['anna@brandt.example ', 'anna@brandt.example.', '[anna]@[brandt].[example].'],
    ['is:open', 'open', 'open'],
    ['oak', '', ''],
  ]
  for (const [search, text, expected] of marks) assert.equal(marked(search, text), expected, search)
})
