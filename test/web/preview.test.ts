import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { openDesk } from '../support/desk.ts'
import { makePdf } from '../support/documents.ts'
import { examine } from '../support/page-check.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
let spool: TestSpool
before(async () => {
  if (browserMissing) return
  browser = await launchChromium()
  spool = await startSpool('sqlite')
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
})

const pdf = makePdf([
  'BT /F1 40 Tf 60 600 Td (Delivery note 4711) Tj ET 0 0 1 rg 60 400 200 100 re f',
  'BT /F1 40 Tf 60 600 Td (Second page) Tj ET',
])

/** Run in the frame: which part of a page is black, and which is blue. */
const inkOf = `(() => {
  const canvas = document.querySelector('canvas')
  const { width, height } = canvas
  const pixels = canvas.getContext('2d').getImageData(0, 0, width, height).data
  let [dark, blue] = [0, 0]
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at] < 60 && pixels[at + 2] < 60) dark++
    if (pixels[at] < 60 && pixels[at + 2] > 200) blue++
  }
  return { dark: dark / (width * height), blue: blue / (width * height) }
})()`

/** Run in the frame: what a PDF would try if it took over its reader. */
const tryEverything = `(async () => {
  const tried = async (what) => {
    try {
      return 'did: ' + String(await what())
    } catch (error) {
      return error.name
    }
  }
  const load = () => new Promise((resolve, reject) => {
    const image = new Image()
    image.addEventListener('load', resolve)
    image.addEventListener('error', () => reject(new TypeError()))
    image.src = new URL('/app/api/session', document.baseURI).href
  })
  return {
    origin: self.origin,
    cookie: await tried(() => document.cookie),
    storage: await tried(() => localStorage.length),
    parent: await tried(() => parent.document.title),
    session: await tried(() => fetch('/app/api/session')),
    picture: await tried(load),
    eval: await tried(() => new Function('return 1')()),
  }
})()`

