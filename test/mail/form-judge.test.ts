import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readHtml } from '../../src/mail/normal-form.ts'
import { chromiumMissing, openJudge } from '../support/chromium-judge.ts'
import type { Judge, JudgedWord } from '../support/chromium-judge.ts'
import { isLongRun } from '../support/corpora.ts'
import { writeFrame } from '../../web/src/mail/frame-policy.ts'
import { shown } from './hidden/shown.ts'
import { ways } from './hidden/ways.ts'
import { ordinaryMail } from './ordinary-mail.ts'

const some = (mails: Record<string, string>) =>
  isLongRun ? mails : Object.fromEntries(Object.entries(mails).filter((_, at) => at % 10 === 0))
const sets = {
  'ways of hiding': some(ways),
  'text that only looks hidden': some(shown),
  'ordinary mail': ordinaryMail,
}

function wordsOf(text: string): string[] {
  const bare = text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase()
  return bare.match(/[\p{L}\p{M}]+/gu) ?? []
}

/** Of the letters of the words, in order: tags and lines may part words. */
const lettersOf = (words: readonly string[]) => wordsOf(words.join(' ')).join('')

/** Words of ordinary mail that are read though Chromium, which could run scripts here, does not show them. */
const without = new Set('please enable scripts'.split(' '))

function assertKept(text: string, original: JudgedWord[]): void {
  const kept = new Set(wordsOf(text))
  const seen = original.filter((one) => one.seen && /\p{L}{2}/u.test(one.word))
  const lost = seen.map(({ word }) => word.toLowerCase()).filter((word) => !kept.has(word))
  assert.deepEqual(lost, [], `words that Chromium shows are missing in:\n${text}`)
  const shownWords = new Set(original.filter((one) => one.seen).map(({ word }) => word.toLowerCase()))
  const more = original.filter(
    ({ word }) => kept.has(word.toLowerCase()) && !shownWords.has(word.toLowerCase()),
  )
  assert.deepEqual(
    more.map(({ word }) => word).filter((word) => !without.has(word.toLowerCase())),
    [],
    `words that Chromium does not show are in:\n${text}`,
  )
}

describe('Chromium agrees on what can be seen', { skip: chromiumMissing }, () => {
  let judge: Judge
  before(async () => {
    judge = await openJudge()
  })
  after(async () => {
    await judge[Symbol.asyncDispose]()
  })
  for (const [set, mails] of Object.entries(sets)) {
    test(set, async (t) => {
      const forms = Object.values(mails).map((html) => readHtml(html))
      const written = forms.map((form) =>
        withoutSheet(
          writeFrame(
            '',
            form.writeHtml(() => true),
          ),
        ),
      )
      const verdicts = await judge.judge(written)
      for (const [at, name] of Object.keys(mails).entries())
        await t.test(name, () => {
          const words = verdicts[at]!
          assert.deepEqual(
            words.filter((one) => !one.seen),
            [],
            'every word of the form is seen',
          )
          assert.equal(lettersOf(words.map(({ word }) => word)), lettersOf([forms[at]!.text]))
        })
    })
  }

  test('ordinary mail keeps the words that its readers would see', async (t) => {
    const verdicts = await judge.judge(Object.values(ordinaryMail))
    for (const [at, [name, html]] of Object.entries(ordinaryMail).entries())
      await t.test(name, () => assertKept(readHtml(html).text, verdicts[at] ?? []))
  })
})

/** A style sheet is no text of the page, so it goes into an attribute's place: the head. */
function withoutSheet(html: string): string {
  const sheets = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css]) => css).join('')
  const bare = html.replaceAll(/<style>.*?<\/style>/gs, '').replace(/<meta http-equiv[^>]*>/, '')
  return bare.replace(
    '</head>',
    `<link rel="stylesheet" href="data:text/css,${encodeURIComponent(sheets)}"></head>`,
  )
}
