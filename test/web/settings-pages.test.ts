import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createToken } from '../../src/core/tokens/tokens.ts'
import { addWebhook } from '../../src/core/webhooks/webhooks.ts'
import type { InboxSettings, Teammate } from '../../src/model/settings.ts'
import { deviceName } from '../../web/src/settings/parts/device.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { examine, walkTo } from '../support/page-check.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { Receiver } from '../support/receiver.ts'
import { fillDesk, type SampleDesk } from '../support/sample-desk.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { openSession, signInAs } from '../support/web-client.ts'

let browser: Browser
let spool: TestSpool
let desk: SampleDesk
let receiver: Receiver
let webhookId: string
before(async () => {
  if (browserMissing) return
  browser = await launchChromium()
  receiver = await Receiver.start((_, response) => void response.writeHead(500).end('upstream is down'))
  spool = await startSpool('sqlite', { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })
  const owned = { email: spool.ada.email, url: receiver.url, types: [], inboxes: [] }
  webhookId = (await addWebhook(spool.spool, owned)).webhook.id
  desk = await fillDesk(spool)
  await createToken(spool.spool, {
    email: spool.ada.email,
    name: 'Ends soon',
    scopes: ['threads:read'],
    inboxes: [],
    lifetime: 3 * 86_400_000,
  })
  const web = await signInAs(spool, spool.ada)
  const noServer = { host: '127.0.0.1', port: 1, security: 'none', username: 'support' }
  await web.do('PATCH', `/settings/inboxes/${spool.inbox.id}`, {
    imap: { ...noServer, password: 'secret' },
    smtp: { ...noServer, password: 'secret' },
  })
  const person = { name: 'Grace', email: 'grace@shop.example', role: 'member' }
  await web.do('POST', '/invitations', { ...person, inboxes: [spool.inbox.id] })
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

interface SettingsPage {
  name: string
  path: string
  /** Present when the page is ready. */
  ready: string
  open?: (page: Page) => Promise<void>
}

const pages = (): SettingsPage[] => [
  { name: 'guide', path: '/settings/guide/people', ready: 'text=Create link' },
  { name: 'guide-mailbox', path: '/settings/guide/mailbox', ready: 'text=Connect another mailbox' },
  { name: 'inboxes', path: '/settings/inboxes', ready: 'text=Nothing is listening at' },
  { name: 'inbox', path: `/settings/inboxes/${spool.inbox.id}`, ready: 'text=Remove this inbox' },
  {
    name: 'inbox-servers',
    path: `/settings/inboxes/${spool.inbox.id}`,
    ready: 'text=Remove this inbox',
    open: async (page) => {
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByLabel('IMAP host').waitFor()
    },
  },
  {
    name: 'inbox-new',
    path: '/settings/inboxes/new',
    ready: 'text=Check and continue',
    open: async (page) => {
      await page.getByLabel('Email address').fill('team@gmail.com')
      await page.getByLabel('Mailbox password').focus()
      await page.getByText('imap.gmail.com').first().waitFor()
    },
  },
  { name: 'people', path: '/settings/people', ready: 'text=Pending invitations' },
  {
    name: 'person',
    path: '/settings/people',
    ready: 'text=Pending invitations',
    open: async (page) => {
      await page.getByRole('button', { name: 'Change Tom' }).click()
      await page.getByRole('button', { name: 'Create a password reset link' }).click()
      await page.getByRole('dialog').getByLabel('Link to share').waitFor()
    },
  },
  {
    name: 'tokens',
    path: '/settings/tokens',
    ready: 'text=Ends soon',
    open: async (page) => {
      await page.getByLabel('What is it for?').fill('Weekly report')
      await page.getByLabel('Which inboxes?').selectOption('some')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText("Copy it now: you won't see it again").waitFor()
    },
  },
  {
    name: 'agents',
    path: '/settings/agents',
    ready: 'table',
    open: async (page) => {
      await page.getByLabel('Agent name').fill('Reader')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText('3. Waiting for its first call').waitFor()
    },
  },
  {
    name: 'webhooks',
    path: '/settings/webhooks',
    ready: '.lines .chip',
    open: async (page) => {
      await page.getByLabel('Which events?').selectOption('some')
      await page.getByLabel('message.received').waitFor()
    },
  },
  { name: 'webhook', path: `/settings/webhooks/${webhookId}`, ready: 'text=upstream is down' },
  {
    name: 'numbers',
    path: '/settings/numbers',
    ready: '.chart',
    open: async (page) => {
      await page.getByText('Show as table').click()
    },
  },
  { name: 'profile', path: '/settings/profile', ready: 'text=this browser' },
  { name: 'shortcuts', path: '/settings/shortcuts', ready: '.keys' },
  { name: 'settings', path: '/settings', ready: '.settings-pages' },
  { name: 'no-such-page', path: '/settings/nothing', ready: "text=This settings page doesn't exist" },
]

const looks = [
  { name: 'light', width: 1440, height: 900 },
  { name: 'dark', width: 1024, height: 768, dark: true },
  { name: 'phone', width: 390, height: 844 },
]

for (const look of looks)
  test(
    `${look.name}: every settings page is complete, visible and accessible`,
    { skip: browserMissing },
    async () => {
      await using ada = await visit(spool, { ...look, browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, '/settings/profile')
      const faults: string[] = []
      for (const { name, path, ready, open } of pages()) {
        await walkTo(page, '/settings/shortcuts')
        await walkTo(page, path)
        await page.locator(ready).first().waitFor()
        await open?.(page)
        faults.push(...(await examine(page, `settings-${name}-${look.name}`)))
        if (name === 'person') await page.keyboard.press('Escape')
      }
      assert.deepEqual(faults, [])
      assert.deepEqual(ada.problems, [])
    },
  )

test('each settings page has its own URL', { skip: browserMissing }, async () => {
  await using ada = await visit(spool, { browser })
  const { page } = ada
  await signInAt(spool, ada, spool.ada, '/account')
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
  const kinds = new Set(['settings', 'people', 'inbox', 'webhook'])
  for (const { path, ready } of pages().filter(({ name }) => kinds.has(name))) {
    await page.goto(path)
    await page.locator(ready).first().waitFor()
  }
  const answer = await page.goto('/login')
  assert.equal(answer!.status(), 404)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await page.getByRole('link', { name: 'Go to the inbox' }).click()
  await page.locator('.row-link').first().waitFor()
})

const adminPages = ['guide', 'inboxes', 'people']

for (const role of ['member', 'viewer'] as const)
  test(`a ${role} sees no admin pages`, { skip: browserMissing }, async () => {
    const person = role === 'member' ? desk.tom : await spool.makeUser('vera@shop.example', 'viewer')
    await using visitor = await visit(spool, { browser })
    const { page } = visitor
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await signInAt(spool, visitor, person, '/settings')
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    const shown = await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('link')
      .evaluateAll((links) =>
        links.map(
          (link) =>
            (link as { getAttribute(name: string): string | null }).getAttribute('href')!.split('/')[2]!,
        ),
      )
    const closed = role === 'member' ? adminPages : [...adminPages, 'numbers', 'webhooks']
    assert.deepEqual(
      shown.filter((name) => closed.includes(name)),
      [],
    )
    assert.ok(shown.includes('tokens') && shown.includes('profile'))
    for (const name of closed) {
      await page.goto(`/settings/${name}`)
      const words = adminPages.includes(name)
        ? 'This page is for admins.'
        : 'This page is for members and admins.'
      await page.getByText(words).waitFor()
    }
    assert.deepEqual(
      asked.filter((path) => /^\/app\/api\/(settings|guide|invitations)/.test(path)),
      [],
    )
    assert.deepEqual(visitor.problems, [])
  })

test(
  'a token that expires within days is announced above the list until dismissed',
  { skip: browserMissing },
  async () => {
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, '/open')
    await page.getByText(/Your token “Ends soon” expires soon/).waitFor()
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.reload()
    await page.locator('.row-link').first().waitFor()
    await page.waitForTimeout(2500)
    assert.equal(await page.getByText('Ends soon').count(), 0)
  },
)

test('the numbers are available to screen readers', { skip: browserMissing }, async () => {
  await using ada = await visit(spool, { browser })
  const { page } = ada
  await signInAt(spool, ada, spool.ada, '/settings/numbers')
  const opened = (await spool.threads('?limit=100')).length
  const chart = page.getByRole('figure')
  await chart.getByText(`In 30 days, ${opened} threads were opened and 0 closed.`).waitFor()
  await chart.getByText('Show as table').click()
  const rows = await chart.getByRole('row').allInnerTexts()
  assert.equal(rows.length, 31)
  const figures = rows.slice(1).map((row) => Number(row.split('\t')[1]))
  assert.equal(
    figures.reduce((sum, figure) => sum + figure),
    opened,
  )
  await page.getByRole('row', { name: 'Waiting for review 2' }).waitFor()
  await page.getByLabel('Period').selectOption('7')
  await chart.getByText(/^In 7 days, /).waitFor()
  await page.getByLabel('Inbox', { exact: true }).selectOption({ label: desk.billing.name })
  await page.getByText('No open threads.').waitFor()
})

test(
  "a person who forgot their password chooses a new one through an admin's link",
  { skip: browserMissing },
  async () => {
    await using ada = await visit(spool, { browser })
    await signInAt(spool, ada, spool.ada, '/settings/people')
    await ada.page.getByRole('button', { name: 'Change Sofia' }).click()
    await ada.page.getByRole('button', { name: 'Create a password reset link' }).click()
    const link = await ada.page.getByRole('dialog').getByLabel('Link to share').inputValue()
    await using sofia = await visit(spool, { browser })
    await sofia.page.goto(link)
    await sofia.page.getByText('Sofia, choose a new password for sofia@shop.example.').waitFor()
    await sofia.page.getByLabel(/^Password/).fill('a password of her own')
    await sofia.page.getByRole('button', { name: 'Set password and sign in' }).click()
    await sofia.page.locator('nav.rail').getByText('Sofia').waitFor()
    await sofia.page.goto(link)
    await sofia.page.getByText('This link has been used or has expired.').waitFor()
    assert.deepEqual([...ada.problems, ...sofia.problems], [])
  },
)

test(
  'what an admin leaves as it was stays as another admin has changed it',
  { skip: browserMissing },
  async () => {
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, '/settings/people')
    await page.getByRole('button', { name: 'Change Tom' }).click()
    const web = await openSession(spool.spool, spool.url, spool.ada)
    const tom = `/settings/people/${desk.tom.id}`
    const inbox = `/settings/inboxes/${spool.inbox.id}`
    await web.do('PATCH', tom, { role: 'viewer', inboxes: [] })
    await page.getByRole('dialog').getByLabel('Name').fill('Tom T.')
    // A click beside the dialog loses nothing that was typed.
    await page.mouse.click(5, 5)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Change Tom T.' }).waitFor()
    const { data } = await web.do<{ data: Teammate[] }>('GET', '/settings/people')
    const { name, role, inboxes } = data.find(({ id }) => id === desk.tom.id)!
    assert.deepEqual({ name, role, inboxes }, { name: 'Tom T.', role: 'viewer', inboxes: [] })
    await walkTo(page, inbox)
    await page.getByLabel('Name', { exact: true }).fill('Help')
    await web.do('PATCH', inbox, { aliases: ['help@shop.example'] })
    await page
      .locator('form', { has: page.getByLabel('Name', { exact: true }) })
      .getByRole('button', { name: 'Save' })
      .click()
    await page.getByText('Saved.').waitFor()
    const { aliases } = await web.do<InboxSettings>('GET', inbox)
    assert.deepEqual(aliases, ['help@shop.example'])
    const rules = page.locator('.card', { hasText: 'Rules for agents' })
    await rules.getByLabel('Rules').fill('Never promise a date.')
    await web.do('PUT', `/inboxes/${spool.inbox.id}/agent-rules`, { text: 'Be brief.', version: 0 })
    await rules.getByRole('button', { name: 'Save' }).click()
    await rules.getByText('Someone else has changed these rules.').waitFor()
    await rules.getByText('1 version').click()
    await rules.getByText('Be brief.').waitFor()
    assert.equal(await rules.getByLabel('Rules').inputValue(), 'Never promise a date.')
    await rules.getByRole('button', { name: 'Save' }).click()
    await rules.getByText('2 versions').waitFor()
    await web.do('PATCH', tom, { name: 'Tom', role: 'member', inboxes: [spool.inbox.id] })
    await web.do('PATCH', inbox, { name: 'Support', aliases: [] })
    assert.deepEqual(ada.problems, [])
  },
)

test('what could not be saved or loaded says so', { skip: browserMissing }, async () => {
  await using ada = await visit(spool, { browser })
  const { page } = ada
  await signInAt(spool, ada, spool.ada, '/settings/notices')
  const failing = page.getByText("Can't reach Spool.")
  const sender = page.getByLabel('Send notices from')
  await sender.waitFor()
  await page.route(/sender|agent-rules|tokens\/tok/, (route) => route.abort())
  await sender.selectOption({ label: 'Support' })
  await failing.waitFor({ timeout: 15_000 })
  assert.equal(await sender.inputValue(), '', 'it is shown as it is')
  // Rules that are not loaded are not shown as none.
  await walkTo(page, `/settings/inboxes/${spool.inbox.id}`)
  const rules = page.locator('.card', { hasText: 'Rules for agents' })
  await rules.getByText("Can't reach Spool.").waitFor({ timeout: 15_000 })
  assert.equal(await rules.getByLabel('Rules').count(), 0)
  await walkTo(page, '/settings/tokens')
  const dialog = page.getByRole('dialog')
  const revoke = page.getByRole('button', { name: 'Revoke Ends soon' })
  await revoke.click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await revoke.click()
  assert.equal(await dialog.getByRole('alert').count(), 0, 'an earlier failure is not shown again')
})

test('the settings work by keyboard alone', { skip: browserMissing }, async () => {
  await using ada = await visit(spool, { browser })
  const { page } = ada
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await signInAt(spool, ada, spool.ada, '/open')
  await page.locator('.row-link').first().waitFor()
  assert.ok(!asked.some((path) => path.startsWith('/assets/settings')), 'the inbox does not load them')
  const settings = page.locator('nav.rail').getByRole('link', { name: 'Settings' })
  await settings.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Inboxes', level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Tokens' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor()
  // The heading has the focus, so the next Tab goes into the page.
  await page.locator('h1:focus', { hasText: 'Tokens' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.getByText('Token “By keyboard” created.').waitFor()
  await page.getByText('reads notes, proposes drafts · all inboxes', { exact: true }).waitFor()
  await page.locator('h1').focus()
  await page.keyboard.press('Escape')
  await page.locator('.row-link').first().waitFor()
  assert.match(page.url(), /\/open$/)
  assert.deepEqual(ada.problems, [])
})

test('a browser and its system are named, though most name others too', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0'
  const known = {
    'Chrome, Android': `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`,
    'Edge, Windows': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/131.0.0.0`,
    'Opera, Linux': `Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36 OPR/116.0.0.0`,
    'Safari, iPhone':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Firefox, Mac OS X':
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0',
  }
  for (const [name, said] of Object.entries(known)) assert.equal(deviceName(said), name)
  assert.deepEqual([deviceName('curl/8.0'), deviceName(null)], [null, null])
})
