import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { endpointsOf, objectNames, type ApiDocument } from '../src/http/docs/document.ts'
import { document as described } from './support/openapi.ts'
import { launchChromium } from './support/parts/chromium.ts'
import { skipWithout } from './support/parts/install.ts'
import { startSpool, type TestSpool } from './support/spool.ts'

const document = described as unknown as ApiDocument
const endpoints = endpointsOf(document)
const phone = { width: 360, height: 740 }

test('the page and its files are cached by ETag', async () => {
  await using spool = await startSpool('sqlite')
  for (const path of ['/docs', '/docs.css', '/docs.js', '/openapi.json']) {
    const first = await spool.get(path, { token: null })
    assert.equal(first.status, 200, path)
    assert.equal(first.headers.get('x-content-type-options'), 'nosniff')
    const etag = first.headers.get('etag')
    assert.ok(etag, path)
    const again = await spool.get(path, { token: null, headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text], [304, ''], path)
    const head = await spool.get(path, { token: null, method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''], path)
  }
})

test('the page allows nothing inline and no other host', async () => {
  await using spool = await startSpool('sqlite')
  const { headers, text } = await spool.get('/docs', { token: null })
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self'; /)
  assert.match(policy, /connect-src 'self'; .*base-uri 'none'.*frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|\*|http/)
  assert.doesNotMatch(text, /<style| style=|<script(?! src="docs\.js")|\son[a-z]+=/i)
})

test('the examples name the public address, escaped like all else', async () => {
  await using spool = await startSpool('sqlite', { SPOOL_URL: 'https://spool.example/a&b<i>"' })
  const { text } = await spool.get('/docs', { token: null })
  assert.ok(text.includes('https://spool.example/a&amp;b%3Ci%3E%22'))
  assert.ok(!text.includes('<i>'))
})

