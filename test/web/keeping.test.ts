import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { changeUser } from '../../src/core/people/people.ts'
import type { Draft } from '../../src/model/draft.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { listDrafts } from '../../src/core/drafts/drafts.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

async function draftsOf(spool: TestSpool, threadId: string): Promise<Draft[]> {
  return (await listDrafts(spool.spool, spool.actor, { threadId, statuses: null })).data
}

for (const database of oneDatabase(1))
  test(
    `${database}: what was typed in one tab stays when another tab has saved the draft`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { threadId } = await spool.receive({})
      await using ada = await visit(spool, { browser })
      const { page, context } = ada
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('Dear Carla,')
      await page.getByText('Saved', { exact: true }).waitFor()
      const other = await context.newPage()
      await other.goto(`/open/${threadId}`)
      const fields = [page, other].map((tab) => tab.getByLabel('Text of the mail'))
      await until('both have it', async () => (await fields[1]!.inputValue()) === 'Dear Carla,')
      // The first tab is saving while the other one types.
      const gate = Promise.withResolvers<void>()
      await page.route('**/app/api/drafts/**', (route) => gate.promise.then(() => route.continue()))
      const asked = page.waitForRequest('**/app/api/drafts/**')
      await fields[0]!.fill('Dear Carla, one.')
      await asked
      await other.route('**/app/api/drafts/**', (route) => route.abort())
      await fields[1]!.fill('Dear Carla, two.')
      gate.resolve()
      await page.getByText('Saved', { exact: true }).waitFor()
      await until('one is saved', async () => (await draftsOf(spool, threadId))[0]!.text.endsWith('one.'))
      await other.unroute('**/app/api/drafts/**')
      await other.reload()
      await until('it is there', async () => (await fields[1]!.inputValue()) === 'Dear Carla, two.')
      await other.getByText('Nothing was overwritten.').waitFor()
    },
  )

test(
  'a reply that is being typed in one tab does not become a second one in another',
  {
    skip: browserMissing,
  },
  async () => {
    await using spool = await startSpool('sqlite')
    const { threadId } = await spool.receive({ messageId: '<4711@brandt.example>' })
    await using ada = await visit(spool, { browser })
    const { page, context } = ada
    await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
    await page.getByRole('article').waitFor()
    const other = await context.newPage()
    await other.goto(`/open/${threadId}`)
    await other.getByRole('article').waitFor()
    // Not yet saved when the other tab loads the thread again.
    await page.route('**/app/api/drafts', (route) => route.abort())
    await page.bringToFront()
    await page.keyboard.press('r')
    await page.keyboard.type('Dear Carla,')
    const field = other.getByLabel('Text of the mail')
    for (const mail of [1, 2]) {
      await spool.receive({ inReplyTo: '<4711@brandt.example>', text: 'One more question.' })
      await other.getByRole('article').nth(mail).waitFor()
    }
    assert.equal(await field.count(), 0)
    await page.unroute('**/app/api/drafts')
    await until('the other tab has it', async () => (await field.count()) > 0)
    await until('it is saved', async () => (await draftsOf(spool, threadId)).length > 0)
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await draftsOf(spool, threadId)).length, 1)
    assert.equal(await field.count(), 1)
  },
)

