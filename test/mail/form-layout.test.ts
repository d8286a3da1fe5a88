import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readHtml } from '../../src/mail/normal-form.ts'
import { writeFrame } from '../../web/src/mail/frame-policy.ts'
import { chromiumMissing, openJudge } from '../support/chromium-judge.ts'
import type { Judge } from '../support/chromium-judge.ts'
import { narrowWays, raisedWays } from './hidden/laid-out.ts'
import { secret } from './hidden/ways.ts'

const sets = {
  'boxes too narrow for their content': narrowWays(secret),
  'words raised or lowered': raisedWays(secret),
}

describe('no layout hides words of the form', { skip: chromiumMissing }, () => {
  let judge: Judge
  before(async () => {
    judge = await openJudge()
  })
  after(async () => {
    await judge[Symbol.asyncDispose]()
  })
  for (const [set, mails] of Object.entries(sets))
    test(set, async () => {
      const written = Object.values(mails).map((html) => {
        const form = readHtml(`<!doctype html><p>Dear team</p>${html}`).writeHtml(() => true)
        const [, sheet = ''] = /<style>(.*?)<\/style>/s.exec(form) ?? []
        // A style sheet in the body would count as words.
        const document = writeFrame('', form.replace(/<style>.*?<\/style>/s, ''))
        return document
          .replace(/<meta http-equiv[^>]*>/, '')
          .replace(
            '</head>',
            `<link rel="stylesheet" href="data:text/css,${encodeURIComponent(sheet)}"></head>`,
          )
      })
      const verdicts = await judge.judge(written)
      const unseen = Object.keys(mails).flatMap((name, at) => {
        const words = verdicts[at]!.filter(({ seen }) => !seen).map(({ word }) => word)
        return words.length === 0 ? [] : [`${name}: ${words.join(' ')}`]
      })
      assert.deepEqual(unseen, [])
    })
})

const small = '<p>See <span style="background:#000;color:#fff;font-size:9px">a '
for (const [where, before] of Object.entries({ below: small, 'far below': small + '<i>'.repeat(160) }))
  test(`words larger than an inline background bring their own: ${where}`, () => {
    const html = readHtml(`${before}<b style="font-size:60px">large</b>`).writeHtml(() => true)
    const [, name] = /class="(m\w+)">large/.exec(html) ?? []
    assert.match(html, new RegExp(`\\.${name}\\{background-color:#000000;`))
  })

test('words are raised at most twice, so that they stay on their line', () => {
  const html = readHtml(`<p>second ${'<sup>'.repeat(6)}first`).writeHtml(() => true)
  assert.equal(html.match(/<sup/g)?.length, 2)
})

test('letters are struck and underlined once, however many tags say so', () => {
  const open = [10, 12, 14, 16].map(
    (size) => `<s style="font-size:${size}px">a<u style="font-size:${size}px">a`,
  )
  const html = readHtml(`<p>${open.join('')}words`).writeHtml(() => true)
  const drawn = [...html.matchAll(/<([su])(?: class="(m\w+)")?>/g)].filter(
    ([, , name]) => !new RegExp(`\\.${name}\\{[^}]*text-decoration:none`).test(html),
  )
  assert.equal(drawn.map(([, tag]) => tag).join(''), 'su')
})

describe('the number of an item is shown as the text has it', () => {
  const write = (html: string) => readHtml(html).writeHtml(() => true)
  for (const [name, html] of Object.entries({
    'long numbers': '<ol start="123456"><li>One</ol>',
    'large numbers': '<ol start="1995" style="font-size:60px"><li>One</ol>',
    'items with a background': '<ol><li style="background:#000;color:#fff">One</ol>',
    'items from right to left': '<ol dir="rtl"><li>\u05d0\u05d1</ol>',
  }))
    test(`${name} stand inside`, () => assert.match(write(html), /list-style-position:inside/))
  test('others stand beside', () => {
    assert.doesNotMatch(write('<ol start="95"><li>One<li style="list-style:none">Two</ol>'), /inside/)
  })
  test('numbers that browsers do not count to are the same in both', () => {
    const html = '<ol start="99999999999"><li>One<li value="4294967299">Two</ol>'
    assert.equal(readHtml(html).text, '999999. One\n999999. Two')
    assert.match(write(html), /start="999999".*value="999999"/s)
  })
  test('a number has the ink of its place', () => {
    const html =
      '<div style="background:#000;color:#fff">a<ul style="background:#fff"><li><p style="color:#000">b'
    const [, name] = /<li class="(m\w+)"/.exec(write(html)) ?? []
    assert.match(write(html), new RegExp(`\\.${name}\\{color:#1c1a17`))
  })
})

describe('only text written from right to left is laid out so', () => {
  const isTurned = (html: string) => / dir="rtl"/.test(readHtml(html).writeHtml(() => true))
  for (const [name, html] of Object.entries({
    cells: '<table dir="rtl"><tr><td>Ada<td>owes<td>Bob</table>',
    boxes:
      '<div style="direction:rtl"><b style="display:inline-block">Ada</b> <b style="display:inline-block">owes</b></div>',
    numbers: '<p dir="rtl">10 - 20 - 30</p>',
    'far below': `${'<i>'.repeat(160)}<p dir="rtl">10 - 20 Ada</p>`,
    'a letter among many': '<p dir="rtl">\u05d0 Ada owes Bob ten, not twenty',
  }))
    test(`not ${name}`, () => assert.ok(!isTurned(html)))
  for (const [name, html] of Object.entries({
    Hebrew: '<p dir="rtl">\u05e9\u05dc\u05d5\u05dd Ada, 10 - 20</p>',
    Arabic: '<table dir="rtl"><tr><td>\u0633\u0644\u0627\u0645<td>10</table>',
  }))
    test(name, () => assert.ok(isTurned(html)))
  test('words that are not stay at their side', () => {
    assert.match(
      readHtml('<p dir="rtl">Ada owes Bob</p>').writeHtml(() => true),
      /text-align:right/,
    )
  })
})
