import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { readHtml } from '../../src/mail/normal-form.ts'
import { writeFrame } from '../../web/src/mail/frame-policy.ts'
import { chromiumMissing } from '../support/chromium-judge.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { ordinaryMail } from './ordinary-mail.ts'

/** What the page leaves to the frame on a phone 360 pixels wide. */
const phone = 306
const smallPrint = 12
const pageSource = readFileSync(new URL('../support/boxes-page.js', import.meta.url), 'utf8')

interface Measured {
  /** What reaches over the left or the right edge. */
  wide: string[]
  /** How large the letters of each word are; the smallest where it stands in several sizes. */
  sizes: Record<string, number>
}

async function measure(page: Page, documents: string[], width: number): Promise<Measured[]> {
  const input = JSON.stringify({ documents, width })
  return page.evaluate(`(async () => { ${pageSource}; return measureFrames(${input}) })()`)
}

describe('ordinary mail on a phone', { skip: chromiumMissing }, () => {
  const mails = Object.entries(ordinaryMail)
  let browser: Browser
  let forms: Measured[]
  let originals: Measured[]
  before(async () => {
    browser = await launchChromium()
    const context = await browser.newContext()
    await context.route('**', (route) => route.abort())
    const page = await context.newPage()
    const written = mails.map(([, html]) => readHtml(html).writeHtml(() => true))
    const head = '<style>body{margin:0;padding:2px}</style>'
    forms = await measure(
      page,
      written.map((html) => writeFrame(head, html)),
      phone,
    )
    originals = await measure(
      page,
      mails.map(([, html]) => html),
      1400,
    )
  })
  after(() => browser.close())

  test('nothing is wider than the frame', () => {
    const wide = mails.flatMap(([name], at) => forms[at]!.wide.map((what) => `${name}: ${what}`))
    assert.deepEqual(wide, [])
  })

  test('what was sent at 12 pixels or more stands at 12 or more', () => {
    const small = mails.flatMap(([name], at) =>
      Object.entries(forms[at]!.sizes)
        .filter(([word, size]) => size < smallPrint && (originals[at]!.sizes[word] ?? 0) >= smallPrint)
        .map(([word, size]) => `${name}: "${word}" at ${size}`),
    )
    assert.deepEqual(small, [])
  })
})
