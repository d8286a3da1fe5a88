import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { readHtml } from '../../src/mail/normal-form.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { writeFrame } from '../../web/src/mail/frame-policy.ts'
import { chromiumMissing } from '../support/chromium-judge.ts'
import { isLongRun } from '../support/corpora.ts'
import { writeMail } from '../support/letter.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { blankWays } from './hidden/blank.ts'
import { secret } from './hidden/ways.ts'
import { ordinaryMail } from './ordinary-mail.ts'

const letters = secret.replaceAll(' ', '').length
const ways = blankWays(secret)
const parse = (text: string) => parseMail(Buffer.from(writeMail({ subject: 'Offer', text })))

/** These move the words and no space: the form has none of them. */
const undone = /^by (?:transform|position|letter|word|a grid|a gap|vertical)|captions|high cell/

describe('text below a long gap is counted', () => {
  for (const [name, html] of Object.entries(ways))
    test(name, () => {
      const { text, hiddenCharacters, unusualCharacters } = readHtml(html, () => '/picture')
      assert.ok(text.endsWith(secret), text)
      if (undone.test(name)) return
      assert.ok(hiddenCharacters >= letters, `only ${hiddenCharacters} counted`)
      assert.ok(unusualCharacters >= letters, `only ${unusualCharacters} unusual`)
    })

  test('ordinary mail has no such gap', () => {
    for (const [name, html] of Object.entries(ordinaryMail))
      assert.ok(readHtml(html).unusualCharacters < 100, name)
  })
})

/** The highest area without words or pictures between the first word and the last, in pixels. */
const measure = `(() => {
  const areas = []
  const walker = document.createTreeWalker(document.body, 4)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.tagName === 'STYLE' || !/[^\\s\\u2800]/.test(node.data)) continue
    for (const match of node.data.matchAll(/[^\\s\\u2800]+/g)) {
      const range = document.createRange()
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      for (const { top, bottom } of range.getClientRects()) areas.push([top, bottom])
    }
  }
  areas.sort((one, other) => one[0] - other[0])
  let [highest, end] = [0, areas[0][1]]
  for (const [top, bottom] of areas) {
    highest = Math.max(highest, top - end)
    end = Math.max(end, bottom)
  }
  return highest
})()`

describe('Chromium shows no gap of more than 600 pixels', { skip: chromiumMissing }, () => {
  let browser: Browser
  let page: Page
  before(async () => {
    browser = await launchChromium()
    page = await browser.newPage()
    await page.route('**', (route) => route.abort())
  })
  after(async () => {
    await browser.close()
  })
  const some = Object.entries(ways).filter((_, at) => isLongRun || at % 10 === 0)
  for (const [name, html] of some)
    test(name, async () => {
      const form = readHtml(html, () => '/picture')
      for (const width of [1000, 360]) {
        await page.setViewportSize({ width, height: 700 })
        await page.setContent(
          writeFrame(
            '',
            form.writeHtml(() => true),
          ),
        )
        const gap = (await page.evaluate(measure)) as number
        assert.ok(gap <= 600, `${gap} pixels in a window of ${width}`)
      }
    })
})

describe('plain text', () => {
  const gapOf = (text: string) =>
    Math.max(...text.split(/[^\s\u2800]+/).map((space) => space.split('\n').length - 2))
  const spaces = {
    'empty lines': '\n'.repeat(5001),
    'lines of spaces': '   \n'.repeat(5001),
    'lines of blanks': '\u00A0\n\u3000\n\u2800\n'.repeat(2000),
    'lines of what nobody sees': '\u200B\n\u3164\n'.repeat(2000),
    'form feeds': '\f'.repeat(5001),
    'line separators': '\u2028'.repeat(5001),
  }
  for (const [name, space] of Object.entries(spaces))
    test(name, () => {
      const mail = parse(`Dear team${space}${secret}`)
      assert.equal(gapOf(mail.text), 40)
      assert.ok(mail.text.endsWith(secret))
      assert.ok(mail.hiddenTextRemoved >= letters)
      assert.deepEqual(mail.warnings, ['hidden_text'])
    })
  test('one line of wide spaces', () => {
    const mail = parse(`Dear team${'\u3000'.repeat(20_000)}${secret}`)
    assert.equal(mail.text, `Dear team ${secret}`)
    assert.deepEqual(mail.warnings, ['hidden_text'])
  })
  test('forty empty lines are no hidden text', () => {
    const mail = parse(`Dear team${'\n'.repeat(41)}${secret}`)
    assert.equal(gapOf(mail.text), 40)
    assert.deepEqual([mail.hiddenTextRemoved, mail.warnings], [0, []])
  })
})
