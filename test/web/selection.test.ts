import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page, Route } from 'playwright-core'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

const letters = (count: number): { subject: string; text: string }[] =>
  Array.from({ length: count }, (_, at) => ({
    subject: `Question ${count - at}.`,
    text: 'Where is it?',
    // Of one second each, so that their order is known.
    date: Date.now() - (count - at) * 1000,
  }))
const pick = (page: Page, subject: string) =>
  page.locator('.row', { hasText: subject }).locator('.pick input').check({ force: true })

for (const database of oneDatabase(1)) {
  const shared = shareSpool(database)

  test(
    `${database}: Ctrl+Enter in the list selects nothing and opens nothing`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await desk.receiveAll(letters(2))
      await using ada = await visit(spool, { browser })
      const { page, context } = ada
      await signInAt(spool, ada, desk.user, '/open')
      await page.locator('.row-link', { hasText: 'Question 1.' }).click()
      await page.getByRole('heading', { name: 'Question 1.' }).first().waitFor()
      await page.keyboard.press('Control+Enter')
      // Once a later key has taken effect, so has this one.
      await page.keyboard.press('x')
      await page.getByRole('toolbar').getByText('1 selected').waitFor()
      assert.equal(context.pages().length, 1)
    },
  )

  test(`${database}: a box clicked with Shift shows what is selected`, { skip: browserMissing }, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await desk.receiveAll(letters(4))
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, desk.user, '/open')
    const boxes = page.locator('.row .pick input')
    const ticked = async () => Promise.all((await boxes.all()).map((box) => box.isChecked()))
    const clickWithShift = (at: number) => boxes.nth(at).click({ force: true, modifiers: ['Shift'] })
    const top = async (): Promise<number> => (await boxes.first().boundingBox())!.y
    await boxes.first().waitFor()
    const before = await top()
    await clickWithShift(0)
    await page.getByRole('toolbar').getByText('1 selected').waitFor()
    assert.equal(await top(), before, 'no row moves under the pointer')
    assert.deepEqual(await ticked(), [true, false, false, false])
    await clickWithShift(2)
    await page.getByRole('toolbar').getByText('3 selected').waitFor()
    assert.deepEqual(await ticked(), [true, true, true, false])
    await clickWithShift(1)
    assert.deepEqual(await ticked(), [true, true, true, false], 'it stays selected')
    const strip = (await page.locator('.row .pick').nth(3).boundingBox())!
    await page.keyboard.down('Shift')
    await page.mouse.click(strip.x + 9, strip.y + strip.height - 6)
    await page.keyboard.up('Shift')
    await page.getByRole('toolbar').getByText('4 selected').waitFor()
    assert.equal(await page.evaluate('String(getSelection())'), '')
  })

  test(
    `${database}: Select all twice means all threads, also when rows are loaded in between`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await desk.receiveAll(letters(60))
      await using ada = await visit(spool, { browser })
      const { page } = ada
      const [rows, counted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const holdUntil = (gate: Promise<void>) => (route: Route) => gate.then(() => route.continue())
      await page.route('**/app/api/threads?*cursor=*', holdUntil(rows.promise))
      await page.route('**/app/api/threads/count?*', holdUntil(counted.promise))
      await signInAt(spool, ada, desk.user, '/open')
      await page.locator('.row-link').first().waitFor()
      await page.keyboard.press('X')
      await page.getByRole('toolbar').getByText('50 selected').waitFor()
      rows.resolve()
      await page.locator('.row[aria-setsize="60"]').first().waitFor()
      await page.keyboard.press('X')
      counted.resolve()
      await page.getByRole('toolbar').getByText('All 60 selected').waitFor()
    },
  )

  test(
    `${database}: a shortcut on all selected threads clears the selection, in a search too`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await desk.receiveAll(letters(26))
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, desk.user, '/open')
      const bar = page.getByRole('toolbar')
      await pick(page, 'Question 1.')
      // The last row is out of view until scrolled to.
      const last = page.locator('.row-link', { hasText: 'Question 26.' })
      await until('the last row', async () => {
        await page.locator('.rows').evaluate((box) => box.scrollTo(0, box.scrollHeight))
        return (await last.count()) === 1
      })
      await last.click({ modifiers: ['Shift'] })
      await bar.getByText('26 selected').waitFor()
      await takePicture(page, 'bulk-bar')
      await page.keyboard.press('e')
      await page.getByText('No open threads.').waitFor()
      await bar.waitFor({ state: 'detached' })
      await until('all are closed', async () => (await desk.threads('?status=closed')).length === 26)

      // A search keeps its results even if they change; a second key has nothing to act on.
      await page.goto('/search?q=question')
      await pick(page, 'Question 3.')
      await pick(page, 'Question 4.')
      await bar.getByText('2 selected').waitFor()
      await page.keyboard.press('#')
      await bar.waitFor({ state: 'detached' })
      await page.keyboard.press('u')
      await until('two are spam', async () => (await desk.threads('?status=spam')).length === 2)
      assert.deepEqual(await desk.threads('?unread=1&status=spam'), await desk.threads('?status=spam'))
      assert.equal((await desk.threads('?status=closed')).length, 24)
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: the selection is only what is marked on the screen: not in another view, not behind a thread`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const received = await desk.receiveAll(letters(4))
      const [fourth, third, second, first] = received.map(({ threadId }) => threadId) as [
        string,
        string,
        string,
        string,
      ]
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, desk.user, '/open')
      const bar = page.getByRole('toolbar')
      const choose = async (): Promise<void> => {
        await pick(page, 'Question 1.')
        await pick(page, 'Question 2.')
        await bar.getByText('2 selected').waitFor()
      }
      await choose()
      await page.locator('.rail a', { hasText: 'Unread' }).click()
      await page.waitForURL('**/unread')
      await page.locator('.row-link').first().waitFor()
      assert.equal(await bar.count(), 0)
      await page.locator('.rail a', { hasText: 'All open' }).click()
      await page.waitForURL('**/open')
      await page.locator('.row-link').first().waitFor()
      assert.equal(await page.locator('.pick input:checked').count(), 0)
      assert.equal(await bar.count(), 0)

      // A colleague closes one of them: it stays, and says so.
      await choose()
      await changeStatus(spool.spool, desk.actor, second, 'closed', null)
      await page.locator('.row', { hasText: 'Question 2.' }).getByText('Closed').waitFor()
      assert.equal(await page.locator('.pick input:checked').count(), 2)

      // On a narrow screen the thread covers the list, so shortcuts act on the thread.
      await page.locator(`[data-thread="${third}"]`).click()
      await page.getByRole('article').waitFor()
      await page.setViewportSize({ width: 390, height: 844 })
      await page.locator('.list').waitFor({ state: 'hidden' })
      await page.keyboard.press('#')
      await until('the thread is spam', async () => (await desk.thread(third)).status === 'spam')
      await page.setViewportSize({ width: 1440, height: 900 })
      await bar.getByText('2 selected').waitFor()
      // A thread without a row cannot be selected.
      await page.goto(`/open/${second}`)
      await page.getByRole('article').waitFor()
      await page.locator('.row-link').first().waitFor()
      await page.keyboard.press('x')
      await page.keyboard.press('Escape')
      await page.keyboard.press('#')
      await until('the open one is spam', async () => (await desk.thread(second)).status === 'spam')
      const statuses = [first, fourth].map(async (id) => (await desk.thread(id)).status)
      assert.deepEqual(await Promise.all(statuses), ['open', 'open'])
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: fingers see the boxes; the menu for several threads marks whom all have`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const [third, second] = await desk.receiveAll(letters(3))
      for (const { threadId } of [third!, second!])
        await assignThread(spool.spool, desk.actor, threadId, desk.user)
      await using ada = await visit(spool, { browser, width: 390, height: 844, touch: true })
      const { page } = ada
      await signInAt(spool, ada, desk.user, '/open')
      const boxes = page.locator('.row .pick input')
      await boxes.first().waitFor()
      assert.deepEqual(
        await boxes.evaluateAll((all) =>
          all.map((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true })),
        ),
        [true, true, true],
      )
      await takePicture(page, 'list-phone')
      const marked = async (): Promise<string[]> => {
        await page.getByRole('button', { name: 'Assign' }).tap()
        await page.getByRole('menuitem', { name: 'Nobody' }).waitFor()
        const names = await page.locator('.menu-item.current').allInnerTexts()
        await takePicture(page, 'menu-phone')
        // Beside the menu, where a row is.
        await page.touchscreen.tap(200, 200)
        await page.getByRole('menuitem', { name: 'Nobody' }).waitFor({ state: 'detached' })
        assert.equal(new URL(page.url()).pathname, '/open')
        return names.map((each) => each.trim())
      }
      await boxes.nth(0).tap()
      assert.deepEqual(await marked(), ['Nobody'])
      await boxes.nth(1).tap()
      assert.deepEqual(await marked(), [])
      await boxes.nth(0).tap()
      await boxes.nth(2).tap()
      assert.match((await marked()).join(), new RegExp(`${desk.user.name}[^,]*$`))
      assert.deepEqual(ada.problems, [])
    },
  )
}
