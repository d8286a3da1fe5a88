/**
 * Uses Chromium to decide what is visible. A word is visible if making its letters transparent (with a highlight, so
 * that nothing moves) changes a pixel.
 */

import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright-core'
import { launchChromium } from './parts/chromium.ts'
import { skipWithout } from './parts/install.ts'

export const chromiumMissing = skipWithout('chromium')

const pageSource = readFileSync(new URL('./judge-page.js', import.meta.url), 'utf8')

/** Same limits as in `src`: smaller font sizes and fainter colours count as invisible. */
const unreadable = 2
const indistinct = 16

export interface JudgedWord {
  word: string
  seen: boolean
}

export interface Judge extends AsyncDisposable {
  /** One list of words for each document. */
  judge(documents: string[]): Promise<JudgedWord[][]>
}

export async function openJudge(): Promise<Judge> {
  const browser = await launchChromium()
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
  await context.route('**', (route) => route.abort())
  const page = await context.newPage()
  const pages: JudgePages = {
    page,
    comparer: await context.newPage(),
    camera: await context.newCDPSession(page),
  }
  await page.bringToFront()
  return {
    async judge(documents) {
      const verdicts: JudgedWord[][] = []
      for (let at = 0; at < documents.length; at += batch) {
        verdicts.push(...(await judgeBatch(pages, documents.slice(at, at + batch))))
      }
      return verdicts
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
    },
  }
}

/** Number of documents per screenshot, each in its own frame. */
const batch = 12

interface JudgePages {
  page: Page
  comparer: Page
  camera: CDPSession
}

interface Area {
  x: number
  y: number
  width: number
  height: number
}

async function takePicture({ camera }: JudgePages, area: Area): Promise<string> {
  const clip = { ...area, scale: 1 }
  const { data } = await camera.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    clip,
  })
  return data
}

interface Found {
  frame: number
  node: number
  word: string
  /** Set if no screenshot is needed to decide. */
  verdict: boolean | null
  boxes: [x: number, y: number, width: number, height: number][]
}

async function judgeBatch(pages: JudgePages, documents: string[]): Promise<JudgedWord[][]> {
  const { page } = pages
  await page.setViewportSize({ width: 800, height: 600 })
  await page.setContent(
    '<!doctype html><style>body{margin:0}iframe{display:block;border:0;width:800px;height:220px}</style>',
  )
  const { found, areas } = (await ask(page, 'findWords', { documents, unreadable })) as {
    found: Found[]
    areas: Area[]
  }
  const last = areas[areas.length - 1]
  const whole = { x: 0, y: 0, width: 800, height: last ? last.y + last.height : 600 }
  await page.setViewportSize({ width: 800, height: whole.height })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const base = await takePicture(pages, whole)
  await page.evaluate('highlight(() => true)')
  const bare = await takePicture(pages, whole)
  const seen = await compare(pages, base, bare, found, whole)
  // One ambiguous node per document at a time, all documents in one screenshot.
  for (const nodes of entangled(found, seen)) {
    await page.evaluate(`highlight((frame, node) => (${JSON.stringify(nodes)})[frame] === node)`)
    const words = found.filter((word) => nodes[word.frame] === word.node)
    const results = await compare(pages, base, await takePicture(pages, whole), words, whole)
    for (const [at, word] of words.entries()) seen[found.indexOf(word)] = results[at] ?? false
  }
  return documents.map((_, frame) =>
    found.flatMap((word, at) =>
      word.frame === frame ? [{ word: word.word, seen: word.verdict ?? seen[at] ?? false }] : [],
    ),
  )
}

/** Overlapping text nodes: a changed pixel does not tell which is visible. Each round maps documents to one node. */
function entangled(found: Found[], seen: boolean[]): Record<number, number>[] {
  const rounds: Record<number, number>[] = []
  const doubtful = new Set<string>()
  for (const [at, one] of found.entries()) {
    const key = `${one.frame}:${one.node}`
    if (one.verdict !== null || !seen[at] || doubtful.has(key)) continue
    if (!found.some((other) => overlaps(one, other))) continue
    doubtful.add(key)
    const round = rounds.find((nodes) => nodes[one.frame] === undefined)
    if (round) round[one.frame] = one.node
    else rounds.push({ [one.frame]: one.node })
  }
  return rounds
}

function overlaps(one: Found, other: Found): boolean {
  if (other.frame !== one.frame || other.node === one.node || other.verdict !== null) return false
  return one.boxes.some(([x, y, w, h]) =>
    other.boxes.some(
      ([u, v, k, l]) =>
        Math.min(x + w, u + k) - Math.max(x, u) > 3 && Math.min(y + h, v + l) - Math.max(y, v) > 6,
    ),
  )
}

async function compare(
  { comparer }: JudgePages,
  one: string,
  two: string,
  words: Found[],
  area: Area,
): Promise<boolean[]> {
  const boxes = words.map((word) =>
    word.boxes.map(([x, y, width, height]) => [x - area.x, y - area.y, width, height]),
  )
  return (await ask(comparer, 'comparePictures', { one, two, boxes, indistinct })) as boolean[]
}

/** Calls a function of `judge-page.js`. */
async function ask(page: Page, name: string, input: unknown): Promise<unknown> {
  return page.evaluate(`(async () => { ${pageSource}; return ${name}(${JSON.stringify(input)}) })()`)
}
