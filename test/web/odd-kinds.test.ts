import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { importMail } from '../../src/cli/import-mail.ts'
import { defaultLimits } from '../../src/mail/limits.ts'
import { openMailbox } from '../../src/mail/mailbox.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { callTool } from '../support/mcp.ts'
import { oddMail, type OddMail } from '../support/odd-mail.ts'
import { walkTo } from '../support/page-check.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import type { TestSpool } from '../support/spool.ts'

/** As files in a folder, by the way of `spool import`. Returns the threads by their subjects. */
async function importOdd(spool: TestSpool, desk: Desk): Promise<Map<string, string>> {
  const folder = join(scratchFolder('odd-kinds'), 'mail')
  mkdirSync(folder)
  for (const [at, { raw }] of oddMail.entries()) writeFileSync(join(folder, `${at}.eml`), raw)
  const options = { asRead: false, limits: defaultLimits }
  const result = await importMail(spool.spool, desk.inbox, await openMailbox(folder), options)
  assert.deepEqual([result.messages, result.failed, result.damaged], [oddMail.length, 0, 0])
  return new Map((await desk.threads('?limit=100')).map(({ subject, id }) => [subject, id]))
}

const withoutBreaks = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

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
        assert.ok(withoutBreaks(text).includes(withoutBreaks(odd.text)), text)
        for (const name of odd.files ?? []) assert.ok(text.includes(name), text)
      })
  })
}

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

test('odd kinds of mail are told by the page', { skip: browserMissing }, async (t) => {
  const spool = await shareSpool('sqlite')()
  const desk = await openDesk(spool)
  const threads = await importOdd(spool, desk)
  await using reader = await visit(spool)
  const { page } = reader
  await signInAt(spool, reader, desk.user)
  for (const { name, text, files = [] } of oddMail)
    await t.test(name, async () => {
      await walkTo(page, `/open/${threads.get(name)!}`)
      await page.getByRole('heading', { name }).waitFor()
      const article = page.getByRole('article')
      await article.locator('.mail-text').waitFor()
      assert.equal(withoutBreaks(await article.locator('.mail-text').innerText()), withoutBreaks(text))
      const said = await article.innerText()
      for (const file of files) assert.ok(said.includes(file), said)
      if (name === 'An invitation')
        await page.getByRole('region', { name: 'Invitation' }).getByText('Harbour Street 7').waitFor()
      // Nothing of it makes the message taller than the window.
      const { height } = (await article.boundingBox())!
      assert.ok(height < 800, `${height} pixels`)
      if (process.env['SPOOL_TEST_PICTURES']) await takePicture(page, `odd-${name.replaceAll(' ', '-')}`)
    })
  // Subjects of any length leave room for the times beside them.
  const [panel, times] = [page.locator('.person'), page.locator('.person li small')]
  const { x, width } = (await panel.boundingBox())!
  assert.ok((await times.count()) > 3)
  for (const time of await times.all()) {
    const box = (await time.boundingBox())!
    assert.ok(box.x + box.width <= x + width, await time.innerText())
  }
  assert.deepEqual(reader.problems, [])
})
