import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Frame, Page } from 'playwright-core'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { hiddenWays } from '../support/hidden-ways.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const { ways, visible } = await hiddenWays()
const skip = browserMissing || (Object.keys(ways).length === 0 ? 'SPOOL_CORPORA is not set' : false)

/** A tenth of each by default. */
const some = (mails: Record<string, string>, from: number) =>
  Object.entries(mails).filter((_, at) => long || at % 10 === from)

/** Pixels that must change when the letters do. */
const enough = 60
const indistinct = 16

const settings = [
  { width: 1280, dark: false },
  { width: 390, dark: true },
]

let browser: Browser
let spool: TestSpool
before(async () => {
  if (skip) return
  browser = await launchChromium()
  spool = await startSpool('sqlite')
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
})

/** Makes the words that begin with the mark transparent, or shows them again; whether there are any. */
const hide = `(mark, hidden) => {
  const range = document.createRange()
  const walker = document.createTreeWalker(document.body, 4)
  let found = null
  for (let node = walker.nextNode(); node && !found; node = walker.nextNode()) if (node.data.includes(mark)) found = node
  if (!found) return false
  range.selectNodeContents(found)
  CSS.highlights.set('judged', new Highlight(...(hidden ? [range] : [])))
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*{text-decoration-line:none!important}::highlight(judged){color:transparent!important}')
  document.adoptedStyleSheets = [sheet]
  return true
}`

const compare = `async ([one, two]) => {
  const load = async (data) => {
    const picture = new Image()
    picture.src = 'data:image/png;base64,' + data
    await picture.decode()
    const canvas = new OffscreenCanvas(picture.width, picture.height)
    const pen = canvas.getContext('2d')
    pen.drawImage(picture, 0, 0)
    return pen.getImageData(0, 0, picture.width, picture.height).data
  }
  const [a, b] = [await load(one), await load(two)]
  let count = 0
  for (let at = 0; at < a.length; at += 4)
    if ([0, 1, 2].some((channel) => Math.abs(a[at + channel] - b[at + channel]) > ${indistinct})) count += 1
  return count
}`

const frameOf = (page: Page): Frame | undefined => page.frames().find((frame) => frame !== page.mainFrame())

/** How many pixels of the frame the words change. */
async function pixelsOf(page: Page, comparer: Page, mark: string): Promise<number> {
  const element = page.locator('.mail-frame iframe')
  const run = async (hidden: boolean): Promise<boolean> =>
    (await frameOf(page)!.evaluate(`(${hide})(${JSON.stringify(mark)}, ${hidden})`)) as boolean
  if (!(await run(false))) return 0
  const seen = (await element.screenshot()).toString('base64')
  await run(true)
  const bare = (await element.screenshot()).toString('base64')
  return (await comparer.evaluate(`(${compare})(${JSON.stringify([seen, bare])})`)) as number
}

interface Told {
  text: boolean
  newText: boolean
  threadId: string
}

async function receive(name: string, html: string, mark: string): Promise<Told> {
  const { threadId } = await spool.receive({ subject: name, html, text: 'Words.' })
  const thread = await spool.thread(threadId)
  const message = thread.history.find((entry) => entry.type === 'message')!
  const first = [message.newText, thread.preview].some((text) => text.includes(mark))
  return { threadId, newText: first, text: message.text.includes(mark) }
}

async function judge(
  mails: [string, string][],
  mark: string,
): Promise<{ untrue: string[]; unread: string[] }> {
  const told = new Map<string, Told>()
  for (const [name, html] of mails) told.set(name, await receive(name, html, mark))
  const untrue: string[] = []
  for (const setting of settings) {
    await using ada = await visit(spool, { browser, height: 900, ...setting })
    await signInAt(spool, ada, spool.ada)
    const comparer = await ada.context.newPage()
    const { page } = ada
    for (const [name, { text, newText, threadId }] of told) {
      if (!text && !newText) continue
      await page.goto(`/open/${threadId}`)
      await page.locator('.mail-frame iframe').waitFor()
      await until('the mail is measured', async () => (await page.locator('iframe.measure').count()) === 0)
      await until('the mail is in its frame', async () =>
        frameOf(page)?.evaluate<boolean>(
          'document.readyState === "complete" && document.querySelector(".spool-form") !== null',
        ),
      )
      if (!newText) await page.locator('button.fold').click()
      // The frame is written anew once its height is known, so a second look may find more.
      await until('its words', async () => (await pixelsOf(page, comparer, mark)) >= enough, 4000).catch(() =>
        untrue.push(`${name} at ${setting.width}`),
      )
    }
    assert.deepEqual(ada.problems, [])
  }
  const unread = [...told].filter(([, { text, newText }]) => !text || !newText).map(([name]) => name)
  return { untrue, unread }
}

test('what an agent reads stands on the screen, whatever a mail does to hide it', { skip }, async () => {
  const { untrue } = await judge(some(ways, 3), 'INJECTMARK')
  assert.deepEqual(untrue, [])
})

test('what everybody sees is on the screen and in the text', { skip }, async () => {
  assert.deepEqual(await judge(some(visible, 4), 'SEENMARK'), { untrue: [], unread: [] })
})
