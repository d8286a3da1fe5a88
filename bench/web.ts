/**
 * `npm run bench:web -- [--threads N]`: the page in a real browser on a real server with a large inbox; best of three.
 * How much is loaded and when it is usable, how long a thread takes to show its text, how smooth scrolling is.
 */
import { gzipSync } from 'node:zlib'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { preparePage } from '../src/cli/page.ts'
import { receiveMail } from '../src/core/receiving/receive.ts'
import { parseMail } from '../src/mail/parse.ts'
import { signInAt, visit } from '../test/support/browser.ts'
import { writeMail } from '../test/support/letter.ts'
import { startSpool, type TestSpool } from '../test/support/spool.ts'

const { values: options } = parseArgs({ options: { threads: { type: 'string', default: '100000' } } })
const rounds = 3

await preparePage()
await using spool = await startSpool('sqlite')
console.log(`${options.threads} threads`)
await fillInbox(spool, Number(options.threads))
await using ada = await visit(spool)
const { page } = ada
await signInAt(spool, ada, spool.ada)
await page.locator('.row-link').first().waitFor()

tell('first load under 60 kB of script (gzip)', (await scriptBytes(page)) / 1000, 'kB', (size) => size <= 60)
tell('usable in under 1 s', await best(() => timeToUse(page)), 'ms', (time) => time < 1000)
const opening = await best(() => timeToOpen(page))
tell('opening a thread shows its words in under 100 ms', opening, 'ms', (time) => time < 100)
const bare = await best(() => timeToShow(page))
console.log(
  `         ${(opening / bare).toFixed(1)} times what the browser needs for the words alone (${bare.toFixed(1)} ms)`,
)
const [short, long] = [await fillThread(spool, 20), await fillThread(spool, 400)]
const few = await best(() => timeToLoad(page, short))
const many = await best(() => timeToLoad(page, long))
tell('a thread of 400 messages opens like one of 20', many / few, 'times as long', (ratio) => ratio < 1.3)
tell(
  'keyboard move to the next thread under 50 ms',
  await best(() => timeToMove(page)),
  'ms',
  (time) => time < 50,
)
const scrolls: Scrolled[] = []
for (let round = 0; round < rounds; round++) scrolls.push(await scroll(page))
const scrolled = scrolls.toSorted((one, other) => one.longestTask - other.longestTask)[0]!
console.log(`scrolled past ${scrolled.rows} threads in ${scrolled.frames} frames`)
tell('no frame over 50 ms of work', scrolled.longestTask, 'ms', (time) => time <= 50)
tell('memory grows by less than 30 MB', scrolled.grown, 'MB', (megabytes) => megabytes < 30)
tell('rows in the page stay under 60', scrolled.elements, 'rows', (count) => count < 60)

function tell(target: string, value: number, unit: string, reached: (value: number) => boolean): void {
  console.log(`${reached(value) ? 'reached' : 'MISSED '}  ${target}: ${value.toFixed(1)} ${unit}`)
}

async function best(measure: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await measure())
  return Math.min(...times)
}

async function fillInbox(to: TestSpool, count: number): Promise<void> {
  const start = Date.now() - count * 60_000
  for (let at = 0; at < count; at += 1000) {
    const mails = await Promise.all(
      Array.from({ length: Math.min(1000, count - at) }, (_, index) => {
        const number = at + index
        const letter = {
          from: `Person ${number % 997} <p${number % 997}@customer.example>`,
          subject: `Order ${number} has not arrived`,
          date: start + number * 60_000,
          text: `Where is my order ${number}? It was due last week and nobody has told me anything.`,
        }
        return parseMail(Buffer.from(writeMail(letter)))
      }),
    )
    const usual = { direction: 'inbound', envelopeDate: null, seen: true, quiet: true } as const
    await receiveMail(
      to.spool,
      to.inbox,
      mails.map((mail) => ({ mail, ...usual })),
    )
  }
}

async function scriptBytes(page: Page): Promise<number> {
  const names = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
  )
  const files = await Promise.all(
    names.map(async (name) => Buffer.from(await (await fetch(name)).arrayBuffer())),
  )
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0)
}

/** From the start of the navigation to the first row that can be clicked. */
async function timeToUse(page: Page): Promise<number> {
  await page.goto('/open', { waitUntil: 'commit' })
  await page.locator('.row-link').first().waitFor()
  return page.evaluate<number>('performance.now()')
}

