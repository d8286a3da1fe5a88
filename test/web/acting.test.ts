import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Request, Route } from 'playwright-core'
import PostalMime from 'postal-mime'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
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

for (const database of oneDatabase(1))
  test(
    `${database}: two threads are merged for everybody who has either open`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const colleague = await spool.makeUser('tom@shop.example', 'member', [spool.inbox])
      const first = await spool.receive({ subject: 'Order 4711', text: 'Where is it?' })
      const second = await spool.receive({ subject: 'My order again', text: 'The number is 4711.' })
      await spool.receive({
        from: 'Jonas Weber <jonas@weber.example>',
        subject: 'Something else',
        text: 'Hello.',
      })
      await using ada = await visit(spool, { browser })
      await using tom = await visit(spool, { browser })
      await signInAt(spool, ada, spool.ada, `/open/${second.threadId}`)
      await signInAt(spool, tom, colleague, `/open/${second.threadId}`)
      await tom.page.getByRole('article').waitFor()
      const { page } = ada
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Merge with…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Merge with another thread' })
      // Threads of the same person are suggested.
      await dialog.getByRole('button', { name: /Order 4711/ }).waitFor()
      assert.equal(await dialog.getByRole('button', { name: /Something else/ }).count(), 0)
      // An answer that comes late, to what was typed before, changes nothing.
      const asks = Promise.withResolvers<void>()
      const isAnswered = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<void>()
      const isHeld = (url: string): boolean => url.endsWith('q=else')
      const note = (request: Request): false | void => isHeld(request.url()) && ended.resolve()
      page.on('requestfinished', note).on('requestfailed', note)
      await page.route(
        ({ href }) => isHeld(href),
        async (route) => {
          asks.resolve()
          await isAnswered.promise
          // The page has given it up.
          await route.continue().catch(() => undefined)
        },
      )
      const typed = dialog.getByRole('textbox')
      await typed.fill('else')
      await asks.promise
      const answer = page.waitForEvent('requestfinished', (request) => request.url().endsWith('q=4711'))
      await typed.fill('4711')
      await answer
      isAnswered.resolve()
      await ended.promise
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
      assert.equal(await dialog.getByRole('button', { name: /Something else/ }).count(), 0)
      await dialog.getByRole('button', { name: /Order 4711/ }).click()
      const asked = page.getByRole('dialog', { name: 'Merge these two threads?' })
      // Both are shown before anything is done.
      for (const subject of ['Order 4711', 'My order again']) await asked.getByText(subject).waitFor()
      await asked.getByRole('button', { name: 'Merge', exact: true }).dblclick()
      await asked.waitFor({ state: 'detached' })
      for (const { page: each } of [ada, tom]) {
        await each.waitForURL(`**/open/${first.threadId}`)
        await each.getByRole('article').getByText('The number is 4711.').waitFor()
        await each.getByRole('article').getByText('Where is it?').waitFor()
        await each.getByText('Merged with another thread by Ada').waitFor()
        await until('one row less', async () => (await each.locator('.row-link').count()) === 2)
      }
      assert.equal(await page.getByRole('alert').count(), 0)
      // The old URL leads there too, and later changes show up live.
      await tom.page.goto(`/open/${second.threadId}`)
      await tom.page.waitForURL(`**/open/${first.threadId}`)
      await tom.page.getByRole('article').first().waitFor()
      await tom.page.keyboard.press('n')
      await tom.page.keyboard.type('Both are about the same parcel')
      await tom.page.keyboard.press('Enter')
      await page.locator('.note').getByText('Both are about the same parcel').waitFor()
      assert.deepEqual([...ada.problems, ...tom.problems], [])
    },
  )

