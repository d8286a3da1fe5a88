import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

test(
  'mail that arrives while somebody writes does not move the field out of sight',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const { threadId } = await spool.receive({ messageId: '<4711@brandt.example>' })
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
    await page.getByRole('article').waitFor()
    await page.keyboard.press('r')
    await page.keyboard.type('Hello')
    await page.getByText('Saved', { exact: true }).waitFor()
    const field = page.getByLabel('Text of the mail')
    for (const [at, words] of ['First', 'Second'].entries()) {
      const lines = Array.from({ length: 40 }, (_, line) => `<p>${words} line ${line}.</p>`)
      await spool.receive({
        inReplyTo: '<4711@brandt.example>',
        html: `<h1>${words}</h1>${lines.join('')}`,
      })
      const frame = page.locator('.mail-frame iframe').nth(at)
      await until('the mail has its height', async () => ((await frame.boundingBox())?.height ?? 0) > 800)
      await until('the field is in sight', async () => {
        const { y, height } = (await field.boundingBox())!
        return y >= 0 && y + height <= 900
      })
      assert.ok(await field.evaluate((node) => node.matches(':focus')))
    }
    assert.deepEqual(ada.problems, [])
  },
)

test(
  'mail that arrives below what somebody reads above their draft does not move it',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const lines = (words: string) => Array.from({ length: 60 }, (_, line) => `${words} line ${line}.`)
    const first = { messageId: '<4711@brandt.example>', text: lines('First').join('\n') }
    const { threadId } = await spool.receive(first)
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
    await page.getByRole('article').waitFor()
    await page.keyboard.press('r')
    await page.keyboard.type('Hello')
    await page.getByText('Saved', { exact: true }).waitFor()
    const field = page.getByLabel('Text of the mail')
    const body = page.locator('.thread .body')
    await body.evaluate((box) => (box.scrollTop = 0))
    await until('the field is out of sight', async () => (await field.boundingBox())!.y > 900)
    await spool.receive({ inReplyTo: '<4711@brandt.example>', text: lines('Second').join('\n') })
    await page.getByText('Second line 59.').waitFor()
    assert.equal(await body.evaluate((box) => box.scrollTop), 0)
    assert.ok(await field.evaluate((node) => node.matches(':focus')))
    assert.deepEqual(ada.problems, [])
  },
)