describe('in a browser', { skip: skipWithout('chromium') }, () => {
  let spool: TestSpool
  let browser: Browser

  before(async () => {
    spool = await startSpool('sqlite')
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    await spool[Symbol.asyncDispose]()
  })

  /** A visit that can reach nothing but Spool, and what went wrong in it. */
  async function visit(
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
    hash = '',
  ): Promise<void> {
    const context = await browser.newContext(options)
    const complaints: string[] = []
    await context.route('**/*', (route) => {
      const { origin, href } = new URL(route.request().url())
      if (origin === spool.url) return route.continue()
      complaints.push(`asked for ${href}`)
      return route.abort()
    })
    const page = await context.newPage()
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${spool.url}/docs${hash}`)
    await look(page)
    assert.deepEqual(complaints, [])
    await context.close()
  }

  test('every endpoint, parameter, status and object of the document is on the page', () =>
    visit({}, async (page) => {
      for (const { anchor, path, parameters, responses } of endpoints) {
        const section = page.locator(`#${anchor}`)
        const text = (await section.textContent()) ?? ''
        assert.ok(text.includes(`/api/v1${path}`), path)
        for (const { name } of parameters)
          assert.equal(await section.locator(`#${anchor}-${name} .name`).textContent(), name)
        for (const status of Object.keys(responses)) assert.ok(text.includes(status), `${path} ${status}`)
        assert.equal(await page.locator(`nav a[href="#${anchor}"]`).count(), 1)
      }
      const errors = await page.locator('#errors').innerText()
      for (const { responses } of endpoints)
        for (const status of Object.keys(responses))
          if (Number(status) >= 400) assert.ok(errors.includes(status), status)
      for (const name of objectNames(document)) {
        const fields = Object.keys(document.components.schemas[name]!.properties ?? {})
        const heading = page.getByRole('heading', { name, exact: true })
        const section = page.locator('section', { has: heading })
        assert.deepEqual(
          await section.locator('.prose > .fields > li > .head > .name').allTextContents(),
          fields,
        )
      }
    }))

  test('every link on the page leads somewhere, and no id is given twice', () =>
    visit({}, async (page) => {
      const dead = await page.evaluate<string[]>(
        `[...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')).filter((href) => !document.querySelector(href))`,
      )
      assert.deepEqual(dead, [])
      const twice = await page.evaluate<string[]>(
        `[...document.querySelectorAll('[id]')].map(({ id }) => id).filter((id, index, all) => all.indexOf(id) !== index)`,
      )
      assert.deepEqual(twice, [])
    }))

  test('a deep link stands in view and is marked in the contents', () =>
    visit(
      {},
      async (page) => {
        const box = await page.locator('#list-notes').boundingBox()
        assert.ok(box && box.y > -1 && box.y < 100, `the section is at ${box?.y}`)
        await page.locator('nav a[href="#list-notes"][aria-current]').waitFor()
      },
      '#list-notes',
    ))

  test('headings make an outline without gaps', () =>
    visit({}, async (page) => {
      const levels = await page.evaluate<number[]>(
        `[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(({ tagName }) => Number(tagName[1]))`,
      )
      assert.equal(levels.filter((level) => level === 1).length, 1)
      levels.reduce((before, level) => {
        assert.ok(level <= before + 1, `h${level} after h${before}`)
        return level
      }, 0)
    }))

  test('the copy button copies what is shown', () =>
    visit({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      const code = page.locator('#list-threads .tabbed')
      for (const language of ['curl', 'Python']) {
        await code.locator('label', { hasText: language }).click()
        // It is said for a moment only.
        const said = code.getByRole('button', { name: 'Copied' }).waitFor()
        await Promise.all([said, code.getByRole('button', { name: 'Copy' }).click()])
        const copied = await page.evaluate<string>('navigator.clipboard.readText()')
        assert.equal(copied, await code.locator(`pre[data-language="${language}"]`).textContent())
        await code.getByRole('button', { name: 'Copy', exact: true }).waitFor()
      }
    }))

  test('the language is chosen by keyboard, for all examples, and remembered', () =>
    visit({}, async (page) => {
      const all = async (language: string): Promise<void> => {
        const shown = await page.evaluate<string[]>(
          `[...document.querySelectorAll('.tabbed pre')].filter((pre) => pre.offsetParent).map((pre) => pre.dataset.language)`,
        )
        assert.ok(shown.length > endpoints.length)
        assert.deepEqual([...new Set(shown)], [language])
      }
      await all('curl')
      await page.locator('#list-threads .tabs input').first().focus()
      await page.keyboard.press('ArrowRight')
      await all('JavaScript')
      await page.reload()
      await all('JavaScript')
    }))

  test('without JavaScript the tabs, the folds and the contents work', () =>
    visit({ javaScriptEnabled: false, viewport: phone }, async (page) => {
      const code = page.locator('#get-thread .tabbed')
      assert.equal(await code.getByRole('button', { name: 'Copy' }).count(), 0)
      await code.locator('label', { hasText: 'Python' }).click()
      assert.match(await code.innerText(), /urlopen/)
      const fold = page.locator('#get-thread details', { hasText: 'Kinds of HistoryEntry' }).first()
      await fold.locator('summary').first().click()
      await fold.locator('.kinds').first().waitFor({ state: 'visible' })
      const contents = page.getByRole('navigation', { name: 'Contents' })
      assert.equal(await contents.isVisible(), false)
      await page.getByRole('button', { name: 'Contents' }).click()
      await contents.getByRole('link', { name: 'List events' }).click()
      await page.waitForURL(/#list-events$/)
    }))

  test('on a phone nothing is wider than the screen, and the contents close behind a link', () =>
    visit({ viewport: phone, hasTouch: true, isMobile: true }, async (page) => {
      await page.evaluate(`for (const fold of document.querySelectorAll('details')) fold.open = true`)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.equal(width, phone.width)
      await page.getByRole('button', { name: 'Contents' }).click()
      const contents = page.getByRole('navigation', { name: 'Contents' })
      await contents.getByRole('link', { name: 'Rate limit' }).click()
      await contents.waitFor({ state: 'hidden' })
    }))

  for (const colorScheme of ['light', 'dark'] as const)
    test(`text stands out from its ground when it is ${colorScheme}`, () =>
      visit({ colorScheme }, async (page) => {
        const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
        assert.equal(ground, colorScheme === 'light' ? 'rgb(251, 250, 248)' : 'rgb(22, 21, 19)')
        const [weakest, text] = await page.evaluate<[number, string]>(weakestContrast)
        assert.ok(weakest >= 4.5, `contrast ${weakest.toFixed(2)} of ${text}`)
      }))
})

/** WCAG's measure, for every text that is shown against the nearest ground that is painted. */
const weakestContrast = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number)
  const light = (colour) => channels(colour).slice(0, 3).map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0)
  const ground = (element) => {
    const { backgroundColor } = getComputedStyle(element)
    return channels(backgroundColor)[3] === 0 ? ground(element.parentElement) : backgroundColor
  }
  let weakest = [21, '']
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue
    const [high, low] = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a)
    const contrast = (high + 0.05) / (low + 0.05)
    if (contrast < weakest[0]) weakest = [contrast, texts.currentNode.data.trim() + ' in ' + element.className]
  }
  return weakest
})()`