for (const database of oneDatabase(0))
  test(
    `${database}: a mail is forwarded with its files and an added text`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '0' })
      await using sink = await startSmtpSink()
      await sendBy(spool.spool, spool.inbox, sink.port)
      const photo = Buffer.from('a photo, as far as anybody can tell')
      const { threadId } = await spool.receive({
        subject: 'Damaged on arrival',
        text: 'The corner is broken.',
        attachments: [{ filename: 'corner.jpg', type: 'image/jpeg', content: photo }],
      })
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      await page.keyboard.press('f')
      const card = page.getByRole('region', { name: 'Draft by Ada' })
      // There is no recipient yet, so that is where the cursor is.
      await until('the cursor is at To', () =>
        card.getByRole('combobox', { name: 'To', exact: true }).evaluate((field) => field.matches(':focus')),
      )
      await page.keyboard.type('workshop@maker.example')
      await page.keyboard.press('Enter')
      await card.getByText('corner.jpg').waitFor()
      await card.getByLabel('Text of the mail').fill('Can you mend this?')
      await card.getByText('Saved', { exact: true }).waitFor()
      await card.getByText('Also sent: signature and quoted text').click()
      await card.locator('.tail').getByText('The corner is broken.').waitFor()
      await page.keyboard.press('Control+Enter')
      const mail = await until('the mail', async () => sink.mails[0])
      assert.deepEqual(mail.to, ['workshop@maker.example'])
      const { subject, text, attachments } = await PostalMime.parse(mail.source)
      assert.match(subject!, /^Fwd?: Damaged on arrival$/)
      assert.match(text!, /^Can you mend this\?[\s\S]*The corner is broken\./)
      assert.deepEqual(
        attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer)]),
        [['corner.jpg', photo]],
      )
      await page.getByText('to workshop@maker.example · sent by Ada').waitFor()
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(1))
  test(
    `${database}: bulk assign, snooze and mark unread; a refused change is undone`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { tom } = await fillDesk(spool)
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada)
      const choose = async (...subjects: string[]): Promise<void> => {
        for (const subject of subjects)
          await page.locator('.row', { hasText: subject }).locator('.pick input').check({ force: true })
        await page.getByRole('toolbar', { name: `${subjects.length} selected` }).waitFor()
      }
      const bar = page.getByRole('toolbar')
      await choose('Bulk order', 'Change of delivery address', 'Invoice 2026-118')
      await bar.getByRole('button', { name: 'Assign' }).click()
      await page.getByRole('menuitem', { name: 'Tom' }).click()
      await bar.waitFor({ state: 'detached' })
      await until('Tom has three', async () => (await spool.threads(`?assignee=${tom.id}`)).length === 3)

      await choose('Bulk order', 'Change of delivery address')
      await bar.getByRole('button', { name: 'Snooze' }).click()
      await page.getByRole('menuitem', { name: /^Tomorrow/ }).click()
      await page.locator('.row', { hasText: 'Bulk order' }).waitFor({ state: 'detached' })
      const snoozed = await until('two sleep', async () => {
        const threads = await spool.threads('?status=snoozed')
        return threads.length === 2 && threads
      })
      for (const { snoozedUntil } of snoozed) assert.equal(new Date(snoozedUntil!).getHours(), 9)

      await choose('Re: Returning the blue one', 'Invoice 2026-118')
      await bar.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Mark as unread' }).click()
      await page.locator('.row:not(.read)', { hasText: 'Re: Returning the blue one' }).waitFor()
      await until('it is unread', async () =>
        (await spool.threads('?unread=1')).some(({ subject }) => subject.includes('blue one')),
      )

      // A list that was asked for before a change and comes after it does not take the change back.
      const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const hold = async (route: Route): Promise<void> => {
        const response = await route.fetch()
        asked.resolve()
        await answered.promise
        await route.fulfill({ response })
      }
      await page.route('**/app/api/threads?*', hold, { times: 1 })
      await spool.receive({ subject: 'Meanwhile' })
      await asked.promise
      await choose('Re: Returning the blue one')
      await bar.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Mark as read' }).click()
      await until('it is read', async () =>
        (await spool.threads('?unread=1')).every(({ subject }) => !subject.includes('blue one')),
      )
      answered.resolve()
      await page.locator('.row', { hasText: 'Meanwhile' }).waitFor()
      await page.locator('.row.read', { hasText: 'Re: Returning the blue one' }).waitFor()

      // One of two is refused: the message does not say that all were.
      const refused = (await spool.threads()).find(({ subject }) => subject.includes('Invoice 2026-118'))!
      await page.route(
        '**/app/api/threads/bulk',
        async (route) => {
          const { ids, action } = route.request().postDataJSON() as { ids: string[]; action: object }
          const others = ids.filter((id) => id !== refused.id)
          const response = await route.fetch({ postData: { ids: others, action } })
          const failed = [{ id: refused.id, message: 'Not today.' }]
          const body = JSON.stringify({ ...((await response.json()) as object), failed })
          await route.fulfill({ response, body })
        },
        { times: 1 },
      )
      await choose('Re: Returning the blue one', 'Invoice 2026-118')
      await bar.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Mark as unread' }).click()
      await page.getByText("Couldn't change 1 thread: Not today.").waitFor()

      await page.route('**/app/api/threads/bulk', (route) =>
        route.fulfill({
          status: 409,
          json: { statusCode: 409, message: 'Not today.', code: 'conflict', requestId: 'req_1' },
        }),
      )
      await choose('Re: Returning the blue one', 'Invoice 2026-118')
      await bar.getByRole('button', { name: 'Close' }).click()
      await page.getByText("Your change wasn't saved. Not today.").waitFor()
      await page.locator('.row', { hasText: 'Re: Returning the blue one' }).waitFor()
      await page.locator('.row', { hasText: 'Invoice 2026-118' }).waitFor()
      assert.deepEqual(await spool.threads('?status=closed'), [])
      assert.deepEqual(ada.problems, [])
    },
  )

