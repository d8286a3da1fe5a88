import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { offerSetup } from '../../src/core/people/invitations.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
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

for (const database of oneDatabase(0))
  test(
    `${database}: the printed link creates the first admin, who invites a colleague`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      // No command can remove the last admin.
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
      await takePicture(first.page, 'set-up-light')
      await first.page.getByLabel(/^Password/).fill('a long enough password')
      await first.page.getByRole('button', { name: 'Get started' }).click()
      await first.page.getByRole('heading', { name: 'Welcome, Grace' }).waitFor()

      await first.page.goto('/settings/people')
      const form = first.page.locator('.card', { hasText: 'Invite someone' })
      await form.getByLabel('Name').fill('Alan')
      await form.getByLabel('E-mail').fill('alan@shop.example')
      await form.getByRole('button', { name: 'Create link' }).click()
      const url = await form.getByLabel('Link to share').inputValue()
      await using second = await visit(spool, { browser })
      await second.page.goto(url)
      await second.page.getByText('Alan, choose a password for alan@shop.example.').waitFor()
      await second.page.getByLabel(/^Password/).fill('another long password')
      await second.page.getByRole('button', { name: 'Join' }).click()
      await second.page.locator('nav.rail').getByText('Alan').waitFor()
      await second.page.getByRole('button', { name: 'Sign out' }).click()
      await second.page.getByLabel('E-mail').waitFor()
      await second.page.goto(url)
      await second.page.getByText('This invitation has been used').waitFor()
      assert.deepEqual([...first.problems, ...second.problems], [])
    },
  )

test('before anybody has signed in, nothing fails in the browser', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  await using somebody = await visit(spool, { browser })
  const { page } = somebody
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.goto('/')
  await page.getByLabel('E-mail').waitFor()
  assert.deepEqual(said, [])
})

test(
  'a used set-up link says that Spool is set up, and leads to the sign-in',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    await using somebody = await visit(spool, { browser })
    const { page } = somebody
    await page.goto('/setup#used-before')
    await page.getByText('Spool is already set up.').waitFor()
    assert.equal(await page.getByLabel('Your name').count(), 0)
    await takePicture(page, 'set-up-over')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in to Spool' }).waitFor()
  },
)

test(
  'who forgot the password learns what to do, or gets a link by mail',
  { skip: browserMissing },
  async () => {
    await using sink = await startSmtpSink()
    const askFor = async (environment: Record<string, string>, then: (page: Page) => Promise<void>) => {
      await using spool = await startSpool('sqlite', environment)
      await using somebody = await visit(spool, { browser })
      await somebody.page.goto('/')
      await somebody.page.getByRole('button', { name: 'Forgot your password?' }).click()
      await then(somebody.page)
      assert.deepEqual(somebody.problems, [])
    }
    await askFor({}, async (page) => {
      await page.getByText('Ask an admin for a link to choose a new one').waitFor()
      await takePicture(page, 'forgotten-ask-an-admin')
    })
    const environment = {
      SPOOL_NOTICE_SMTP: `smtp://127.0.0.1:${sink.port}?tls=none`,
      SPOOL_NOTICE_FROM: 'spool@shop.example',
    }
    await askFor(environment, async (page) => {
      await page.getByLabel('E-mail').last().fill('ada@shop.example')
      await page.getByRole('button', { name: 'Send me a link' }).click()
      await page.getByText('a link to choose a new password is on its way').waitFor()
      await takePicture(page, 'forgotten-mailed')
      const [mail] = await until('the mail', async () => sink.mails.length > 0 && sink.mails)
      const { text } = await parseMail(Buffer.from(mail!.source))
      await page.goto(/http\S+/.exec(text.split('Choose one here:')[1]!)![0])
      await page.getByLabel(/^Password/).fill('a new long password')
      await page.getByRole('button', { name: 'Set password and sign in' }).click()
      await page.locator('nav.rail').waitFor()
    })
  },
)

test('a wrong password does not reveal which accounts exist', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  await using somebody = await visit(spool, { browser })
  const { page } = somebody
  const said: string[] = []
  for (const email of [spool.ada.email, 'nobody@shop.example']) {
    await page.goto('/')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('wrong password')
    await page.keyboard.press('Enter')
    said.push((await page.getByRole('alert').textContent())!)
  }
  assert.equal(said[0], said[1])
})

test(
  'files are dropped on a draft, pasted and removed; remote images are loaded on request',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const desk = await fillDesk(spool)
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, `/open/${desk.photos.threadId}`)
    await page.getByRole('article').waitFor()
    await page.getByRole('button', { name: 'Image corner.png' }).click()
    await page.getByRole('dialog', { name: 'corner.png' }).locator('img').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await page.keyboard.type('See the file.')
    for (const kind of ['drop', 'paste'])
      await page.locator('.draft textarea').evaluate((field, type) => {
        const DataTransferOf = (
          globalThis as never as Record<string, new () => { items: { add(file: File): void } }>
        )['DataTransfer']!
        const data = new DataTransferOf()
        data.items.add(new File(['words'], `${type}ped.txt`, { type: 'text/plain' }))
        const events = globalThis as never as Record<string, new (name: string, options: object) => Event>
        const options = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data }
        field.dispatchEvent(new events[type === 'drop' ? 'DragEvent' : 'ClipboardEvent']!(type, options))
      }, kind)
    await page.getByText('dropped.txt').waitFor()
    await page.getByText('pasteped.txt').waitFor()
    await page.getByRole('button', { name: 'Remove dropped.txt' }).click()
    await page.getByText('dropped.txt').waitFor({ state: 'detached' })

    await page.goto(`/open/${desk.newsletter.threadId}`)
    await page.getByText("Pictures aren't loaded automatically").waitFor()
    assert.deepEqual(ada.problems, [])
    await page.getByRole('button', { name: 'Show pictures' }).click()
    // By Spool, which finds no such host; the browser asks nobody else.
    await page.getByText("couldn't be loaded").waitFor()
    assert.deepEqual(ada.problems, [])
  },
)

test(
  'text pasted from Word or Excel is pasted as text, although its picture is in the clipboard too',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    await using ada = await visit(spool, { browser })
    const { page } = ada
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signInAt(spool, ada, spool.ada, '/compose')
    const field = page.getByLabel('Text of the mail')
    const paste = async (types: Record<string, string>): Promise<void> => {
      await page.evaluate(`(async () => {
        const types = ${JSON.stringify(types)}
        const canvas = Object.assign(document.createElement('canvas'), { width: 4, height: 4 })
        const picture = new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture, ...types })])
      })()`)
      await field.focus()
      await page.keyboard.press('Control+v')
    }
    await paste({ 'text/plain': 'Item\tPrice\nHinge\t4.20', 'text/html': '<table><td>Item</table>' })
    await until('the text', async () => (await field.inputValue()) === 'Item\tPrice\nHinge\t4.20')
    await paste({ 'text/html': '<style>p {}</style><p>From <b>Word</b></p>' })
    await until('the text alone', async () => (await field.inputValue()).endsWith('4.20From Word'))
    assert.equal(await page.locator('.draft .files').count(), 0)

    // A picture that was copied from a web page, and a screenshot.
    await paste({ 'text/html': '<img src="https://shop.example/hinge.png" alt="Hinge">' })
    await page.getByRole('button', { name: 'Remove image.png' }).waitFor()
    await paste({})
    await until(
      'both',
      async () => (await page.getByRole('button', { name: 'Remove image.png' }).count()) === 2,
    )
    assert.match(await field.inputValue(), /Word$/)
    assert.deepEqual(ada.problems, [])
  },
)
