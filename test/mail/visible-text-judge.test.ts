import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readHtml } from '../../src/mail/visible-text.ts'
import { chromiumMissing, openJudge } from '../support/chromium-judge.ts'
import type { Judge, JudgedWord } from '../support/chromium-judge.ts'
import { shown } from './hidden/shown.ts'
import { ways } from './hidden/ways.ts'
import { ordinaryMail } from './ordinary-mail.ts'

const sets = { 'ways of hiding': ways, 'text that only looks hidden': shown, 'ordinary mail': ordinaryMail }

function wordsOf(text: string): string[] {
  const bare = text.replaceAll(/\((?:https?|mailto|tel):[^\s)]*\)|\[[^\]]*\]/g, ' ')
  return (
    bare
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  )
}

/** How often each word stands in a list. */
function tally(words: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function assertAgreement(html: string, judged: JudgedWord[]): void {
  const { text, hiddenCharacters } = readHtml(html)
  const kept = tally(wordsOf(text))
  const seen = tally(judged.filter((one) => one.seen).map((one) => one.word.toLowerCase()))
  const hidden = judged.filter((one) => !one.seen).map((one) => one.word)
  const lost = [...seen].filter(([word, count]) => (kept.get(word) ?? 0) < count).map(([word]) => word)
  assert.deepEqual(lost, [], `words that Chromium shows are missing in:\n${text}`)
  const leaked = hidden.filter((word) => kept.has(word.toLowerCase()) && !seen.has(word.toLowerCase()))
  assert.deepEqual(leaked, [], `words that Chromium does not show are in:\n${text}`)
  if (!/<style|<script/.test(html))
    assert.ok(hiddenCharacters >= hidden.join('').length, 'hidden words are not counted')
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
      const verdicts = await judge.judge(Object.values(mails))
      for (const [at, [name, html]] of Object.entries(mails).entries()) {
        await t.test(name, () => assertAgreement(html, verdicts[at] ?? []))
      }
    })
  }
})
