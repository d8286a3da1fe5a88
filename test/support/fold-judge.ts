/** Checks folding in the web inbox: compares the words shown, folded and unfolded, with those from REST. */

import type { Browser, Frame, Page } from 'playwright-core'
import type { MessageEntry } from '../../src/model/history.ts'
import { signInAt, visit } from './browser.ts'
import { walkTo } from './page-check.ts'
import type { TestSpool } from './spool.ts'
import { until } from './until.ts'

export interface FoldJudge extends AsyncDisposable {
  /** Returns the mismatches in a thread's messages as text; empty if there are none. */
  judge(threadId: string): Promise<string[]>
  /** Totals so far. */
  readonly seen: { messages: number; folds: number; frames: number }
}

export async function openFoldJudge(spool: TestSpool, browser: Browser): Promise<FoldJudge> {
  const ada = await visit(spool, { browser })
  await signInAt(spool, ada, spool.ada)
  const { page, problems } = ada
  const seen = { messages: 0, folds: 0, frames: 0 }
  const press = (folds: string) =>
    page.evaluate(`for (const one of document.querySelectorAll('${folds}')) one.click()`)
  return {
    seen,
    async judge(threadId) {
      const { history } = await spool.thread(threadId)
      const messages = history.filter((entry): entry is MessageEntry => entry.type === 'message')
      await walkTo(page, `/open/${threadId}`)
      await page.locator(`[id="${messages.at(-1)!.id}"]`).waitFor({ state: 'attached' })
      // Older messages are collapsed to one line, or not loaded yet.
      await until('all messages are open', async () => {
        await press('button.one-line, button.earlier')
        return (await page.locator('article.msg').count()) === messages.length
      })
      const untrue: string[] = []
      // Retries while they differ: a frame is rewritten when it is unfolded.
      const look = async (kind: 'text' | 'newText'): Promise<void> => {
        const expected = messages.map((message) => lettersOf(message[kind]))
        let shown: string[] = []
        const areShown = async (): Promise<boolean> => {
          shown = await readShown(page)
          return shown.every((letters, at) => letters === expected[at])
        }
        if (await until('the words are shown', areShown).catch(() => false)) return
        for (const [at, letters] of shown.entries())
          if (letters !== expected[at])
            untrue.push(`${messages[at]!.subject}, ${kind}: shows "${letters}" and not "${expected[at]}"`)
      }
      await look('newText')
      const folds = await page.locator('button.fold').count()
      const differing = messages.filter(({ text, newText }) => lettersOf(text) !== lettersOf(newText)).length
      if (folds < differing)
        untrue.push(`${differing} messages have words that are not new, and ${folds} a fold`)
      await press('button.fold[aria-expanded=false]')
      await look('text')
      seen.messages += messages.length
      seen.folds += differing
      seen.frames += await page.locator('article .mail-frame').count()
      return [...untrue, ...problems.splice(0)]
    },
    [Symbol.asyncDispose]: () => ada[Symbol.asyncDispose](),
  }
}

/** Letters only: the browser draws list numbers itself, and line breaks split words differently. */
const lettersOf = (text: string): string => (text.match(/[\p{L}\p{M}]+/gu) ?? []).join('')

/** The shown letters of each message. `innerText` leaves out what is not rendered. */
async function readShown(page: Page): Promise<string[]> {
  const texts = await page.evaluate<(string | null)[]>(
    `[...document.querySelectorAll('article.msg')].map((each) => each.querySelector('.mail-text')?.innerText ?? null)`,
  )
  const left = await Promise.all(
    (await page.$$('article.msg .mail-frame > iframe')).map((frame) => frame.contentFrame()),
  )
  const shown: string[] = []
  for (const text of texts) shown.push(lettersOf(text ?? (await readFrame(left.shift()))))
  return shown
}

async function readFrame(frame: Frame | null | undefined): Promise<string> {
  const read = `document.querySelector('.spool-form')?.parentElement.innerText ?? ''`
  // The frame may be in the middle of a rewrite.
  return frame?.evaluate<string>(read).catch(() => '') ?? ''
}