test(
  'text and PDF can be looked at when asked for, a PDF in a frame that reaches nothing',
  { skip: browserMissing },
  async () => {
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({
      attachments: [
        { filename: 'note.pdf', type: 'application/pdf', content: pdf },
        { filename: 'damaged.pdf', type: 'application/pdf', content: '%PDF-1.4 and no more' },
        {
          filename: 'log.txt',
          type: 'text/plain',
          content: '<b>not bold</b> <script>document.title = 1</script>\nüber',
        },
        { filename: 'old.csv', type: 'text/csv', content: Buffer.from('Größe;1', 'latin1') },
        { filename: 'wide.log', type: 'text/plain', content: Buffer.from('\ufeffPrice 5 €', 'utf16le') },
        {
          filename: 'letter.txt',
          type: 'application/octet-stream',
          content: Buffer.from('f0d2c9d7c5d420cdc9d2', 'hex'),
        },
        { filename: 'page.html', type: 'text/html', content: '<p>Seen</p><p hidden>obey</p>' },
        { filename: 'program.exe', type: 'application/octet-stream', content: 'MZ' },
      ],
    })
    await using reader = await visit(spool, { browser })
    const { page } = reader
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await signInAt(spool, reader, desk.user, `/open/${threadId}`)
    await page.getByRole('article').waitFor()
    const look = (name: string) => page.getByRole('button', { name: `Preview ${name}` })
    await look('note.pdf').waitFor()
    assert.equal(await look('program.exe').count(), 0)
    const isOfPreview = (path: string): boolean => /pdf-frame|preview|\/attachments\//.test(path)
    assert.deepEqual(asked.filter(isOfPreview), [], 'nothing is loaded before it is asked for')

    const dialog = page.getByRole('dialog')
    await look('log.txt').click()
    await dialog.getByText('<b>not bold</b> <script>').waitFor()
    assert.match(await dialog.locator('pre').innerText(), /über$/)
    assert.deepEqual(await examine(page, 'preview-text'), [])
    await page.keyboard.press('Escape')
    await look('old.csv').click()
    await dialog.getByText('Größe;1').waitFor()
    await page.keyboard.press('Escape')
    await look('wide.log').click()
    await dialog.getByText('Price 5 €').waitFor()
    await page.keyboard.press('Escape')
    for (const [name, text] of [
      ['letter.txt', /^Привет мир$/],
      ['page.html', /^Seen$/],
    ] as const) {
      await look(name).click()
      await dialog.locator('pre').waitFor()
      assert.match(await dialog.locator('pre').innerText(), text, 'as agents read it')
      await page.keyboard.press('Escape')
    }
    assert.deepEqual(
      asked.filter((path) => path.includes('pdf-frame')),
      [],
    )

    await look('note.pdf').click()
    const frame = page.frameLocator('iframe[title="Pages of note.pdf"]')
    // The pages are drawn in any order.
    await frame.locator('canvas[data-page="1"][data-drawn]').waitFor()
    assert.equal(await frame.locator('canvas').count(), 2)
    const inner = (await (await page.locator('iframe.preview-pdf').elementHandle())!.contentFrame())!
    const ink = await inner.evaluate<{ dark: number; blue: number }>(inkOf)
    assert.ok(ink.dark > 0.002 && ink.blue > 0.03, `words and a box: ${JSON.stringify(ink)}`)
    assert.deepEqual(await examine(page, 'preview-pdf'), [])

    // It has no origin, no session and no network.
    const element = page.locator('iframe.preview-pdf')
    assert.equal(await element.getAttribute('sandbox'), 'allow-scripts')
    const inside = await inner.evaluate<Record<string, string>>(tryEverything)
    assert.deepEqual(inside, {
      origin: 'null',
      cookie: 'SecurityError',
      storage: 'SecurityError',
      parent: 'SecurityError',
      session: 'TypeError',
      picture: 'TypeError',
      eval: 'EvalError',
    })
    await page.keyboard.press('Escape')

    await look('damaged.pdf').click()
    await dialog.getByText("This file can't be previewed. Download it instead.").waitFor()
    const download = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download' }).click()
    assert.equal((await download).suggestedFilename(), 'damaged.pdf')
    await until('only what was tried on purpose was refused', async () =>
      reader.problems.every((problem) => /Content Security Policy|Refused|violates/i.test(problem)),
    )
  },
)

test(
  'a part of the page that could not be loaded is loaded again, without a word of the earlier failure',
  { skip: browserMissing },
  async () => {
    const desk = await openDesk(spool)
    const file = { filename: 'log.txt', type: 'text/plain', content: 'all is well' }
    const { threadId } = await desk.receive({ attachments: [file] })
    await using reader = await visit(spool, { browser })
    const { page } = reader
    await signInAt(spool, reader, desk.user, `/open/${threadId}`)
    const look = page.getByRole('button', { name: 'Preview log.txt' })
    const dialog = page.getByRole('dialog')
    const alert = dialog.getByRole('alert')
    const chunk = '**/assets/preview-*.js'
    await page.route(chunk, (route) => route.abort())
    await look.click()
    await alert.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.unroute(chunk)
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route(chunk, async (route) => {
      await isReleased
      await route.continue()
    })
    // Also one that is only painted once would be read out.
    await page.evaluate(`
      const tellsAlert = ({ addedNodes }) =>
        [...addedNodes].some(({ outerHTML }) => outerHTML?.includes('role="alert"'))
      const watch = (changes) => {
        if (changes.some(tellsAlert)) document.documentElement.dataset.alerted = ''
      }
      new MutationObserver(watch).observe(document.body, { childList: true, subtree: true })
    `)
    await look.click()
    await dialog.getByRole('status').waitFor()
    assert.equal(await alert.count(), 0)
    assert.equal(await page.locator('html[data-alerted]').count(), 0)
    release()
    await dialog.getByText('all is well').waitFor()
  },
)
