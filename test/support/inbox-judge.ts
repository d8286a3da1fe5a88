/**
 * Checks one rule in the web inbox: the words of a mail that are visible in its frame, judged by pixels, are exactly
 * the words that REST returns.
 */

import { readFileSync } from 'node:fs'
import type { Browser, Frame, Page } from 'playwright-core'
import { signInAt, visit } from './browser.ts'
import type { TestSpool } from './spool.ts'
import { until } from './until.ts'

export interface Setting {
  width: number
  dark: boolean
}

export const settings: Setting[] = [360, 606, 900, 1400].flatMap((width) => [
  { width, dark: false },
  { width, dark: true },
])

export interface InboxJudge extends AsyncDisposable {
  /** Returns the mismatches of the mail at these settings as text; empty if there are none. */
  judge(threadId: string, at: Setting[], mustFit?: boolean): Promise<string[]>
}

interface Found {
  word: string
  boxes: [x: number, y: number, width: number, height: number][]
}

const pageSource = readFileSync(new URL('./judge-page.js', import.meta.url), 'utf8')
const indistinct = 16

/** Finds the words that are laid out in a frame and their boxes, and prepares ranges that can be made transparent. */
const findWords = `() => {
  const found = []
  const ranges = []
  const walker = document.createTreeWalker(document.querySelector('.spool-form'), 4)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.tagName === 'STYLE') continue
    const whole = document.createRange()
    whole.selectNodeContents(node)
    ranges.push(whole)
    for (const match of node.data.matchAll(/[\\p{L}\\p{M}]+/gu)) {
      const range = document.createRange()
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      const boxes = [...range.getClientRects()].map((box) => [box.left, box.top + scrollY, box.width, box.height])
      if (boxes.length > 0) found.push({ word: match[0], boxes })
    }
  }
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*{text-decoration-line:none!important}::highlight(judged){color:transparent!important}')
  document.adoptedStyleSheets = [sheet]
  globalThis.judgedRanges = ranges
  return { found, width: document.documentElement.scrollWidth - document.documentElement.clientWidth }
}`

export async function openInboxJudge(spool: TestSpool, browser: Browser): Promise<InboxJudge> {
  const ada = await visit(spool, { browser, height: 900 })
  await signInAt(spool, ada, spool.ada)
  const comparer = await ada.context.newPage()
  await comparer.evaluate(`(() => { ${pageSource} })()`)
  const { page, problems } = ada
  await page.bringToFront()
  return {
    async judge(threadId, at, mustFit = true) {
      await page.evaluate(
        `history.pushState(null, '', '/open/${threadId}'); dispatchEvent(new PopStateEvent('popstate'))`,
      )
      const thread = await spool.thread(threadId)
      const message = thread.history.findLast((entry) => entry.type === 'message')!
      const article = page.locator(`article[id="${message.id}"]`)
      await article.locator('.mail-frame iframe, .mail-text').waitFor({ state: 'attached' })
      const isFramed = (await article.locator('.mail-frame').count()) > 0
      const untrue: string[] = []
      for (const { width, dark } of at) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
        const fold = article.locator('button.fold')
        const canFold = (await fold.count()) > 0
        for (const folded of canFold ? [true, false] : [false]) {
          if (canFold && (await fold.getAttribute('aria-expanded')) === String(folded)) await fold.click()
          const expected = lettersOf(folded ? message.newText : message.text)
          const problem = isFramed
            ? await look(page, comparer, expected, mustFit)
            : compareLetters(lettersOf(await article.locator('.mail-text').innerText()), expected)
          if (problem !== null)
            untrue.push(`${width} ${dark ? 'dark' : 'light'}${folded ? ', folded' : ''}: ${problem}`)
        }
        if (!canFold && lettersOf(message.text) !== lettersOf(message.newText))
          untrue.push('has words that are not new, and no fold')
      }
      return [...untrue, ...problems.splice(0)]
    },
    async [Symbol.asyncDispose]() {
      await ada[Symbol.asyncDispose]()
    },
  }
}

/** Letters only: the browser draws list numbers itself, and line breaks split words differently. */
const lettersOf = (text: string): string => (text.match(/[\p{L}\p{M}]+/gu) ?? []).join('')

/** Retries while it fails: the frame is rewritten once its size is known. */
async function look(page: Page, comparer: Page, expected: string, mustFit: boolean): Promise<string | null> {
  let problem: string | null = null
  await until(
    'the frame is judged',
    async () => {
      const frame = await readyFrame(page)
      if (!frame) return false
      try {
        problem = await judgeFrame(page, frame, comparer, expected, mustFit)
      } catch (error) {
        // The frame was rewritten in the meantime.
        problem = (error as Error).message
      }
      return problem === null
    },
    20_000,
  ).catch(() => {})
  return problem
}

async function readyFrame(page: Page): Promise<Frame | null> {
  if ((await page.locator('iframe.measure').count()) > 0) return null
  const frame = await (await page.locator('.mail-frame iframe').last().elementHandle())?.contentFrame()
  const isThere = await frame?.evaluate<boolean>(
    `document.readyState === 'complete' && !!document.querySelector('.spool-form')`,
  )
  return isThere ? frame! : null
}

async function judgeFrame(
  page: Page,
  frame: Frame,
  comparer: Page,
  expected: string,
  mustFit: boolean,
): Promise<string | null> {
  const { found, width } = await frame.evaluate<{ found: Found[]; width: number }>(`(${findWords})()`)
  const other = compareLetters(found.map(({ word }) => word).join(''), expected)
  if (other !== null) return other
  if (width > 0 && mustFit) return `is ${width} pixels wider than its frame`
  const element = page.locator('.mail-frame iframe').last()
  await makeRoom(page, (await element.boundingBox())?.height ?? 0)
  const seen = (await element.screenshot()).toString('base64')
  await frame.evaluate(`CSS.highlights.set('judged', new Highlight(...judgedRanges))`)
  const bare = (await element.screenshot()).toString('base64')
  await frame.evaluate(`CSS.highlights.clear()`)
  const boxes = found.map((word) => word.boxes)
  const changed = await comparer.evaluate<boolean[]>(
    `comparePictures(${JSON.stringify({ one: seen, two: bare, boxes, indistinct })})`,
  )
  // Words beyond the frame's edge can be scrolled to, so they do not count.
  const right = (await element.boundingBox())?.width ?? 0
  const isBeyond = ({ boxes }: Found): boolean => boxes.some(([x, , w]) => x + w > right)
  const unseen = found.filter((each, at) => !changed[at] && !isBeyond(each)).map(({ word }) => word)
  return unseen.length === 0 ? null : `does not show ${unseen.slice(0, 10).join(' ')}`
}

/** A screenshot shows only what fits the window, so the window gets the mail's height instead of scrolling. */
async function makeRoom(page: Page, height: number): Promise<void> {
  const { width, height: room } = page.viewportSize()!
  if (height + 800 > room) await page.setViewportSize({ width, height: Math.ceil(height) + 1000 })
}

function compareLetters(shown: string, expected: string): string | null {
  if (shown === expected) return null
  return `shows "${apart(shown, expected)}" where the text has "${apart(expected, shown)}"`
}

function apart(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return one.slice(Math.max(0, at - 20), at + 30)
}
