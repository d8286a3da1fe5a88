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
  'ordinary mail': some(ordinaryMail),
}

function wordsOf(text: string): string[] {
  const bare = text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase()
  return bare.match(/[\p{L}\p{M}]+/gu) ?? []
}

/** Of the letters of the words, in order: tags and lines may part words. */
const lettersOf = (words: readonly string[]) => wordsOf(words.join(' ')).join('')

/** What is read though Chromium does not show it: it could run scripts here, and it keeps `<details>` shut. */
const opened = new Set(
  'please enable scripts hidden until opened twenty four eight degrees fourteen nine hours'.split(' '),
)

function assertKept(text: string, original: JudgedWord[]): void {
  const bare = text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase()
  const kept = new Set(bare.match(/[\p{L}\p{M}\p{N}]+/gu))
  const words = original.map(({ word, seen }) => ({ word: word.toLowerCase(), seen }))
  // A tag may part a word.
  const isKept = (word: string, at: number) =>
    kept.has(word) ||
    kept.has(word + (words[at + 1]?.word ?? '')) ||
    kept.has((words[at - 1]?.word ?? '') + word)
  const isWord = (word: string) => /\p{L}{2}/u.test(word)
  const lost = words.filter(({ word, seen }, at) => seen && isWord(word) && !isKept(word, at))
  assert.deepEqual(lost, [], `words that Chromium shows are missing in:\n${text}`)
  const shownWords = new Set(words.flatMap(({ word, seen }) => (seen ? [word] : [])))
  const more = words.filter(({ word }) => isWord(word) && kept.has(word) && !shownWords.has(word))
  assert.deepEqual(
    more.map(({ word }) => word).filter((word) => !opened.has(word)),
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
    const mails = some(ordinaryMail)
    const verdicts = await judge.judge(Object.values(mails))
    for (const [at, [name, html]] of Object.entries(mails).entries())
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