for (const database of oneDatabase(0))
  test(
    `${database}: a person edits their own note, and everybody sees that it was edited`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { order, tom: colleague } = await fillDesk(spool)
      await using ada = await visit(spool, { browser })
      await using tom = await visit(spool, { browser })
      const path = `/open/${order.threadId}`
      await signInAt(spool, ada, spool.ada, path)
      await signInAt(spool, tom, colleague, path)
      const line = tom.page.locator('.note', { hasText: 'Carrier confirmed it leaves today.' })
      await line.waitFor()
      await ada.page.locator('.note').nth(2).waitFor()
      assert.equal(
        await ada.page.locator('.note').getByRole('button', { name: 'Edit' }).count(),
        1,
        'only her own',
      )
      await line.getByRole('button', { name: 'Edit' }).click()
      const field = tom.page.locator('.note textarea')
      await field.waitFor()
      await tom.page.keyboard.type(' Even so.')
      assert.equal(await field.inputValue(), 'Carrier confirmed it leaves today. Even so.')
      await field.fill('Carrier confirmed it leaves tomorrow.')
      await field.press('Enter')
      const changed = ada.page.locator('.note', { hasText: 'Carrier confirmed it leaves tomorrow.' })
      await changed.getByText('edited').waitFor()
      assert.equal(await ada.page.locator('.note').count(), 3)
      // Cancelling leaves it unchanged.
      const again = tom.page.locator('.note', { hasText: 'leaves tomorrow' })
      await again.getByRole('button', { name: 'Edit' }).click()
      await field.fill('Nonsense')
      await field.press('Escape')
      await tom.page.getByText('Carrier confirmed it leaves tomorrow.').waitFor()
      assert.deepEqual([...ada.problems, ...tom.problems], [])
    },
  )

for (const database of oneDatabase(2)) {
  const shared = shareSpool(database, { SPOOL_UNDO_SECONDS: '60' })

  test(
    `${database}: nothing is sent while a file is being attached, or without one that was chosen`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const { threadId } = await desk.receive()
      await using sink = await startSmtpSink()
      await sendBy(spool.spool, desk.inbox, sink.port)
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, desk.user, `/open/${threadId}`)
      await page.getByRole('article').waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('Both files are attached.')
      await page.getByText('Saved', { exact: true }).waitFor()
      const chosen = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      await page.route(/attachments\?/, async (route) => {
        await (route.request().url().includes('two.txt') ? released : chosen).promise
        await route.continue()
      })
      const files = ['one.txt', 'two.txt'].map((name) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(name),
      }))
      for (const file of files) await page.locator('.attach input').setInputFiles(file)
      chosen.resolve()
      await page.locator('.draft .files').getByText('Attaching two.txt…').waitFor()
      await page.getByLabel('Text of the mail').press('Control+Enter')
      await page.getByRole('alert').getByText('Attaching two.txt…').waitFor()
      released.resolve()
      await page.getByRole('button', { name: 'Remove two.txt' }).waitFor()
      assert.equal(await page.getByText(/^Sending to/).count(), 0)
      await page.getByLabel('Text of the mail').press('Control+Enter')
      await page.getByText(/^Sending to/).waitFor()
      assert.equal(await page.locator('.draft .file').count(), 2)
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: a double click on Forward makes one draft; selecting text beyond a dialog does not close it`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const { threadId } = await desk.receive()
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, desk.user, `/open/${threadId}`)
      await page.locator('.answer').getByRole('button', { name: 'Forward' }).dblclick()
      await page.getByRole('button', { name: 'Discard…' }).first().click()
      const reason = page.getByLabel('Reason')
      await reason.fill('The wrong person')
      const { x, y } = (await reason.boundingBox())!
      await page.mouse.move(x + 60, y + 8)
      await page.mouse.down()
      await page.mouse.move(x - 200, y + 8, { steps: 4 })
      await page.mouse.up()
      assert.equal(await reason.inputValue(), 'The wrong person')
      await page.keyboard.press('Enter')
      await page.locator('.answer').waitFor()
      assert.equal(await page.locator('.draft').count(), 0)
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: a pasted list of recipients is taken, each once, and what is no address stays in the field`,
    { skip: browserMissing },
    async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      await using visitor = await visit(spool, { browser })
      const { page } = visitor
      await signInAt(spool, visitor, desk.user, '/compose')
      const field = page.getByRole('combobox', { name: 'To', exact: true })
      await field.fill('x@weber.example')
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer()
        clipboardData.setData(
          'text',
          'a@brandt.example; Carla\\n"Roth, Jan" <jan@roth.example>, A@brandt.example, b@münchen.example, ' +
            'Weber, Jonas <jonas@weber.example>; Lind, Eva <eva@lind.example>',
        )
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
      })()`)
      await page.getByRole('alert').getByText('Carla is not a valid address.').waitFor()
      assert.equal(await field.inputValue(), 'Carla')
      const chosen = ['x@weber.example', 'a@brandt.example', 'Roth, Jan', 'b@münchen.example']
      chosen.push('Weber, Jonas', 'Lind, Eva')
      assert.deepEqual(await page.locator('.who').allInnerTexts(), chosen)
      assert.deepEqual(visitor.problems, [])
    },
  )
}
