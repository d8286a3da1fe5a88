import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { addWebhook } from '../../src/core/webhooks/webhooks.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { givePassword, password } from '../support/web-client.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

for (const database of oneDatabase(0))
  test(
    `${database}: signing out everywhere ends all of one's own sessions and nobody else's`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { threadId } = await spool.receive({})
      const tom = await spool.makeUser('tom@shop.example', 'member', [spool.inbox])
      await using colleague = await visit(spool, { browser })
      await signInAt(spool, colleague, tom, `/open/${threadId}`)
      await using laptop = await visit(spool, { browser })
      await signInAt(spool, laptop, spool.ada, `/open/${threadId}`)
      // The second device uses the same password: a new one would end the first session.
      await using phone = await visit(spool, { browser })
      await signInAt(spool, phone, spool.ada, '/account', { keepPassword: true })
      await until('both are listed', async () => (await phone.page.locator('.card .lines li').count()) === 2)
      await laptop.page.getByRole('article').waitFor()
      await laptop.page.keyboard.press('r')
      await laptop.page.keyboard.type('Half a sentence')
      await laptop.page.getByText('Saved', { exact: true }).waitFor()

      await phone.page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await phone.page.getByLabel('E-mail').waitFor()
      await laptop.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
      assert.equal(await laptop.page.getByLabel('Text of the mail').inputValue(), 'Half a sentence')
      await colleague.page.reload()
      await colleague.page.getByRole('article').waitFor()
      for (const { page } of [phone, laptop]) {
        await page.goto('/account')
        await page.getByRole('heading', { name: 'Sign in to Spool' }).waitFor()
      }
      assert.deepEqual([...laptop.problems, ...phone.problems, ...colleague.problems], [])
    },
  )

/** Ends the session of this browser, as another tab would. */
const endSession = `fetch('/app/api/session', { method: 'DELETE' })`
const signInBy = (email: string) => `fetch('/app/api/session', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '${JSON.stringify({ email, password })}',
})`

for (const database of oneDatabase(2))
  test(
    `${database}: a tab notices that another tab has signed in as somebody else`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const tom = await spool.makeUser('tom@shop.example', 'member', [spool.inbox])
      await givePassword(spool, tom)
      await using ada = await visit(spool, { browser })
      const { page, context } = ada
      await signInAt(spool, ada, spool.ada, '/closed')
      // This one has asked who is signed in, and follows the log only afterwards.
      const early = await context.newPage()
      const { promise: isTom, resolve: beTom } = Promise.withResolvers<void>()
      await early.route('**/app/api/live*', (route) => isTom.then(() => route.continue()))
      await early.goto('/closed')
      await early.locator('nav.rail').waitFor()
      const other = await context.newPage()
      await other.goto('/open')
      await other.locator('nav.rail').waitFor()
      await other.evaluate(`${endSession}.then(() => ${signInBy(tom.email)}).then(() => undefined)`)
      beTom()
      for (const tab of [page, early]) {
        await tab.locator('nav.rail', { hasText: tom.name }).waitFor()
        assert.equal(new URL(tab.url()).pathname, '/')
      }
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(1))
  test(
    `${database}: a note that somebody began on this device is offered to nobody else`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const tom = await spool.makeUser('tom@shop.example', 'member', [spool.inbox])
      const { threadId } = await spool.receive({})
      await using visitor = await visit(spool, { browser })
      const { page, context } = visitor
      const field = page.getByLabel('Write a note…')
      const found: string[] = []
      for (const user of [tom, spool.ada, tom]) {
        await context.clearCookies()
        await signInAt(spool, visitor, user, `/threads/${threadId}`)
        await field.waitFor()
        found.push(await field.inputValue())
        if (found.length === 1) await field.fill('Between us')
      }
      assert.deepEqual(found, ['', '', 'Between us'])
      assert.deepEqual(visitor.problems, [])
    },
  )