for (const database of oneDatabase(0))
  test(
    `${database}: text typed offline survives a reload and is saved once online`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { threadId } = await spool.receive({})
      await using ada = await visit(spool, { browser })
      const { page, context } = ada
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      await context.setOffline(true)
      await page.keyboard.press('r')
      await page.locator('.draft textarea:focus').waitFor()
      await page.keyboard.type('Typed in a tunnel.')
      await page.getByText('Offline, saved on this device').waitFor()
      assert.equal((await draftsOf(spool, threadId)).length, 0)
      await context.setOffline(false)
      await page.getByText('Saved', { exact: true }).waitFor()
      assert.equal((await draftsOf(spool, threadId))[0]!.text, 'Typed in a tunnel.')

      // The page crashes with unsaved text.
      await context.setOffline(true)
      await page.getByLabel('Text of the mail').fill('Typed in a tunnel. And then the battery was empty.')
      await context.setOffline(false)
      await context.route('**/app/api/drafts/**', (route) => route.abort())
      await page.goto('about:blank')
      await context.unroute('**/app/api/drafts/**')
      await page.goto(`/open/${threadId}`)
      const words = 'Typed in a tunnel. And then the battery was empty.'
      const field = page.getByLabel('Text of the mail')
      await until('it is there', async () => (await field.inputValue()) === words)
      await until('the server has it', async () =>
        (await draftsOf(spool, threadId))[0]!.text.endsWith('empty.'),
      )
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(1))
  test(
    `${database}: a save whose answer is lost makes no second draft and no conflict`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { threadId } = await spool.receive({})
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      const text = page.getByLabel('Text of the mail')
      const saved = page.getByText('Saved', { exact: true })
      const offline = page.getByText('Offline, saved on this device')
      const isSaved = async (wanted: string) => {
        const drafts = await draftsOf(spool, threadId)
        assert.equal(drafts.length, 1)
        return drafts[0]!.text === wanted
      }
      const loseOne = (path: string) =>
        page.route(
          path,
          async (route) => {
            await route.fetch()
            await route.abort()
          },
          { times: 1 },
        )
      await loseOne('**/app/api/drafts')
      await page.keyboard.press('r')
      await page.keyboard.type('First words.')
      await offline.waitFor()
      await text.pressSequentially(' More of them.')
      await until(
        'all is saved',
        async () => (await saved.count()) === 1 && (await isSaved('First words. More of them.')),
      )
      await loseOne('**/app/api/drafts/*')
      await text.pressSequentially(' And these.')
      await offline.waitFor()
      await text.pressSequentially(' The end.')
      await until(
        'all is saved',
        async () =>
          (await saved.count()) === 1 && (await isSaved('First words. More of them. And these. The end.')),
      )
      assert.equal(await page.locator('.conflict').count(), 0)
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(0))
  test(
    `${database}: a session that ends during editing loses nothing`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { threadId } = await spool.receive({})
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('First words.')
      await page.getByText('Saved', { exact: true }).waitFor()
      // A password change ends every session: here before what is typed can be saved.
      const ended = Promise.withResolvers<void>()
      await page.route('**/app/api/drafts/**', async (route) => {
        await ended.promise
        await route.continue()
      })
      await page.getByLabel('Text of the mail').pressSequentially(' And more.')
      await changeUser(spool.spool, spool.ada.email, { password: 'another long password' })
      ended.resolve()
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
      await dialog.getByLabel('Password').fill('another long password')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await until(
        'the server has it',
        async () => (await draftsOf(spool, threadId))[0]!.text === 'First words. And more.',
      )
      assert.deepEqual(ada.problems, [])
    },
  )

test(
  'a reply and a new message that never reached the server are restored after a reload',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const { threadId } = await spool.receive({})
    await using ada = await visit(spool, { browser })
    const { page, context } = ada
    await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
    await page.getByRole('article').waitFor()
    await context.route('**/app/api/drafts', (route) => route.abort())
    await page.keyboard.press('r')
    await page.keyboard.type('Never saved.')
    await page.goto('/compose')
    await page.getByLabel('Text of the mail').fill('Nor was this.')
    await page.reload()
    const field = page.getByLabel('Text of the mail')
    await until('the new message', async () => (await field.inputValue()) === 'Nor was this.')
    await context.unroute('**/app/api/drafts')
    await page.goto(`/open/${threadId}`)
    await until('the answer', async () => (await field.inputValue()) === 'Never saved.')
    await until(
      'the server has it',
      async () => (await draftsOf(spool, threadId))[0]?.text === 'Never saved.',
    )
    // Marking it unread closes it.
    await page.getByRole('heading', { name: 'Order 4711 has not arrived' }).click()
    await page.keyboard.press('u')
    await page.waitForURL('**/open')
    await until('unread', async () => (await spool.threads('?unread=1')).length === 1)
    assert.deepEqual(ada.problems, [])
  },
)