/** From the click to the frame that shows the text. */
async function timeToOpen(page: Page): Promise<number> {
  await page.goto('/open')
  await page.locator('.row-link').nth(4).waitFor()
  await page.locator('.row-link').nth(4).hover()
  await page.waitForTimeout(300)
  return page.evaluate<number>(
    inPage(`
    const link = document.querySelectorAll('.row-link')[4]
    const start = performance.now()
    link.click()
    await until(() => document.querySelector('.thread .mail-text'))
    return performance.now() - start`),
  )
}

/** Lower bound: the time the browser needs to show a few words added to the page. */
async function timeToShow(page: Page): Promise<number> {
  return page.evaluate<number>(
    inPage(`
    const start = performance.now()
    const words = document.createElement('p')
    words.textContent = 'Where is my order?'
    document.body.append(words)
    await frame()
    await frame()
    const time = performance.now() - start
    words.remove()
    return time`),
  )
}

async function fillThread(to: TestSpool, count: number): Promise<string> {
  const root = `<${count}@customer.example>`
  let threadId = ''
  for (let number = 0; number < count; number++)
    ({ threadId } = await to.receive(
      {
        subject: `${count} messages`,
        date: Date.now() - (count - number) * 60_000,
        text: `This is number ${number}. ${'It says more than that. '.repeat(40)}`,
        ...(number === 0 ? { messageId: root } : { inReplyTo: root }),
      },
      { seen: true, quiet: true },
    ))
  return threadId
}

/** For a thread that was not preloaded: from the navigation to the frame that shows its newest text. */
async function timeToLoad(page: Page, threadId: string): Promise<number> {
  await page.goto('/closed')
  await page.locator('.rail').waitFor()
  return page.evaluate<number>(
    inPage(`
    const start = performance.now()
    history.pushState(null, '', '/open/${threadId}')
    dispatchEvent(new PopStateEvent('popstate'))
    await until(() => document.querySelector('.thread .mail-text'))
    return performance.now() - start`),
  )
}

async function timeToMove(page: Page): Promise<number> {
  await page.waitForTimeout(500)
  return page.evaluate<number>(
    inPage(`
    const before = location.pathname
    const words = document.querySelector('.thread .mail-text').textContent
    const start = performance.now()
    dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))
    await until(() => location.pathname !== before && document.querySelector('.thread .mail-text')?.textContent !== words)
    return performance.now() - start`),
  )
}

interface Scrolled {
  rows: number
  frames: number
  longestTask: number
  grown: number
  elements: number
}

/** Scrolls some rows per frame, as far as the list goes within the time. */
async function scroll(page: Page): Promise<Scrolled> {
  await page.goto('/open')
  await page.locator('.row-link').first().waitFor()
  const session = await page.context().newCDPSession(page)
  const memory = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
  }
  const before = await memory()
  const browser = page.context().browser()!
  await browser.startTracing(page, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'],
  })
  const { elements, rows, frames } = await page.evaluate<Pick<Scrolled, 'elements' | 'rows' | 'frames'>>(
    inPage(`
    const box = document.querySelector('.rows')
    let elements = 0, still = 0, frames = 0
    for (const end = performance.now() + 20_000; performance.now() < end && still < 120; frames++) {
      const top = box.scrollTop
      box.scrollTop += 2500
      await frame()
      elements = Math.max(elements, document.querySelectorAll('.row').length)
      still = box.scrollTop === top ? still + 1 : 0
    }
    return { elements, frames, rows: Math.round(box.scrollTop / document.querySelector('.row').offsetHeight) }`),
  )
  const longestTask = findLongestTask(await browser.stopTracing())
  return { rows, frames, longestTask, elements, grown: (await memory()) - before }
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  ph: string
  tdur?: number
  args?: { name?: string }
}

/** CPU time of the longest task on the page's main thread, so that other programs do not count. */
function findLongestTask(trace: Buffer): number {
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`),
  )
  if (tasks.length === 0) throw new Error('The trace holds no task.')
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0)
}

function inPage(body: string): string {
  return `(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()))
    const until = async (there) => { while (!there()) await frame() }
    ${body}
  })()`
}
