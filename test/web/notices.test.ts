import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page, Worker } from 'playwright-core'
import { addNote } from '../../src/core/threads/notes.ts'
import { assignThread } from '../../src/core/threads/threads.ts'
import type { User } from '../../src/model/access.ts'
import { usualSettings, type NoticeSettings } from '../../src/model/notices/notices.ts'
import { deriveKeys } from '../../src/core/spool.ts'
import { browserMissing, signInAt, visit, type Visitor } from '../support/browser.ts'
import { openDesk } from '../support/desk.ts'
import { examine } from '../support/page-check.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startPushService, type PushServiceOfTests, type Subscription } from '../support/push-service.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { signInAs } from '../support/web-client.ts'

let browser: Browser
let spool: TestSpool
let push: PushServiceOfTests
let mia: User
before(async () => {
  if (browserMissing) return
  browser = await launchChromium()
  spool = await startSpool('sqlite', { SPOOL_FETCH_ALLOW: '127.0.0.0/8', SPOOL_UNDO_SECONDS: '0' })
  push = await startPushService(spool.spool.keys.push.publicKey)
  mia = await spool.makeUser('mia@team.example', 'member', [spool.inbox])
  await spool.makeUser('max@team.example', 'member', [await spool.makeInbox('other@shop.example')])
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
  await push?.[Symbol.asyncDispose]()
})

const skip = browserMissing

async function mention(thread: string, name = 'mia'): Promise<string> {
  return addNote(spool.spool, spool.actor, thread, `@${name} have a look`)
}

test('notices that came in large numbers since the last look can all be shown', { skip }, async () => {
  const desk = await openDesk(spool)
  const received = await desk.receiveAll(
    Array.from({ length: 70 }, (_, at) => ({ subject: `Question ${at + 1}` })),
  )
  const mention = async (from: number, to: number): Promise<void> => {
    for (const { threadId } of received.slice(from, to))
      await addNote(spool.spool, spool.actor, threadId, `@${desk.user.email}`)
  }
  await mention(0, 5)
  await using visitor = await visit(spool, { browser })
  const { page } = visitor
  await signInAt(spool, visitor, desk.user, '/notices')
  const shown = page.locator('.told li')
  await shown.first().waitFor()
  await page.keyboard.type('go')
  await page.locator('.rows').waitFor()
  await mention(5, 70)
  const badge = page.locator('nav.rail .badge')
  await until('all are counted', async () => Number(await badge.innerText()) >= 70)
  await page.locator('nav.rail a[href="/notices"]').click()
  const earlier = page.getByRole('button', { name: 'Show earlier' })
  await earlier.waitFor()
  await page.route(/\/notices\?cursor=/, (route) => route.abort())
  await earlier.click()
  await page.getByText("Can't reach Spool.").waitFor()
  await page.unrouteAll()
  await until('all are shown', async () => {
    if (await earlier.isVisible()) await earlier.click({ timeout: 2_000 }).catch(() => undefined)
    return (await shown.count()) === Number(await badge.innerText())
  })
  assert.deepEqual(visitor.problems, [])
})

test(
  'the badge, the title and the list are live, and opening the thread reads its notices',
  { skip },
  async () => {
    const { threadId: one } = await spool.receive({ subject: 'Lantern' }, { quiet: true })
    const { threadId: two } = await spool.receive({ subject: 'Kettle' }, { quiet: true })
    await using visitor = await visit(spool, { browser })
    const { page } = visitor
    await signInAt(spool, visitor, mia, '/notices')
    await page.getByText('No notices yet.').waitFor()
    await mention(one)
    await mention(two)
    await assignThread(spool.spool, spool.actor, two, mia)
    await page.locator('nav.rail .badge').getByText('3', { exact: true }).waitFor()
    await page.waitForFunction("document.title === '(3) Notices · Spool'")
    // The number and the list are read apart.
    await page.locator('.told li').nth(2).waitFor()
    assert.equal(await page.locator('.told li').count(), 3)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      assert.deepEqual(await examine(page, `notices-${width}`), [])
    }
    // A phone hides the column with the badge; the button that opens it tells instead.
    await page.getByRole('button', { name: 'Show views, 3 unread notices' }).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: /Ada mentioned you.*Lantern/ }).click()
    await page.getByRole('heading', { name: 'Lantern' }).waitFor()
    await page.locator('.notes.open').getByText('have a look').waitFor()
    await page.locator('nav.rail .badge').getByText('2', { exact: true }).waitFor()
    await page.goto(`/threads/${two}`)
    await page.locator('nav.rail .badge').waitFor({ state: 'detached' })
    // It is read as it comes, while one looks at the thread.
    await mention(two)
    const { db } = spool.spool
    await until('it was told and read', async () => {
      const told = await db.all(
        db.build.selectFrom('notices').select('read_at').where('user_id', '=', mia.id),
      )
      return told.length === 4 && told.every(({ read_at }) => read_at !== null)
    })
    await page.goto('/notices')
    await page.locator('.told li').nth(3).waitFor()
    assert.equal(await page.locator('.told li.unread').count(), 0)
    assert.deepEqual(visitor.problems, [])
  },
)

