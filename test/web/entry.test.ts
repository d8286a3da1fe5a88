import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { offerSetup } from '../../src/core/people/invitations.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk } from '../support/sample-desk.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

for (const database of oneDatabase(0))
  test(
    `${database}: the first admin is made by the link that the server prints, and invites a colleague`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      // The last one cannot be removed by any command.
      await spool.spool.db.transaction(async (db) => {
        await db.run(db.build.updateTable('users').set({ role: 'member' }).where('id', '=', spool.ada.id))
      })
      const link = await offerSetup(spool.spool)
      await using first = await visit(spool, { browser })
      await first.page.goto(link!.url)
      await first.page.getByLabel('Your name').fill('Grace')
      await first.page.getByLabel('E-mail').fill('grace@shop.example')
      await first.page.getByLabel(/^Password/).fill('short')
      await first.page.getByRole('button', { name: 'Get started' }).click()
      await first.page.getByText('A password needs at least 10 characters.').waitFor()
