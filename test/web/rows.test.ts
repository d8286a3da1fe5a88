import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page, Route } from 'playwright-core'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { growInbox } from '../support/grown-inbox.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

/** Rows that are wholly in sight, and whether a line of one of them is empty. */
const inSight = (page: Page): Promise<{ rows: number; emptyLines: number }> =>
  page.evaluate(`(() => {
    const box = document.querySelector('.rows').getBoundingClientRect()
    const rows = [...document.querySelectorAll('.row')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return top >= box.top && bottom <= box.bottom
    })
    const lines = rows.flatMap((row) => [...row.querySelectorAll('.top, .sub, .pre')])
    const empty = lines.filter((line) => line.checkVisibility() && line.textContent.trim() === '')
    const tall = rows.filter((row) => row.querySelector('.row-link').scrollHeight > row.clientHeight + 1)
    return { rows: rows.length, emptyLines: empty.length + tall.length }
  })()`)

for (const database of oneDatabase(0)) {
  const shared = shareSpool(database)

  test(
    `${database}: rows are comfortable or compact, which the browser remembers; no line of them is empty`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const letters = Array.from({ length: 40 }, (_, at) => ({
        subject: at % 5 ? `Question ${at}` : '',
        text: at % 3 ? 'Where is it?' : '',
        date: Date.now() - at * 60_000,
      }))
      await desk.receiveAll(letters)
      await using ada = await visit(spool, { browser, height: 900 })
      const { page } = ada
      await signInAt(spool, ada, desk.user, '/open')
      await page.locator('.row-link').first().waitFor()
      const comfortable = await inSight(page)
      assert.ok(comfortable.rows >= 8, `${comfortable.rows} rows`)
      assert.equal(comfortable.emptyLines, 0)
      await page.getByRole('button', { name: 'Compact rows' }).click()
      await page.reload()
      await page.locator('.row-link').first().waitFor()
      const compact = await inSight(page)
      assert.ok(compact.rows >= 16, `${compact.rows} rows`)
      assert.equal(compact.emptyLines, 0)
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await takePicture(page, `rows-compact-${width}`)
        await page.getByRole('button', { name: 'Comfortable rows' }).click()
        await takePicture(page, `rows-comfortable-${width}`)
        await page.getByRole('button', { name: 'Compact rows' }).click()
      }
      assert.deepEqual(ada.problems, [])
    },
  )

  if (database === 'sqlite')
    test(
      `${database}: rows that came while the list was refreshed stay, and stay marked`,
      { skip: browserMissing },
      async () => {
        const spool = await shared()
        const desk = await openDesk(spool)
        await desk.receiveAll(
          Array.from({ length: 60 }, (_, at) => ({
            subject: `Question ${at + 1}.`,
            date: Date.now() - at * 60_000,
          })),
        )
        await using ada = await visit(spool, { browser })
        const { page } = ada
        const held: Route[] = []
        const hold = (url: RegExp, most: number): Promise<unknown> =>
          page.route(url, (route) => (held.length < most ? void held.push(route) : route.fallback()))
        await hold(/\/api\/threads\?.*cursor=/, 1)
        await signInAt(spool, ada, desk.user, '/open')
        const rest = await until('the rest is asked for', async () => held[0])
        await hold(/\/api\/threads\?/, 2)
        await desk.receive({ subject: 'One more.' })
        const top = await until('the list is asked for', async () => held[1])
        await rest.continue()
        const scroll = (down: boolean): Promise<void> =>
          page.locator('.rows').evaluate((box, down) => box.scrollTo(0, down ? box.scrollHeight : 0), down)
        const last = page.locator('.row', { hasText: 'Question 60.' })
        await until('the last row', async () => {
          await scroll(true)
          return (await last.count()) === 1
        })
        await last.locator('.pick input').check({ force: true })
        await top.continue()
        await until('the new row', async () => {
          await scroll(false)
          return (await page.locator('.row', { hasText: 'One more.' }).count()) === 1
        })
        assert.equal(await page.getByRole('toolbar').getByText('1 selected').count(), 1)
      },
    )

  test(
    `${database}: Shift marks as many rows as there are in between, and the bar counts all of them`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const letters = Array.from({ length: 130 }, (_, at) => ({
        subject: `Question ${at + 1}.`,
        text: 'Where is it?',
        date: Date.now() - at * 60_000,
      }))
      await desk.receiveAll(letters)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, desk.user, '/open')
      const bar = page.getByRole('toolbar')
      await page.locator('.row', { hasText: 'Question 1.' }).locator('.pick input').check({ force: true })
      const last = page.locator('.row-link', { hasText: 'Question 130.' })
      await until('the last row', async () => {
        await page.locator('.rows').evaluate((box) => box.scrollTo(0, box.scrollHeight))
        return (await last.count()) === 1
      })
      await last.click({ modifiers: ['Shift'] })
      await bar.getByText('130 selected').waitFor()
      await page.keyboard.press('e')
      await page.getByText('Closed 130 threads').waitFor()
      const closed = async (): Promise<number> =>
        (await desk.threads('?status=closed&limit=100')).length + (await desk.threads('?status=open')).length
      await until('they are closed', async () => (await closed()) === 100)
      await page.keyboard.press('z')
      await page.getByText('Undone.', { exact: true }).waitFor()
      assert.equal((await desk.threads('?status=closed')).length, 0)
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: the left column counts exactly up to 9,999, then says 10k+`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await desk.receive({})
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await growInbox(spool.spool, desk.inbox, 1, 1_738)
      await signInAt(spool, ada, desk.user, '/mine')
      const open = page.locator('.rail a', { hasText: 'All open' }).locator('.count')
      await open.getByText('1,739', { exact: true }).waitFor()
      await growInbox(spool.spool, desk.inbox, 1_739, 9_998)
      await page.reload()
      await open.getByText('9,999', { exact: true }).waitFor()
      await growInbox(spool.spool, desk.inbox, 9_999, 10_500)
      await page.reload()
      await open.getByText('10k+', { exact: true }).waitFor()
      assert.deepEqual(ada.problems, [])
    },
  )

  /** 120 threads, newest first, each a minute older. */
  const letters = Array.from({ length: 120 }, (_, at) => ({
    subject: `Question ${at + 1}.`,
    date: Date.now() - (at + 1) * 60_000,
    from: `customer${at}@brandt.example`,
    messageId: `<question${at + 1}-${database}@brandt.example>`,
  }))

  test(
    `${database}: mail that arrives while more rows are loading hides no thread`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await desk.receiveAll(letters.map(({ messageId: _, ...letter }) => letter))
      await using ada = await visit(spool, { browser, height: 900 })
      const { page } = ada
      const asked = Promise.withResolvers<void>()
      const shown = Promise.withResolvers<void>()
      await page.route(
        /\/app\/api\/threads\?.*cursor=/,
        async (route) => {
          const response = await route.fetch()
          asked.resolve()
          await shown.promise
          await route.fulfill({ response })
        },
        { times: 1 },
      )
      await signInAt(spool, ada, desk.user, '/open')
      await page.locator('.row-link').first().waitFor()
      await page.evaluate(`document.querySelector('.rows').scrollTo(0, 3000)`)
      await asked.promise
      await desk.receive({ subject: 'New' })
      await page.evaluate(`document.querySelector('.rows').scrollTo(0, 0)`)
      await page.locator('.row', { hasText: 'New' }).waitFor()
      shown.resolve()
      const seen = new Set<string>()
      await until('every thread is shown', async () => {
        for (let top = 0; top < 121; top += 8) {
          await page.evaluate(`document.querySelector('.rows').scrollTo(0, ${top} * 84)`)
          for (const subject of await page.locator('.row .sub').allInnerTexts()) seen.add(subject)
        }
        return seen.size === 121
      })
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: new mail in a thread far down the list moves it to the top, where it is shown once`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await desk.receiveAll(letters)
      await using ada = await visit(spool, { browser, height: 900 })
      const { page } = ada
      await signInAt(spool, ada, desk.user, '/open')
      await page.locator('.row-link').first().waitFor()
      const count = (): Promise<number> =>
        page.evaluate(`parseFloat(document.querySelector('.rows-inner').style.height) / 84`)
      await until('all rows are loaded', async () => {
        await page.evaluate(`document.querySelector('.rows').scrollTo(0, 1e6)`)
        return (await count()) === 120
      })
      await desk.receive({ subject: 'Re: Question 70.', inReplyTo: letters[69]!.messageId })
      await page.evaluate(`document.querySelector('.rows').scrollTo(0, 0)`)
      await until('it is on top', async () => {
        const [first] = await page.locator('.row .sub').allInnerTexts()
        return first === 'Question 70.'
      })
      assert.equal(await count(), 120)
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: the open thread is kept up to date however many rows the pointer passes`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const [first] = await desk.receiveAll(letters)
      await using ada = await visit(spool, { browser, height: 900 })
      const { page } = ada
      await signInAt(spool, ada, desk.user, `/open/${first!.threadId}`)
      await page.getByRole('article').waitFor()
      for (let top = 0; top < 90; top += 8) {
        await page.evaluate(`document.querySelector('.rows').scrollTo(0, ${top} * 84)`)
        await page.locator('.row', { hasText: `Question ${top + 8}.` }).waitFor()
        await page.evaluate(
          `for (const row of document.querySelectorAll('.row')) row.dispatchEvent(new PointerEvent('pointerenter'))`,
        )
      }
      await desk.receive({ inReplyTo: letters[0]!.messageId, text: 'Any news?' })
      await page.getByRole('article').getByText('Any news?').waitFor()
      assert.deepEqual(ada.problems, [])
    },
  )

  test(
    `${database}: rows stay where they are when threads above them come, rise and go`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const received = await desk.receiveAll(letters.slice(0, 40))
      await using ada = await visit(spool, { browser, height: 900 })
      const { page } = ada
      await signInAt(spool, ada, desk.user, '/open')
      await page.locator('.row-link').first().waitFor()
      await page.evaluate(`document.querySelector('.rows').scrollTo(0, 12 * 84)`)
      const row = page.locator('.row', { hasText: 'Question 16.' })
      const position = (): Promise<string | null> => row.getAttribute('aria-posinset')
      const top = async (): Promise<number> => (await row.boundingBox())!.y
      await row.waitFor()
      const before = await top()
      await desk.receive({ subject: 'New' })
      await until('a new one', async () => (await position()) === '17')
      assert.equal(await top(), before)
      await desk.receive({ inReplyTo: letters[29]!.messageId })
      await until('one from below', async () => (await position()) === '18')
      assert.equal(await top(), before)
      await desk.receive({ inReplyTo: letters[16]!.messageId })
      await until('one in sight', async () => (await position()) === '19')
      assert.equal(await top(), before)
      await changeStatus(spool.spool, desk.actor, received[2]!.threadId, 'closed')
      await until('one is closed', async () => (await position()) === '18')
      assert.equal(await top(), before)
      assert.deepEqual(ada.problems, [])
    },
  )

  /** Holds the first answer to a path. */
  const holdFirst = async (page: Page, path: RegExp): Promise<{ asked: Promise<void>; release(): void }> => {
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const hold = async (route: Route): Promise<void> => {
      const response = await route.fetch()
      asked.resolve()
      await released.promise
      await route.fulfill({ response })
    }
    await page.route(path, hold, { times: 1 })
    return { asked: asked.promise, release: () => released.resolve() }
  }

  test(
    `${database}: a list that was left while it loaded shows what came since`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await desk.receive({ subject: 'Old' })
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, desk.user, '/open')
      const row = (subject: string): Locator => page.locator('.row', { hasText: subject })
      await row('Old').waitFor()
      const held = await holdFirst(page, /threads\?view=unassigned/)
      await page.locator('.rail a', { hasText: 'Unassigned' }).click()
      await held.asked
      await page.locator('.rail a', { hasText: 'All open' }).click()
      await desk.receive({ subject: 'New' })
      await row('New').waitFor()
      const answered = page.waitForResponse(/threads\?view=unassigned/)
      held.release()
      await answered
      await page.locator('.rail a', { hasText: 'Unassigned' }).click()
      await row('New').waitFor()
      assert.deepEqual(ada.problems, [])
    },
  )

  test(`${database}: counts that arrive late replace no newer ones`, { skip: browserMissing }, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await desk.receive({ subject: 'First' })
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, desk.user, '/open')
    const open = page.locator('.rail a', { hasText: 'All open' }).locator('.count')
    await open.getByText('1', { exact: true }).waitFor()
    const held = await holdFirst(page, /\/counts/)
    await desk.receive({ subject: 'Second' })
    await held.asked
    await desk.receive({ subject: 'Third' })
    await open.getByText('3', { exact: true }).waitFor()
    const answered = page.waitForResponse(/\/counts/)
    held.release()
    await answered
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => done()))')
    assert.equal(await open.innerText(), '3')
    assert.deepEqual(ada.problems, [])
  })
}
