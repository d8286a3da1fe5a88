import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { readHtml } from '../../src/mail/normal-form.ts'
import { anyHtml } from '../support/any-form.ts'
import { hiddenWays } from '../support/hidden-ways.ts'
import { contrastOf, readWritten } from '../support/written-form.ts'
import { quirkyPages, siblingGrounds } from './hidden/grounds.ts'
import { shown } from './hidden/shown.ts'
import { ways } from './hidden/ways.ts'
import { ordinaryMail } from './ordinary-mail.ts'

const { ways: given, visible } = await hiddenWays()
const long = process.env['SPOOL_TEST_LONG'] === '1'

const tags =
  'a b blockquote br code div h1 h2 h3 h4 h5 h6 hr i img li ol p s span sub sup table tbody td tr u ul wbr'.split(
    ' ',
  )
const properties = (
  'background-color border border-bottom border-collapse border-left border-radius border-right border-spacing ' +
  'border-top box-sizing color display font-family font-size font-style font-weight height line-height ' +
  'list-style-position list-style-type margin margin-left margin-right max-width min-height min-width overflow-wrap padding text-align ' +
  'text-decoration vertical-align white-space width'
).split(' ')

/** Without lines, blanks, and the numbers of items. */
const lettersOf = (text: string): string => (text.match(/\p{L}/gu) ?? []).join('')

function assertTrue(html: string, written: string, text: string): void {
  const form = readWritten(written)
  for (const { ink, ground, size, text: words } of form.words) {
    assert.ok(contrastOf(ink, ground) >= 1.75, `"${words}" is ${ink} on ${ground}\n${html}`)
    assert.ok(size >= 9, `"${words}" has ${size} pixels\n${html}`)
  }
  assert.deepEqual(
    [...form.tags].filter((tag) => !tags.includes(tag)),
    [],
  )
  assert.deepEqual(
    [...form.properties].filter((name) => !properties.includes(name)),
    [],
  )
  assert.equal(lettersOf(form.words.map((each) => each.text).join('')), lettersOf(text), html)
}

const sets = {
  'hidden ways': given,
  'visible ways': visible,
  'own ways': ways,
  'only looks hidden': shown,
  'ordinary mail': ordinaryMail,
  'grounds of siblings': siblingGrounds,
  'pages without a doctype': quirkyPages,
}

describe('what is judged stands in the string that is shown', () => {
  for (const [set, mails] of Object.entries(sets))
    test(set, () => {
      for (const html of Object.values(mails)) {
        const { text, writeHtml } = readHtml(html)
        assertTrue(
          html,
          writeHtml(() => true),
          text,
        )
      }
    })

  for (const property of ['color', 'background-color', 'font-size'])
    test(`a writer that forgets ${property} is found out`, () => {
      const all = [...Object.values(given), ...Object.values(visible), ...Object.values(ordinaryMail)]
      assert.throws(() => {
        for (const html of all) {
          const { text, writeHtml } = readHtml(html)
          const forgotten = writeHtml(() => true).replaceAll(
            new RegExp(`(?<=[{;])${property}:[^;}]*;?`, 'g'),
            '',
          )
          assertTrue(html, forgotten.replaceAll('{}', '{x:y}'), text)
        }
      }, /is #|pixels|x/)
    })

  test('every sentence that everybody sees is text', () => {
    for (const [name, html] of Object.entries(visible))
      assert.ok(readHtml(html).text.includes('SEENMARK'), name)
  })
})

/** Everything the mails of the sets say, by name, with what the reader would make of it if it did not know that name. */
function unread(pattern: RegExp, rename: (html: string, name: string) => string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const html of Object.values(sets).flatMap((mails) => Object.values(mails)))
    for (const name of new Set([...html.matchAll(pattern)].map(([, each = '']) => each.toLowerCase())))
      found.set(name, [...(found.get(name) ?? []), rename(html, name)])
  return found
}

describe('a reader that knows less is still true', () => {
  const properties = unread(/[;{"'\s]([a-z-]{3,30})\s*:/gi, (html, name) =>
    html.replaceAll(new RegExp(`([;{"'\\s])${name}(\\s*:)`, 'gi'), `$1x-${name}$2`),
  )
  const elements = unread(/<([a-z][a-z0-9]*)/gi, (html, name) =>
    html.replaceAll(new RegExp(`(</?)${name}(?=[\\s>])`, 'gi'), `$1x-${name}`),
  )
  for (const [kind, names] of Object.entries({ properties, elements }))
    test(kind, () => {
      assert.ok(names.size > 40, `${names.size}`)
      for (const mails of names.values())
        for (const html of mails.filter((_, at) => long || at % 10 === 0)) {
          const { text, writeHtml } = readHtml(html)
          assertTrue(
            html,
            writeHtml(() => true),
            text,
          )
        }
    })
})

test('any mixture of style, known and invented', () => {
  fc.assert(
    fc.property(anyHtml, (html) => {
      const { text, writeHtml } = readHtml(html)
      assertTrue(
        html,
        writeHtml(() => true),
        text,
      )
    }),
    { numRuns: long ? 20_000 : 1500 },
  )
})

test('a link inside a link, as tables let it happen', () => {
  const html =
    '<a href="https://a.example">One <table><div><a href="https://b.example"></a></div>' +
    '<div style="background:#000">Two </div></table></a>'
  const { text, writeHtml } = readHtml(html)
  const written = writeHtml(() => true)
  assertTrue(html, written, text)
  assert.equal(written.match(/<a /g)?.length, 1)
})

test('what is not new is marked, and nothing else', () => {
  const { text, writeHtml } = readHtml(
    '<!doctype html><p>Yes.</p><div>On Monday you wrote:<blockquote><p>Is it?<p>Really?</blockquote></div><p>Bye',
  )
  const lines = text.split('\n')
  const folded = writeHtml((line) => !/wrote|>/.test(lines[line]!))
  assert.match(folded, /<div class="spool-fold">On Monday/)
  assert.equal(folded.match(/spool-fold/g)?.length, 1)
})
