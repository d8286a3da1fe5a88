import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { examine } from '../support/page-check.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

const long = `${'Another line of the letter. '.repeat(60)}\n\n`

async function fill(spool: TestSpool): Promise<{ oak: string }> {
  await spool.receive({ from: 'Bert <bert@oak.example>', subject: 'Chairs', text: 'An invoice, please.' })
  await spool.receive({
    messageId: '<oak@brandt.example>',
    from: 'Anna Lind <anna@brandt.example>',
    subject: 'Oak table',
    text: `The oak table has arrived. ${long} One more oak.`,
  })
  const { threadId: oak } = await spool.receive({
    inReplyTo: '<oak@brandt.example>',
    from: 'Anna Lind <anna@brandt.example>',
    subject: 'Re: Oak table',
    text: 'oak',
    html: `<p>Formatted <b>oak</b>.</p><p>${long}</p><h1>The ÖAK again</h1>`,
  })
  return { oak }
}

const field = (page: Page) => page.getByRole('searchbox')
const subjects = async (page: Page): Promise<string[]> => page.locator('.row .sub').allTextContents()
const untilFound = (page: Page, wanted: string[]): Promise<unknown> =>
  until(`found ${wanted.join(', ')}`, async () => (await subjects(page)).join() === wanted.join())

for (const database of oneDatabase(3))
  test(
    `${database}: a search is completed, found while typing, counted, marked, and kept as a view`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { oak } = await fill(spool)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, '/open')
      await page.locator('.row-link').first().waitFor()
      const { keyboard } = page

      // Operators and their values are offered and taken by keyboard.
      await keyboard.press('/')
      await keyboard.type('fr')
      await page.getByRole('option', { name: 'from:' }).waitFor()
      // Two letters rarely are a word. Of two timers the later one ends last.
      await page.evaluate('new Promise((done) => setTimeout(done, 300))')
      assert.equal(new URL(page.url()).pathname, '/open')
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      assert.equal(await field(page).inputValue(), 'from:')
      await keyboard.type('ann')
      await page.getByRole('option', { name: 'from:anna@brandt.example' }).waitFor()
      await takePicture(page, 'search-offers')
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      await untilFound(page, ['Oak table'])
      // A word is found before it is written to its end.
      await field(page).fill('invoic')
      await untilFound(page, ['Chairs'])
      await page.waitForURL(/\/search\?q=invoic$/)
      const marks = page.locator('.row mark.found')
      await until('its word is marked', async () => (await marks.allTextContents()).join() === 'invoice')

      // Parts are chips, each to be taken out.
      await field(page).fill('oak is:open -chairs')
      await keyboard.press('Enter')
      await untilFound(page, ['Oak table'])
      const chips = page.getByRole('group', { name: 'Search filters' }).getByRole('button')
      assert.deepEqual(await chips.allTextContents(), ['is:open ', '-chairs '])
      await page.getByRole('button', { name: 'Remove -chairs' }).click()
      await page.waitForURL(/\/search\?q=oak\+is%3Aopen$/)
      await untilFound(page, ['Oak table', 'Chairs'])
      await page.getByText('2 threads', { exact: true }).waitFor()

      // The thread opens with its words marked, and one jumps from hit to hit, into the frame too.
      await page.locator(`[data-thread="${oak}"]`).click()
      await page.getByText('4 in this thread').waitFor()
      await keyboard.press('.')
      await page.getByText('1 of 4').waitFor()
      assert.equal(await page.locator('article mark.found.lit').textContent(), 'oak')
      await page.getByRole('button', { name: 'Previous match' }).click()
      await page.getByText('4 of 4').waitFor()
      const frame = page.frameLocator('.mail-frame iframe')
      assert.deepEqual(await frame.locator('mark').allTextContents(), ['oak', 'ÖAK'])
      await page.locator('.mail-frame .hit.lit').waitFor()
      await takePicture(page, 'search-thread')

      // Who leaves the field is not called back by what was typed there.
      await page.goto('/open')
      await page.locator('.row-link').first().waitFor()
      await keyboard.press('/')
      await keyboard.type('chairs')
      await keyboard.press('Escape')
      await keyboard.press('c')
      await page.getByRole('combobox', { name: 'To', exact: true }).waitFor()
      // Of two timers the later one ends last.
      await page.evaluate('new Promise((done) => setTimeout(done, 300))')
      assert.equal(new URL(page.url()).pathname, '/compose')
      await page.goto(`/search/${oak}?q=oak+is%3Aopen`)
      await page.getByText('4 in this thread').waitFor()

      // Kept, and there again after a reload; removed, and gone.
      await page.getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('textbox', { name: 'View name' }).press('Escape')
      await page.getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('textbox', { name: 'View name' }).fill('Open oak')
      await keyboard.press('Enter')
      const rail = page.getByRole('navigation')
      await rail.getByRole('link', { name: 'Open oak' }).waitFor()
      await page.goto('/open')
      await rail.getByRole('link', { name: 'Open oak' }).click()
      await page.waitForURL(/\/search\?q=oak\+is%3Aopen$/)
      await until('the field says it', async () => (await field(page).inputValue()) === 'oak is:open')
      assert.deepEqual(await examine(page, 'search'), [])
      await page.setViewportSize({ width: 390, height: 844 })
      assert.deepEqual(await examine(page, 'search-narrow'), [])
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.getByRole('button', { name: 'Remove view' }).click()
      await until(
        'it is gone',
        async () => (await rail.getByRole('link', { name: 'Open oak' }).count()) === 0,
      )
      assert.deepEqual(ada.problems, [])
    },
  )

test('the search field always says what the list shows', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  await fill(spool)
  await using ada = await visit(spool, { browser })
  const { page } = ada
  const { keyboard } = page
  const says = (wanted: string) =>
    until(`the field says “${wanted}”`, async () => (await field(page).inputValue()) === wanted)
  // In one step: on a busy machine the search would begin in between.
  const typeAndFollow = (text: string, link: string): Promise<unknown> =>
    page.evaluate(`(() => {
      const field = document.querySelector('.search input')
      field.focus()
      field.value += '${text}'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      const link = document.querySelector('${link}')
      link.focus()
      link.click()
    })()`)
  await signInAt(spool, ada, spool.ada, '/open')
  await page.locator('.row-link').first().waitFor()
  await field(page).fill('table')
  await untilFound(page, ['Oak table'])

  // Typed, and left before it is searched for.
  await typeAndFollow(' chairs', '.row-link')
  await says('table')
  await untilFound(page, ['Oak table'])
  await field(page).fill('')
  await keyboard.press('Escape')
  await says('table')

  const rail = page.getByRole('navigation', { name: 'Views' })
  await rail.getByRole('link', { name: 'Unread' }).click()
  await says('')
  await typeAndFollow('chairs', '.rail [href="/closed"]')
  await says('')
  await page.goBack()
  await page.goBack()
  await says('table')
  await page.goForward()
  await says('')
  assert.deepEqual(ada.problems, [])
})
