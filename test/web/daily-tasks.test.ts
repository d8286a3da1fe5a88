import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { sendBy } from '../support/outgoing.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk } from '../support/sample-desk.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

/** Presses keys and counts them; a chord is one. */
class Keys {
  count = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key)
      this.count++
    }
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text)
    this.count += text.length
  }

  /** By Tab, as often as it takes. */
  async reach(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await target.waitFor()
    for (let tries = 0; tries < 60; tries++) {
      if (await target.evaluate((each) => each.matches(':focus'))) return
      await this.press(key)
    }
    assert.fail(`${target} cannot be reached by Tab`)
  }
}

for (const database of oneDatabase(1))
  test(
    `${database}: the work of a day by keyboard alone, with the keys that each task takes`,
    { skip: browserMissing },
    async (context) => {
      // Long enough to undo a sending on a busy machine, so nothing leaves while the test runs.
      await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '60' })
      await using sink = await startSmtpSink()
      await sendBy(spool.spool, spool.inbox, sink.port)
      const desk = await fillDesk(spool)
      const day = 86_400_000
      for (let at = 0; at < 22; at++)
        await spool.receive({
          from: `Weekly <news${at}@weekly.example>`,
          subject: `Newsletter ${at + 1}`,
          text: 'Offers of the week.',
          date: Date.now() - 20 * day - at * 60_000,
        })
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, '/open')
      await page.locator('.row-link').first().waitFor()
      const heading = page.locator('.thread .head h1')
      const show = (subject: string): Promise<void> => heading.getByText(subject).waitFor()
      const statusOf = async (id: string): Promise<string> => (await spool.thread(id)).status
      const counted: [task: string, keys: number][] = []
      const task = async (name: string, work: (keys: Keys) => Promise<void>): Promise<void> => {
        const keys = new Keys(page)
        await context.test(name, async () => work(keys))
        counted.push([name, keys.count])
      }

      await task('open the newest thread', async (keys) => {
        await keys.press('j')
        await show('Order 4711')
      })
      await task('note something for a colleague', async (keys) => {
        await keys.press('n')
        await keys.type('@Tom seen')
        await keys.press('Enter')
        await page.locator('.note').getByText('seen').waitFor()
        await page.keyboard.press('Escape')
      })
      await task('go on to the next thread and assign it to Sofia', async (keys) => {
        await keys.press('j')
        await show('Invoice 2026-118')
        await keys.press('i')
        await keys.type('so')
        await keys.press('Enter')
        const { threadId } = desk.invoice
        await until(
          'Sofia has it',
          async () => (await spool.thread(threadId)).assignment?.id === desk.sofia.id,
        )
      })
      await task('undo it', async (keys) => {
        await keys.press('z')
        const { threadId } = desk.invoice
        await until('nobody has it', async () => (await spool.thread(threadId)).assignment === null)
      })
      await task('take it oneself', async (keys) => {
        await keys.press('m')
        const { threadId } = desk.invoice
        await until('I have it', async () => (await spool.thread(threadId)).assignment?.id === spool.ada.id)
      })
      await task('snooze it until tomorrow morning', async (keys) => {
        await keys.press('s')
        await keys.type('tomorrow 9:00')
        await keys.press('Enter')
        await until('it sleeps', async () => (await statusOf(desk.invoice.threadId)) === 'snoozed')
      })
      await task('look at what is snoozed and bring it back', async (keys) => {
        await keys.press('g', 's')
        await page.waitForURL('**/snoozed')
        await keys.press('j')
        await show('Invoice 2026-118')
        await keys.press('E')
        await until('it is open', async () => (await statusOf(desk.invoice.threadId)) === 'open')
      })
      await task("find a person's mail of last week", async (keys) => {
        await keys.press('/')
        const since = new Date(Date.now() - 7 * day).toISOString().slice(0, 10)
        await keys.type(`novák since:${since}`)
        await keys.press('Enter')
        await page.locator('.row-link').getByText('Damaged on arrival').waitFor()
        await keys.press('j')
        await show('Damaged on arrival')
      })
      await task('answer it', async (keys) => {
        await keys.press('r')
        await keys.type('We send a new one.')
        await keys.press('Control+Enter')
        await page.getByText(/^Sending to Pavel Novák/).waitFor()
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
      })
      await task('mark as unread to look at it later', async (keys) => {
        await keys.press('g', 'o', 'j')
        await page.waitForURL(/\/open\/thr_/)
        const id = /thr_\w+/.exec(page.url())![0]
        await until('it is read', async () => !(await spool.thread(id)).unread)
        await keys.press('u')
        await until('it is unread', async () => (await spool.thread(id)).unread)
      })
      await task('close 20 threads', async (keys) => {
        await keys.press('/')
        await keys.type('newsletter')
        await keys.press('Enter')
        await page.waitForURL(/q=newsletter/)
        await page.locator('.row-link').getByText('Newsletter 1', { exact: true }).waitFor()
        await keys.press('j')
        await show('Newsletter 1')
        for (let at = 2; at <= 20; at++) {
          await keys.press('J')
          await show(`Newsletter ${at}`)
        }
        await page.getByText('20 selected').waitFor()
        await keys.press('e')
        await until(
          '20 are closed',
          async () => (await spool.threads('?status=closed&limit=100')).length === 20,
        )
      })
      await task('undo all 20', async (keys) => {
        await keys.press('z')
        await until('none is closed', async () => (await spool.threads('?status=closed')).length === 0)
      })
      await task('close everything that a search finds', async (keys) => {
        await keys.press('Escape')
        await keys.press('X')
        await page.getByText('22 selected').waitFor()
        await keys.press('e')
        await until(
          '22 are closed',
          async () => (await spool.threads('?status=closed&limit=100')).length === 22,
        )
      })
      await task('mark as spam', async (keys) => {
        await keys.press('g', 'c')
        await page.waitForURL('**/closed')
        await keys.press('j')
        await show('Newsletter 1')
        await keys.press('#')
        await until('one is spam', async () => (await spool.threads('?status=spam')).length === 1)
      })
      await task('merge two threads', async (keys) => {
        await keys.press('/')
        await keys.type('hafengasse')
        await keys.press('Enter')
        await page.waitForURL(/q=hafengasse/)
        await page.locator('.row-link').getByText('Change of delivery address').waitFor()
        await keys.press('j', 'o')
        await show('Change of delivery address')
        await keys.reach(page.getByRole('button', { name: 'More', exact: true }), 'Shift+Tab')
        await keys.press('Enter')
        const wanted = page.getByRole('menuitem', { name: /^Merge/ })
        await wanted.waitFor()
        while (!(await wanted.evaluate((each) => each.matches(':focus')))) await keys.press('ArrowDown')
        await keys.press('Enter')
        const dialog = page.getByRole('dialog')
        await keys.reach(dialog.getByRole('textbox'))
        await keys.press('Control+a')
        await keys.type('bulk')
        const other = dialog.getByRole('button', { name: /Bulk order/ })
        await keys.reach(other)
        await keys.press('Enter')
        const asked = page.getByRole('dialog', { name: 'Merge these two threads?' })
        await asked.getByText('Bulk order for the season').waitFor()
        await keys.reach(asked.getByRole('button', { name: 'Merge', exact: true }))
        await keys.press('Enter')
        await asked.waitFor({ state: 'detached' })
        await until('they are one', async () => (await spool.threads('?q=bulk')).length === 1)
      })
      await task('write a new message, and undo sending it', async (keys) => {
        await keys.press('c')
        const to = page.getByRole('combobox', { name: 'To', exact: true })
        await until('the cursor is at To', () => to.evaluate((field) => field.matches(':focus')))
        await keys.type('carl')
        await page.getByRole('option', { name: /Carla Brandt/ }).waitFor()
        await keys.press('Enter')
        await keys.reach(page.getByLabel('Subject'))
        await keys.type('Hi')
        await keys.press('Tab')
        await keys.type('Hello.')
        await page.getByText('Saved', { exact: true }).waitFor()
        await keys.press('Control+Enter')
        await page.getByText(/^Sending to Carla Brandt/).waitFor()
        await page.keyboard.press('Escape')
        await keys.press('z')
        await page.getByText('Your draft is back').waitFor()
      })
      await task('review the first proposal and send it', async (keys) => {
        await keys.press('g', 'd')
        await page.waitForURL('**/review')
        await page.locator('.row-link').first().waitFor()
        await keys.press('j')
        await page.locator('.draft .tail').first().waitFor()
        await keys.press('d')
        await keys.press('Control+Enter')
        await page.getByText(/^Sending to Carla Brandt/).waitFor()
      })

      assert.ok(counted.length >= 15)
      for (const [name, keys] of counted) context.diagnostic(`${String(keys).padStart(3)} keys: ${name}`)
      assert.deepEqual(ada.problems, [])
    },
  )