test('a notice that counts up while the list is open shows its new count', { skip }, async () => {
  // Quiet: otherwise it counts as well if the thread is assigned before it is looked at.
  const { threadId } = await spool.receive(
    { subject: 'Anvil', messageId: '<anvil@x.example>' },
    { quiet: true },
  )
  await assignThread(spool.spool, spool.actor, threadId, mia)
  await using visitor = await visit(spool, { browser })
  const { page } = visitor
  await signInAt(spool, visitor, mia, '/notices')
  await page.getByRole('link', { name: /Ada assigned a thread to you.*Anvil/ }).waitFor()
  // The list with the first message comes only after the one with both.
  const { promise: isAsked, resolve: noteAsked } = Promise.withResolvers<void>()
  const { promise: isShown, resolve: noteShown } = Promise.withResolvers<void>()
  let isHeld = false
  await page.route('**/notices', async (route) => {
    if (isHeld) return route.continue()
    isHeld = true
    const answer = await route.fetch()
    noteAsked()
    await isShown
    await route.fulfill({ response: answer })
  })
  await spool.receive({ inReplyTo: '<anvil@x.example>' })
  await isAsked
  await spool.receive({ inReplyTo: '<anvil@x.example>' })
  await page.getByRole('link', { name: /2 new messages in your thread.*Anvil/ }).waitFor()
  const late = page.waitForResponse('**/notices')
  noteShown()
  await (await late).finished()
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
  await page.getByRole('link', { name: /2 new messages in your thread.*Anvil/ }).waitFor()
  assert.deepEqual(visitor.problems, [])
})

test(
  'a note offers the people of its inbox, and a thread is followed or muted from its menu',
  { skip },
  async () => {
    const { threadId } = await spool.receive({ subject: 'Teapot' })
    await using visitor = await visit(spool, { browser })
    const { page } = visitor
    await signInAt(spool, visitor, spool.ada, `/threads/${threadId}`)
    const field = page.getByLabel('Write a note…')
    await field.fill('Look, @m')
    await page.getByRole('option', { name: 'mia' }).waitFor()
    assert.equal(await page.getByRole('option', { name: 'max' }).count(), 0, 'max does not see this inbox')
    await field.press('Enter')
    assert.equal(await field.inputValue(), 'Look, @mia ')
    // Wherever it is typed; and nobody has to tell themselves.
    await field.press('Home')
    await page.keyboard.type('@')
    await page.getByRole('option', { name: 'mia' }).waitFor()
    assert.equal(await page.getByRole('option', { name: 'Ada' }).count(), 0)
    await page.getByRole('option', { name: 'mia' }).click()
    assert.equal(await field.inputValue(), '@mia Look, @mia ')
    await page.keyboard.type('now ')
    assert.equal(await field.inputValue(), '@mia now Look, @mia ')
    await field.fill('')
    await page.locator('header.head').getByRole('button', { name: 'More' }).click()
    await page.getByText('Mute this thread').click()
    await page.getByText('Muted. You').waitFor()
    await page.locator('header.head').getByRole('button', { name: 'More' }).click()
    await page.getByText('Unmute').waitFor()
    assert.deepEqual(visitor.problems, [])
  },
)

