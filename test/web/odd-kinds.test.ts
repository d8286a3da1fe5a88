import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { importMail } from '../../src/cli/import-mail.ts'
import { defaultLimits } from '../../src/mail/limits.ts'
import { openMailbox } from '../../src/mail/mailbox.ts'
import { openParsePool } from '../../src/mail/parse-pool.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { callTool } from '../support/mcp.ts'
import { oddMail, type OddMail } from '../support/odd-mail.ts'
import { walkTo } from '../support/page-check.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import type { TestSpool } from '../support/spool.ts'

const pool = openParsePool()
after(() => pool[Symbol.asyncDispose]())

/** As files in a folder, by the way of `spool import`. Returns the threads by their subjects. */
async function importOdd({ spool }: TestSpool, desk: Desk): Promise<Map<string, string>> {
  const folder = join(scratchFolder('odd-kinds'), 'mail')
  mkdirSync(folder)
  for (const [at, { raw }] of oddMail.entries()) writeFileSync(join(folder, `${at}.eml`), raw)
  const options = { asRead: false, limits: defaultLimits, pool }
  const result = await importMail(spool, desk.inbox, await openMailbox(folder), options)
  assert.deepEqual([result.messages, result.failed, result.damaged], [oddMail.length, 0, 0])
  return new Map((await desk.threads('?limit=100')).map(({ subject, id }) => [subject, id]))
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: odd kinds of mail come by import and are told by REST and MCP`, async (t) => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const threads = await importOdd(spool, desk)
    for (const odd of oddMail)
      await t.test(odd.name, async () => {
        const id = threads.get(odd.name)!
        await assertByRest(desk, id, odd)
        const { text } = await callTool(spool.url, desk.token, 'get_thread', { threadId: id })
        assert.ok(onOneLine(text).includes(onOneLine(odd.text)), text)
        for (const name of odd.files ?? []) assert.ok(text.includes(name), text)
      })
    if (browserMissing || database !== 'sqlite') return
    await using reader = await visit(spool)
    await signInAt(spool, reader, desk.user)
    for (const odd of oddMail)
      await t.test(`${odd.name}, in the page`, () => assertInPage(reader.page, threads.get(odd.name)!, odd))
    await t.test('beside it, subjects of any length leave room for their times', () =>
      assertTimes(reader.page),
    )
    assert.deepEqual(reader.problems, [])
  })
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

async function assertByRest(
  desk: Desk,
  id: string,
  { text, warnings, files, timestamp }: OddMail,
): Promise<void> {
  const { history } = await desk.thread(id)
  const message = history.find((entry): entry is MessageEntry => entry.type === 'message')
  assert.equal(message!.text.trim(), text)
  assert.equal(message!.newText.trim(), text)
  assert.deepEqual(message!.warnings, warnings ?? [])
  assert.deepEqual(
    message!.attachments.map(({ filename }) => filename),
    files ?? [],
  )
  assert.equal(message!.timestamp, timestamp)
  assert.equal(message!.from.address, 'carla@brandt.example')
}

async function assertInPage(page: Page, id: string, { name, text, files = [] }: OddMail): Promise<void> {
  await walkTo(page, `/open/${id}`)
  await page.getByRole('heading', { name }).waitFor()
  const article = page.locator('article')
  assert.equal(onOneLine(await article.locator('.mail-text').innerText()), onOneLine(text))
  const said = await article.innerText()
  for (const file of files) assert.ok(said.includes(file), said)
  if (name === 'An invitation')
    await page.getByRole('region', { name: 'Invitation' }).getByText('Harbour Street 7').waitFor()
  // Nothing of it makes the message taller than the window.
  const { height } = (await article.boundingBox())!
  assert.ok(height < 800, `${height} pixels`)
  await takePicture(page, `odd-${name.replaceAll(' ', '-')}`)
}

async function assertTimes(page: Page): Promise<void> {
  const { x, width } = (await page.locator('.person').boundingBox())!
  // Who else wrote is asked for a moment later.
  await page.locator('.person li small').nth(3).waitFor()
  const times = await page.locator('.person li small').all()
  for (const time of times) {
    const box = (await time.boundingBox())!
    assert.ok(box.x + box.width <= x + width, await time.innerText())
  }
}
