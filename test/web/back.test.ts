import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { launchChromium } from '../support/parts/chromium.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

for (const database of oneDatabase(3)) {
  const share = shareSpool(database)

  test(
    `${database}: Back goes to the list after any formatted mail, unfolded and with its pictures`,
    { skip: browserMissing },
    async () => {
      const spool = await share()
      const desk = await openDesk(spool)
      for (const name of ['One', 'Two', 'Three'])
        await desk.receive({
          subject: name,
          text: `News ${name}\n\nOn Mon, 2 Nov 2026, Ann wrote:\n> earlier words`,
          html: `<table><tr><td style="background:#f3efe6"><h2>News ${name}</h2><img src="https://adler.example/logo.png" width="20" height="20"></td></tr></table><p>On Mon, 2 Nov 2026, Ann wrote:</p><blockquote type="cite">earlier words</blockquote>`,
        })
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, desk.user, '/open')
      await page.locator('.row-link').first().waitFor()
      const entries = () => page.evaluate('history.length') as Promise<number>
      const before = await entries()
      const frame = page.frameLocator('iframe[title^="Mail from"]')
      for (const name of ['Three', 'Two', 'One']) {
        await page.keyboard.press('j')
        await frame.getByRole('heading', { name: `News ${name}` }).waitFor()
        await page.getByRole('button', { name: '••• quoted text' }).click()
        await frame.getByText('earlier words').waitFor()
        await page.getByRole('button', { name: 'Show pictures' }).click()
        await page.getByText("couldn't be loaded").waitFor()
        await page.getByRole('button', { name: 'Hide quoted text' }).click()
        await frame.getByText('earlier words').waitFor({ state: 'hidden' })
      }
      assert.equal(await entries(), before + 1, 'one entry, for leaving the list')
      await page.goBack()
      await page.waitForURL('**/open')
      await page.getByRole('article').waitFor({ state: 'detached' })
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: Enter opens the row that is current, not the one that was clicked before`,
    { skip: browserMissing },
    async () => {
      const spool = await share()
      const desk = await openDesk(spool)
      await desk.receiveAll([{ subject: 'One' }, { subject: 'Two' }, { subject: 'Three' }])
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, desk.user, '/open')
      const open = (): string => new URL(page.url()).pathname.split('/')[2]!
      const rows = page.locator('.row-link')
      await rows.nth(1).click()
      const first = open()
      await page.keyboard.press('j')
      const second = open()
      assert.notEqual(second, first)
      await page.keyboard.press('Enter')
      await page.locator('.thread .body:focus').waitFor()
      assert.equal(open(), second)
      // A row that the keyboard has reached is what Enter opens.
      await rows.nth(0).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => ![first, second].some((id) => url.pathname.includes(id)))
      assert.deepEqual(visitor.problems, [])
    },
  )
}