/** Headless Chromium has no push service: what `subscribe` gives is the tests' own, and all else is the page's. */
async function fakeSubscriptions(context: BrowserContext, subscription: Subscription): Promise<void> {
  await context.addInitScript(`(() => {
    const given = ${JSON.stringify(subscription)}
    const subscription = {
      endpoint: given.endpoint,
      toJSON: () => given,
      get options() {
        const text = localStorage.getItem('subscribed').replaceAll('-', '+').replaceAll('_', '/')
        return { applicationServerKey: Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer }
      },
      unsubscribe: async () => localStorage.removeItem('subscribed'),
    }
    const manager = {
      async subscribe({ applicationServerKey }) {
        localStorage.setItem('subscribed', applicationServerKey)
        return subscription
      },
      getSubscription: async () => (localStorage.getItem('subscribed') ? subscription : null),
    }
    globalThis.PushManager ??= Object
    // It says denied whatever was granted; what asking for it answers is true.
    Object.defineProperty(Notification, 'permission', { value: 'default' })
    Object.defineProperty(ServiceWorkerRegistration.prototype, 'pushManager', { get: () => manager })
  })()`)
}

/** What the push service got goes to the real service worker, as a browser would hand it over. */
async function deliver(page: Page, data: unknown): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(spool.url))
      if (found) resolve(found.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  const registrationId = await registered
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin: `${spool.url}/`,
    registrationId,
    data: JSON.stringify(data),
  })
}

async function workerOf(context: BrowserContext): Promise<Worker> {
  return until('the service worker', async () => context.serviceWorkers()[0])
}

test('a browser subscribes, shows a push, and its click leads to the thread', { skip }, async () => {
  const { threadId } = await spool.receive({ subject: 'Candlestick', from: 'Nora <nora@x.example>' })
  await using visitor = await visit(spool, { browser, serviceWorker: true })
  const { page, context } = visitor
  const subscription = push.subscribe()
  await fakeSubscriptions(context, subscription)
  await context.grantPermissions(['notifications'])
  await signInAt(spool, visitor, mia, '/settings/notices')
  await page.getByLabel('Email: Someone mentions you').selectOption('digest')
  await page.getByRole('button', { name: 'Turn on in this browser' }).click()
  await page.getByText('this one').waitFor()
  const chosen = await page.getByLabel('Email: Someone mentions you').inputValue()
  assert.equal(chosen, 'digest', 'what is not saved yet is kept')
  const asked = await page.evaluate(`localStorage.getItem('subscribed')`)
  assert.equal(asked, spool.spool.keys.push.publicKey)
  await page.getByRole('button', { name: 'Send a test' }).first().click()
  await until('the test came', async () =>
    push.received.some(({ message }) => message.title === 'This is a test notice'),
  )
  await page.getByText(/last push/).waitFor()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 1000 })
    assert.deepEqual(await examine(page, `notice-settings-${width}`), [])
  }
  await mention(threadId)
  const { message } = await until('the mention came', async () =>
    push.received.find(({ endpoint, message }) => endpoint === subscription.endpoint && message.body !== ''),
  )
  assert.deepEqual([message.title, message.body], ['Ada mentioned you', 'Nora: Candlestick'])

  // Whoever looks at Spool is not told a second time; with every window closed, it is shown.
  const worker = await workerOf(context)
  // Nor has it a place to show notifications: what the worker asks for is kept instead.
  await worker.evaluate(`self.shown = []
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      self.shown.push({ title, ...options })
    }`)
  const shown = (): Promise<{ title: string; body: string }[]> => worker.evaluate(`self.shown`)
  const blank = await context.newPage()
  await page.goto('about:blank')
  await deliver(blank, message)
  await until('it is shown', async () => (await shown()).length === 1)
  assert.equal((await shown())[0]!.body, 'Nora: Candlestick')
  const click = (): Promise<void> =>
    worker.evaluate(`{
      const click = new ExtendableEvent('notificationclick')
      click.notification = { data: self.shown[0].data, close: () => (self.closed = true) }
      self.dispatchEvent(click)
    }`)
  // A window with another document than the page is not led there: with no other one a new one is opened.
  await worker.evaluate(`Clients.prototype.openWindow = async (url) => void (self.opened = url)`)
  await blank.goto('/docs')
  await click()
  assert.equal(await until('a window is opened', () => worker.evaluate(`self.opened`)), message.url)
  // With this the page listens to the worker.
  const listening = page.waitForResponse((response) => response.url().endsWith('/notices/browsers'))
  await page.goto('/open')
  await listening
  await click()
  await page.getByRole('heading', { name: 'Candlestick' }).waitFor()
  assert.match(page.url(), new RegExp(`/threads/${threadId}`))
  assert.equal(await worker.evaluate(`self.closed`), true)

  // A browser that subscribed before the key was changed subscribes again by itself.
  const key = deriveKeys('the secret before this one').push.publicKey
  await page.evaluate(`localStorage.setItem('subscribed', '${key}')`)
  await Promise.all([page.waitForResponse(/notices.browsers$/), page.goto('/open')])
  assert.equal(await page.evaluate(`localStorage.getItem('subscribed')`), asked)
})

