import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { examine } from '../support/page-check.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk, type SampleDesk } from '../support/sample-desk.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
let spool: TestSpool
let desk: SampleDesk
before(async () => {
  if (browserMissing) return
  browser = await launchChromium()
  spool = await startSpool('sqlite')
  desk = await fillDesk(spool)
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
})

/** What the palette offers, as `Close the thread e`. */
async function offersOf(palette: Locator): Promise<string[]> {
  await palette.getByRole('menuitem').first().waitFor()
  return palette.getByRole('menuitem').allInnerTexts()
}

test(
  'the palette offers every action, place, inbox and person, with the keys beside',
  { skip: browserMissing },
  async () => {
    await using ada = await visit(spool, { browser })
    const { page } = ada
    const { keyboard } = page
    await signInAt(spool, ada, spool.ada, `/open/${desk.photos.threadId}`)
    await page.getByRole('article').waitFor()
    // Moving on is offered once there are rows to move to.
    await page.locator('.row-link').first().waitFor()
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await keyboard.press('Control+k')
    const offers = (await offersOf(palette)).map((offer) => offer.replaceAll(/\s+/g, ' ').trim())

    // What the help page lists can be found here too, with the same key beside it.
    await keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.locator('dl > div').first().waitFor()
    const rows = await help.locator('dl > div').evaluateAll((all) =>
      all.map((row) => ({
        name: row.querySelector('dd')!.textContent,
        // A second key stands after the word "or".
        keys: [...row.querySelector('dt')!.childNodes]
          .map((node) => node.textContent)
          .join(' ')
          .split(/ +or +/)[0]!,
      })),
    )
    assert.ok(rows.length >= 30, `${rows.length} shortcuts`)
    // There is no draft, nothing done or searched for, and the palette is not offered in itself.
    const elsewhere = new Set(['Ctrl Enter', 'd', 'z', '.', ',', 'Ctrl K'])
    for (const { name, keys } of rows)
      if (!elsewhere.has(keys))
        assert.ok(offers.includes(`${name} ${keys}`), `${name} ${keys} in\n${offers.join('\n')}`)
    await keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    for (const name of ['Merge with another thread', 'Print the thread', 'Change the theme', 'Sign out'])
      assert.ok(offers.includes(name), `${name} in\n${offers.join('\n')}`)
    for (const name of ['Settings: Inboxes', 'Settings: People and roles', 'Settings: Tokens'])
      assert.ok(offers.includes(name), `${name} in\n${offers.join('\n')}`)
    assert.ok(offers.includes(desk.billing.name), desk.billing.name)
    assert.ok(!offers.includes('Send Ctrl Enter'), 'mail leaves from its own draft only')

    // From the search field to another list, and on by keys.
    await keyboard.press('/')
    await keyboard.press('Control+k')
    await keyboard.type('all open')
    await offersOf(palette)
    await keyboard.press('Enter')
    await page.waitForURL(/\/open$/)
    await keyboard.press('j')
    await page.waitForURL(/\/open\/thr_/)
    await page.goto(`/open/${desk.photos.threadId}`)
    await page.getByRole('article').waitFor()

    // An action of the open thread.
    await keyboard.press('Control+k')
    await keyboard.type('ass')
    await offersOf(palette)
    assert.deepEqual(await examine(page, 'palette'), [])
    await keyboard.press('Enter')
    await page.getByRole('dialog', { name: /Assigned to Sofia/ }).waitFor()
    await keyboard.type('tom')
    await keyboard.press('Enter')
    await until(
      'it is assigned',
      async () => (await spool.thread(desk.photos.threadId)).assignment?.id === desk.tom.id,
    )

    // A place, by arrows.
    await keyboard.press('Control+k')
    await keyboard.type('snoozed')
    await offersOf(palette)
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.waitForURL('**/snoozed')

    // A colleague, a customer, and words.
    await keyboard.press('Control+k')
    await keyboard.type('sof')
    await palette.getByRole('menuitem', { name: /Sofia/ }).waitFor()
    await keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=assignee%3Asofia/)
    await keyboard.press('Meta+k')
    await keyboard.type('carl')
    await palette.getByRole('menuitem', { name: /Carla Brandt/ }).click()
    await page.waitForURL(/\/search\?q=carla%40brandt/)
    await page.getByText('Order 4711 has not arrived').first().waitFor()
    await keyboard.press('Control+k')
    await keyboard.type('wrong vat')
    await palette.getByRole('menuitem', { name: 'Search mail for “wrong vat”' }).waitFor()
    await keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=wrong\+vat/)
    assert.deepEqual(ada.problems, [])
  },
)

test(
  'keys typed at once belong to the palette, however late its list comes',
  { skip: browserMissing },
  async () => {
    await using ada = await visit(spool, { browser })
    const { page } = ada
    const { keyboard } = page
    let letThrough = (): void => undefined
    const wait = new Promise<void>((resolve) => (letThrough = resolve))
    await page.route('**/assets/choices-*.js', async (route) => {
      await wait
      await route.continue()
    })
    await signInAt(spool, ada, spool.ada, `/open/${desk.newsletter.threadId}`)
    await page.getByRole('article').waitFor()
    await keyboard.press('n')
    await keyboard.type('half a note')
    // Also from within a field.
    await keyboard.press('Control+k')
    await keyboard.type('closed')
    await keyboard.press('Enter')
    letThrough()
    await page.waitForURL('**/closed')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await spool.thread(desk.newsletter.threadId)).status, 'open')
    assert.deepEqual(ada.problems, [])
  },
)

test('a viewer is offered nothing that changes anything', { skip: browserMissing }, async () => {
  const viewer = await spool.makeUser('vera@shop.example', 'viewer', [spool.inbox])
  await using vera = await visit(spool, { browser })
  const { page } = vera
  await signInAt(spool, vera, viewer, `/open/${desk.newsletter.threadId}`)
  await page.getByRole('article').waitFor()
  await page.locator('.row-link').first().waitFor()
  await page.keyboard.press('Control+k')
  const offers = await offersOf(page.getByRole('dialog', { name: 'Command palette' }))
  for (const name of ['Close the thread', 'Assign', 'Reply', 'New message', 'Merge with another thread'])
    assert.ok(!offers.some((offer) => offer.startsWith(name)), name)
  assert.ok(!offers.some((offer) => offer.startsWith('Settings: People')))
  assert.ok(offers.some((offer) => offer.startsWith('Next thread')))
  await takePicture(page, 'palette-viewer')
  assert.deepEqual(vera.problems, [])
})
