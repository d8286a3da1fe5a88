import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { eventTypes } from '../src/model/events.ts'
import { toolNames } from './support/mcp.ts'
import { launchChromium } from './support/parts/chromium.ts'
import { skipWithout } from './support/parts/install.ts'
import { startSpool, type TestSpool } from './support/spool.ts'

describe('the reference page, used', { skip: skipWithout('chromium') }, () => {
  let spool: TestSpool
  let browser: Browser
  let page: Page

  before(async () => {
    spool = await startSpool('sqlite')
    await spool.receive({ subject: 'Where is <b>my</b> order?' })
    browser = await launchChromium()
    page = await browser.newPage()
    await page.goto(`${spool.url}/docs`)
  })
  after(async () => {
    await browser.close()
    await spool[Symbol.asyncDispose]()
  })

  test('has the payload of every kind of event, and every tool of agents', async () => {
    const payloads = page.locator('#payloads')
    for (const type of eventTypes) {
      const example = payloads.locator(`#payload-${type.replace(/[._]/g, '-')} pre`)
      const payload = JSON.parse((await example.textContent())!) as { type: string; data: { seq: number } }
      assert.equal(payload.type, type)
      assert.ok(payload.data.seq > 0)
    }
    const agents = (await page.locator('#agents').textContent())!
    assert.ok(agents.includes(`${spool.url}/mcp`))
    for (const name of toolNames) assert.ok(agents.includes(name), name)
  })

  test('is searched from the keyboard', async () => {
    const contents = page.getByRole('navigation', { name: 'Contents' })
    await page.keyboard.press('/')
    await page.keyboard.type('historyCursor')
    await contents.getByText(/^\d+ found$/).waitFor()
    assert.ok(await contents.getByRole('link', { name: 'Get a thread', exact: true }).isVisible())
    assert.equal(await contents.getByRole('link', { name: 'Rate limit' }).isVisible(), false)
    await page.keyboard.press('Escape')
    assert.ok(await contents.getByRole('link', { name: 'Rate limit' }).isVisible())
    await page.keyboard.type('verify signature')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#webhooks$/)
    await page.keyboard.press('/')
    await page.keyboard.type('zebra')
    await contents.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
  })

  test('asks this Spool with a token that it forgets', async () => {
    const list = page.locator('#list-threads .trial')
    await list.locator('summary').click()
    await list.getByLabel('Token').fill(spool.token)
    await list.getByLabel('unread').fill('1')
    await list.getByRole('button', { name: 'Send the request' }).click()
    await list.getByText(/^200 .*application\/json/).waitFor()
    // The answer is shown once all of it has come.
    await list.locator('pre').waitFor()
    const { data } = JSON.parse((await list.locator('pre').textContent())!) as { data: { id: string }[] }
    assert.equal(data.length, 1)

    // The same token for another one; what others wrote is text and nothing else.
    const single = page.locator('#get-thread .trial')
    await single.locator('summary').click()
    assert.equal(await single.getByLabel('Token').inputValue(), spool.token)
    await single.getByLabel('id', { exact: true }).fill(data[0]!.id)
    await single.getByRole('button', { name: 'Send the request' }).click()
    await single.getByText(/^200 /).waitFor()
    await single.locator('pre').waitFor()
    assert.match((await single.locator('pre').textContent())!, /<b>my<\/b>/)
    assert.equal(await single.locator('pre b').count(), 0)
    await single.getByLabel('id', { exact: true }).fill('../me')
    await single.getByRole('button', { name: 'Send the request' }).click()
    await single.getByText(/^404 /).waitFor()

    const kept = await page.evaluate<string>(
      `(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state, await indexedDB.databases(), document.documentElement.outerHTML]))()`,
    )
    assert.ok(!kept.includes(spool.token), 'it is kept in memory only')
    await page.reload()
    assert.equal(await page.locator('#list-threads .trial .token').inputValue(), '')
    const asked = spool.log.filter((line) => line.includes('"route":"/api/v1/threads"'))
    assert.ok(asked.length > 0)
  })
})