test('a browser that refuses is told how to allow it', { skip }, async () => {
  await using visitor = await visit(spool, { browser, width: 390 })
  const { page } = visitor
  await visitor.context.addInitScript(`globalThis.PushManager ??= Object
    Object.defineProperty(Notification, 'permission', { value: 'denied' })`)
  await signInAt(spool, visitor, mia, '/settings/notices')
  await page.getByText('Notifications are blocked for this site.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Turn on in this browser' }).count(), 0)
  assert.deepEqual(await examine(page, 'notice-settings-refused'), [])
})

test('what is chosen is saved: per kind, way and inbox, with quiet hours', { skip }, async () => {
  await using visitor = await visit(spool, { browser })
  const { page } = visitor
  await signInAt(spool, visitor, mia, '/settings/notices')
  await page.getByLabel('Push: Someone mentions you').uncheck()
  await page.getByLabel('Email: A thread is assigned to you').selectOption('digest')
  await page.getByLabel('Inbox', { exact: true }).selectOption({ label: 'Support' })
  await page.getByLabel('In Spool: New mail in an unassigned thread').check()
  await page.getByLabel('Quiet hours').check()
  await page.getByLabel('From', { exact: true }).fill('21:30')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.reload()
  await page.getByLabel('From', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('From', { exact: true }).inputValue(), '21:30')
  assert.equal(await page.getByLabel('Push: Someone mentions you').isChecked(), false)
  assert.equal(
    await page.getByLabel('In Spool: New mail in an unassigned thread').isChecked(),
    false,
    'elsewhere',
  )
  await page.getByLabel('Inbox', { exact: true }).selectOption({ label: 'Support' })
  assert.equal(await page.getByLabel('In Spool: New mail in an unassigned thread').isChecked(), true, 'here')
  const save = async (): Promise<NoticeSettings> => {
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByRole('button', { name: 'Save' }).click()
    return ((await (await saved).json()) as { settings: NoticeSettings }).settings
  }
  await page.getByLabel('In Spool: New mail in an unassigned thread').uncheck()
  assert.deepEqual(Object.values((await save()).inboxes), [{}], 'it is no exception any more')
  assert.deepEqual(visitor.problems, [])
})

test('somebody who has moved can have the times in their new time zone', { skip }, async () => {
  await using visitor = await visit(spool, { browser, timeZone: 'America/New_York' })
  const { page } = visitor
  const web = await signInAs(spool, mia)
  const settings = { ...usualSettings, quiet: { from: '22:00', until: '07:00' }, zone: 'Europe/Berlin' }
  await web.do('PUT', '/notices/settings', settings)
  await signInAt(spool, visitor, mia, '/settings/notices')
  await page.getByText('Times are in Europe/Berlin.').waitFor()
  await page.getByRole('button', { name: 'Use America/New_York' }).click({ timeout: 15_000 })
  await page.getByText('Times are in America/New_York.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.reload()
  await page.getByText('Times are in America/New_York.').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Use / }).count(), 0)
  assert.deepEqual(visitor.problems, [])
})

test('Spool can be installed, and opened offline it says so', { skip }, async () => {
  await using own = await startSpool('sqlite')
  await using visitor: Visitor = await visit(own, { browser, serviceWorker: true })
  const { page, context } = visitor
  await signInAt(own, visitor, own.ada)
  const manifest = (await (await fetch(`${own.url}/manifest.webmanifest`)).json()) as {
    icons: { src: string; sizes: string }[]
    display: string
  }
  assert.equal(manifest.display, 'standalone')
  for (const { src } of manifest.icons) {
    const icon = await fetch(own.url + src)
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/png'])
  }
  const worker = await workerOf(context)
  await until('the page is kept', async () => await worker.evaluate(`caches.match('/').then(Boolean)`))
  assert.deepEqual(
    await worker.evaluate(
      `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((each) => each.keys())))).then((all) => all.flat().filter(({ url }) => url.includes('/app/')).length)`,
    ),
    0,
    'and no answer of the server',
  )
  await own.app[Symbol.asyncDispose]()
  await page.goto('/open')
  await page.getByText("Can't reach Spool.").waitFor()
  assert.deepEqual(await examine(page, 'notices-offline'), [])
})