for (const database of oneDatabase(3))
  test(
    `${database}: a tab that has not noticed somebody else's sign-in does nothing in their name`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const tom = await spool.makeUser('tom@shop.example', 'member', [spool.inbox])
      await givePassword(spool, tom)
      const { threadId } = await spool.receive({})
      await using ada = await visit(spool, { browser })
      const { page } = ada
      const refused: string[] = []
      page.on('response', (each) => each.status() === 401 && refused.push(each.url()))
      await page.route('**/app/api/live*', (route) => route.abort())
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      await page.route('**/app/api/session', (route) =>
        route.request().method() === 'GET' ? route.abort() : route.fallback(),
      )
      await page.evaluate(`${endSession}.then(() => ${signInBy(tom.email)}).then(() => undefined)`)
      await page.keyboard.press('e')
      // Before that, the page may have asked something else, and waits for the password.
      await until('it is refused', async () => refused.length > 0)
      assert.equal((await spool.threads())[0]!.status, 'open')
      await page.unrouteAll()
      await page.locator('nav.rail', { hasText: tom.name }).waitFor()
    },
  )

for (const database of oneDatabase(2))
  test(
    `${database}: a session that ended while the page was offline is asked for again`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada)
      await page.locator('nav.rail').waitFor()
      const asked = Promise.withResolvers<void>()
      await page.route('**/app/api/**', (route) => {
        if (route.request().method() !== 'GET') return route.fallback()
        if (route.request().url().endsWith('/session')) asked.resolve()
        return route.abort()
      })
      await page.evaluate(`${endSession}.then(() => undefined)`)
      await asked.promise
      await page.getByText("Can't reach Spool. Retrying…").waitFor()
      await page.unrouteAll()
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ timeout: 30_000 })
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(1))
  test(
    `${database}: a password change asks about tokens and webhooks and revokes those not kept`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database, { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })
      const tom = await spool.makeUser('tom@shop.example', 'member', [spool.inbox])
      const [mine, strange] = [
        await spool.makeToken(tom, { name: 'Weekly report' }),
        await spool.makeToken(tom, { name: 'Not mine' }),
      ]
      const wanted = { url: `${spool.url}/nobody-listens`, email: tom.email, types: [], inboxes: [] }
      const { webhook } = await addWebhook(spool.spool, wanted)
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, tom, '/settings/profile')
      const card = page.locator('.card', { hasText: 'Change password' })
      const question = card.getByRole('group', { name: 'Revoke these too' })
      const boxes = question.getByRole('checkbox')
      await boxes.first().waitFor()
      assert.deepEqual(
        await boxes.evaluateAll((each) => (each as { checked?: boolean }[]).map(({ checked }) => checked)),
        [true, true, true],
        'all of them, unless somebody says otherwise',
      )
      await question.getByText('Webhook to').waitFor()
      for (const [name, width] of [
        ['new-password', 1440],
        ['new-password-phone', 390],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await card.scrollIntoViewIfNeeded()
        await card.getByRole('button', { name: 'Change' }).scrollIntoViewIfNeeded()
        await takePicture(page, name)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, name)
      }
      await question.getByLabel('Weekly report').uncheck()
      await card.getByLabel('Current password').fill('not this one')
      await card.getByLabel('New password').fill('another long password')
      await card.getByRole('button', { name: 'Change' }).click()
      await card.getByText('This is not your current password').waitFor()
      await card.getByLabel('Current password').fill(password)
      await card.getByRole('button', { name: 'Change' }).click()
      await page.getByText('Password changed; 1 token revoked; 1 webhook disabled.').waitFor()
      await until('only what was kept is asked about', async () => (await boxes.count()) === 1)
      const status = async (token: string): Promise<number> =>
        (await spool.get('/api/v1/me', { token })).status
      assert.deepEqual([await status(mine), await status(strange)], [200, 401])
      await page.goto(`/settings/webhooks/${webhook.id}`)
      await page.getByText('its owner got a new password').waitFor()
      assert.deepEqual(visitor.problems, [])
    },
  )

const background = (page: Page): Promise<string> =>
  page.evaluate('getComputedStyle(document.body).backgroundColor')

test(
  'the theme follows the system until the user chooses one, and the choice is kept',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada)
    const light = await background(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await background(page)
    assert.notEqual(dark, light)
    await page.getByRole('button', { name: 'Theme: system' }).click()
    await page.getByRole('button', { name: 'Theme: light' }).waitFor()
    assert.equal(await background(page), light)
    await page.reload()
    await page.getByRole('button', { name: 'Theme: light' }).waitFor()
    assert.equal(await background(page), light, 'kept over a reload')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('button', { name: 'Theme: light' }).click()
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
    assert.equal(await background(page), dark)
    await page.getByRole('button', { name: 'Theme: dark' }).click()
    await page.getByRole('button', { name: 'Theme: system' }).waitFor()
    assert.equal(await background(page), light)
    assert.deepEqual(ada.problems, [])
  },
)
