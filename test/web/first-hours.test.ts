import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offerSetup } from '../../src/core/people/invitations.ts'
import { browserMissing, visit } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { startEmpty } from '../support/empty-spool.ts'
import { examine } from '../support/page-check.ts'

for (const database of databases)
  test(
    `${database}: before the set-up and before the first mailbox, the page says what to do`,
    { skip: browserMissing },
    async () => {
      await using server = await startEmpty(database)
      await using grace = await visit({ url: server.app.url })
      const { page } = grace
      await page.goto('/open')
      const link = `${server.app.url}/setup#…`
      await page
        .getByText(`Spool isn't set up yet. Open the link that the server printed when it started (${link})`)
        .waitFor()
      assert.deepEqual(await examine(page, 'sign-in-before-set-up'), [])

      await page.goto((await offerSetup(server.app.spool))!.url)
      await page.getByLabel('Your name').fill('Grace')
      await page.getByLabel('E-mail').fill('grace@shop.example')
      await page.getByLabel(/^Password/).fill('a long enough password')
      await page.getByRole('button', { name: 'Get started' }).click()
      await page.getByRole('heading', { name: 'Welcome, Grace' }).waitFor()

      for (const path of ['/open', '/compose']) {
        await page.goto(path)
        await page.getByText('No mailbox is connected yet').filter({ visible: true }).waitFor()
        assert.equal(await page.getByRole('combobox', { name: 'To' }).count(), 0)
        assert.deepEqual(await examine(page, `no-mailbox${path.replace('/', '-')}`), [])
      }
      await page.goto('/open')
      await page.getByRole('link', { name: 'Connect a mailbox' }).click()
      await page.getByLabel('Email address').waitFor()

      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('Password').waitFor()
      assert.equal(await page.getByText('set up yet').count(), 0)
      assert.deepEqual(grace.problems, [])
    },
  )
