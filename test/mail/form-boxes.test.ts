import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readHtml } from '../../src/mail/normal-form.ts'
import { writeFrame } from '../../web/src/mail/frame-policy.ts'
import { anyHtml } from '../support/any-form.ts'
import { chromiumMissing } from '../support/chromium-judge.ts'
import { isLongRun } from '../support/corpora.ts'
import { launchChromium } from '../support/parts/chromium.ts'

const widths = [330, 570, 860, 1360]
/** Forms that stand on one page. */
const batch = 25

/** Of each form on the page: its words, and those that have no box, lie outside of the page, or under something else. */
const findCovered = `[...document.querySelectorAll('.spool-form')].map((form) => {
  const words = []
  const covered = []
  const walker = document.createTreeWalker(form, 4)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.tagName === 'STYLE') continue
    for (const match of node.data.matchAll(/[\\p{L}\\p{M}]+/gu)) {
      words.push(match[0])
      const range = document.createRange()
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      const boxes = [...range.getClientRects()]
      const hit = (box) => {
        const x = box.left + box.width / 2
        // A very large word in a narrow column may reach beyond the page, which then scrolls.
        if (x > innerWidth) return box.width > 0 && box.right <= document.documentElement.scrollWidth + 1
        const top = document.elementFromPoint(x, box.top + box.height / 2)
        return box.width > 0 && box.left >= 0 && top === node.parentElement
      }
      if (boxes.length === 0 || !boxes.every(hit)) covered.push(match[0])
    }
  }
  return { words: words.join(''), covered }
})`

const lettersOf = (text: string): string => (text.match(/[\p{L}\p{M}]+/gu) ?? []).join('')

test('every word of a form has a place of its own', { skip: chromiumMissing }, async () => {
  const browser = await launchChromium()
  const page = await browser.newPage()
  const untrue: string[] = []
  const all = fc.sample(anyHtml, { numRuns: isLongRun ? 10_000 : 500 })
  for (let from = 0; from < all.length; from += batch) {
    const sources = all.slice(from, from + batch)
    const forms = sources.map((html) => readHtml(html))
    const written = forms.map(({ writeHtml }) => writeHtml(() => true))
    const width = widths[(from / batch) % widths.length]!
    await page.setViewportSize({ width, height: 900 })
    await page.setContent(writeFrame('', written.join('<hr>')))
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    await page.setViewportSize({ width, height })
    const found = await page.evaluate<{ words: string; covered: string[] }[]>(findCovered)
    assert.equal(found.length, forms.length)
    for (const [at, { words, covered }] of found.entries()) {
      if (words !== lettersOf(forms[at]!.text)) untrue.push(`other words at ${width}:\n${sources[at]}`)
      if (covered.length > 0) untrue.push(`${covered.join(' ')} at ${width}:\n${sources[at]}`)
    }
  }
  await browser.close()
  assert.deepEqual(untrue, [])
})
