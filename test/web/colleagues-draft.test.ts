import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { getDraft, listDrafts, proposeDraft } from '../../src/core/drafts/drafts.ts'
import { person, type Actor } from '../../src/model/access.ts'
import { browserMissing, signInAt, takePicture, visit, type Visitor } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { sendBy } from '../support/outgoing.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { makeRandom } from '../support/random.ts'
import { delayAnswers } from '../support/slow-answers.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

interface Team {
  spool: TestSpool
  desk: Desk
  visitor: Visitor
  page: Page
  tom: Actor
}

async function openTeam(spool: TestSpool): Promise<Team> {
  const desk = await openDesk(spool)
  const colleague = await spool.makeUser(`tom-${desk.inbox.id}@shop.example`, 'member', [desk.inbox])
  const visitor = await visit(spool, { browser })
  await signInAt(spool, visitor, desk.user, '/open')
  return { spool, desk, visitor, page: visitor.page, tom: person({ ...colleague, name: 'Tom' }) }
}

const theirs = 'Hello Carla,\n\nthe carrier has not answered us yet, I will try again before'

const question = (page: Page) => page.getByText('Tom has an unfinished draft here.')
const ownCard = (page: Page, { user }: Desk) =>
  page.getByRole('region', { name: `Draft by ${user.name}`, exact: true })
const tomsCard = (page: Page) => page.getByRole('region', { name: 'Draft by Tom', exact: true })

for (const database of oneDatabase(2)) {
  const share = shareSpool(database, { SPOOL_UNDO_SECONDS: '1' })

  test(
    `${database}: r on a thread with a colleague's draft asks which reply is meant, and keeps what is typed meanwhile`,
    { skip: browserMissing },
    async () => {
      const { spool, desk, visitor, page, tom } = await openTeam(await share())
      await using _ = visitor
      const { threadId } = await desk.receive({ subject: 'Where is it?' })
      const draft = await proposeDraft(spool.spool, tom, { threadId, text: theirs })
      await page.locator(`[data-thread="${threadId}"]`).getByText('Draft by Tom').waitFor()
      await page.locator(`[data-thread="${threadId}"]`).click()
      await tomsCard(page).waitFor()
      const own = ownCard(page, desk).getByLabel('Text of the mail')
      const textOf = async () => (await getDraft(spool.spool, desk.actor, draft.id)).text

      // Each way to a reply, and to the draft.
      for (const way of ['r', 'a', 'd', 'button', 'menu', 'palette']) {
        if (way === 'button') {
          await page.getByRole('button', { name: 'Reply', exact: true }).click()
        } else if (way === 'menu') {
          await page.getByRole('button', { name: 'More', exact: true }).first().click()
          await page.getByRole('menuitem', { name: /^Reply(?! all)/ }).click()
        } else if (way === 'palette') {
          await page.keyboard.press('Control+k')
          await page.keyboard.type('Reply')
          await page.keyboard.press('Enter')
        } else await page.keyboard.press(way)
        await question(page).waitFor()
        await takePicture(page, 'reply-question')
        assert.equal(await own.evaluate((field) => field.matches(':focus')), true, way)
        await ownCard(page, desk).getByRole('button', { name: 'Discard…' }).click()
        await page.getByRole('button', { name: 'Discard', exact: true }).click()
        await own.waitFor({ state: 'detached' })
      }

      // Nothing is sent or saved before there is a choice.
      await page.keyboard.type('re j \n# Hi', { delay: 15 })
      await page.keyboard.press('Control+Enter')
      await page.getByText('Choose a draft first.').waitFor()
      assert.equal(await own.inputValue(), 'e j \n# Hi')
      await page.getByRole('button', { name: "Continue Tom's draft" }).click()
      await page.keyboard.type('!')
      const both = `${theirs}\n\ne j \n# Hi!`
      assert.equal(await tomsCard(page).getByLabel('Text of the mail').inputValue(), both)
      await until('it is saved', async () => (await textOf()) === both)
      assert.equal(await own.count(), 0)

      // The other choice. After it there is a draft of one's own, so there is no question.
      await page.keyboard.press('Escape')
      await page.keyboard.type('rMine')
      await page.getByRole('button', { name: 'Write your own' }).click()
      await page.keyboard.type(', ')
      await ownCard(page, desk).getByText('Saved', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.type('rall')
      await page.keyboard.press('Escape')
      await page.keyboard.type('d of it')
      assert.equal(await own.inputValue(), 'Mine, all of it')
      assert.equal(await question(page).count(), 0)

      // Leaving the thread keeps what was typed as a draft of one's own.
      const other = await desk.receive({ subject: 'Another' })
      await proposeDraft(spool.spool, tom, { threadId: other.threadId, text: theirs })
      await page.keyboard.press('Escape')
      await page.locator(`[data-thread="${other.threadId}"]`).click()
      await tomsCard(page).waitFor()
      await page.keyboard.type('rLeft')
      await question(page).waitFor()
      await page.goBack()
      const kept = await until('a draft of what was typed', async () => {
        const about = { threadId: other.threadId, statuses: null }
        const { data } = await listDrafts(spool.spool, desk.actor, about)
        return data.length === 2 && data.find(({ author }) => author.id === desk.user.id)
      })
      assert.equal(kept.text, 'Left')
      assert.equal(await textOf(), both)
      const statuses = (await desk.threads()).map(({ status }) => status)
      assert.deepEqual(statuses, ['open', 'open'], 'nothing typed was taken for a command')
      assert.deepEqual(visitor.problems, [])
    },
  )

  const isLong = process.env['SPOOL_TEST_LONG'] === '1'
  test(
    `${database}: what quick hands type after r never ends in a colleague's draft that they did not choose`,
    { skip: browserMissing },
    async () => {
      const { spool, desk, visitor, page, tom } = await openTeam(await share())
      await using _ = visitor
      const random = makeRandom(42)
      const pick = <Choice>(choices: readonly Choice[]): Choice =>
        choices[Math.floor(random() * choices.length)]!
      const said = 'Hi, #e it j.'
      const wrong: string[] = []
      for (let round = 0; round < (isLong ? 150 : 6); round++) {
        const arrives = (['before', 'during', 'after'] as const)[round % 3]!
        const pause = pick([15, 30, 45, 70])
        const late = pick([0, 200, isLong ? 1500 : 400])
        const { threadId } = await desk.receive({ subject: `Round ${round}` })
        const begin = () => proposeDraft(spool.spool, tom, { threadId, text: theirs })
        let colleagues = arrives === 'before' ? begin() : null
        await colleagues
        await page.locator(`[data-thread="${threadId}"]`).waitFor()
        const delay = await delayAnswers(page, late)
        if (late > 0) delay.set()
        await page.locator(`[data-thread="${threadId}"]`).click()
        await page.keyboard.press('r')
        for (const [at, key] of [...said].entries()) {
          if (arrives === 'during' && at === 1 + (round % 10)) colleagues = begin()
          await page.keyboard.press(key, { delay: pause })
        }
        if (arrives === 'after') colleagues = begin()
        const draft = (await colleagues)!
        await tomsCard(page).waitFor()
        const own = ownCard(page, desk).getByLabel('Text of the mail')
        await own.waitFor()
        // What is typed after the draft arrived goes where the beginning went.
        await page.keyboard.type(' And.', { delay: pause })
        const text = await own.inputValue()
        if (text !== `${said} And.`) wrong.push(`${round} ${arrives} ${pause} ${late}: ${text}`)
        if ((await question(page).count()) > 0)
          await page.getByRole('button', { name: 'Write your own' }).click()
        await ownCard(page, desk).getByText('Saved', { exact: true }).waitFor()
        await delay.end()
        if ((await own.inputValue()) !== text) wrong.push(`${round}: own ${await own.inputValue()}`)
        const { data } = await listDrafts(spool.spool, desk.actor, { threadId, statuses: null })
        const saved = data.map((each) => [each.author.id === draft.author.id, each.text, each.revision])
        if (JSON.stringify(saved.find(([ofTom]) => ofTom)) !== JSON.stringify([true, theirs, 1]))
          wrong.push(`${round} ${arrives} ${pause} ${late}: ${JSON.stringify(saved)}`)
        const open = (await desk.threads()).filter(({ status }) => status === 'open').length
        if (open !== round + 1) wrong.push(`${round} ${arrives} ${pause} ${late}: a thread was closed`)
        await page.keyboard.press('Escape')
      }
      assert.deepEqual(wrong, [])
      assert.deepEqual(visitor.problems, [])
    },
  )

  test(
    `${database}: a mail that is mostly a colleague's text is confirmed once, whichever way it is sent`,
    { skip: browserMissing },
    async () => {
      const { spool, desk, visitor, page, tom } = await openTeam(await share())
      await using _ = visitor
      await using sink = await startSmtpSink()
      await sendBy(spool.spool, desk.inbox, sink.port)
      const sendings = {
        key: () => page.keyboard.press('Control+Enter'),
        button: () => tomsCard(page).getByRole('button', { name: 'Send', exact: true }).click(),
        close: () => tomsCard(page).getByRole('button', { name: 'Send and close' }).click(),
      }
      const confirm = page.getByRole('dialog', { name: "Send Tom's text?" })
      for (const [index, [way, send]] of Object.entries(sendings).entries()) {
        const { threadId } = await desk.receive({ subject: `Sent by ${way}` })
        await proposeDraft(spool.spool, tom, { threadId, text: theirs })
        await page.goto(`/open/${threadId}`)
        await tomsCard(page).getByLabel('Text of the mail').click()
        await page.keyboard.type('noon.')
        await send()
        await confirm.waitFor()
        await takePicture(page, 'confirm-text')
        // Hasty keys confirm nothing.
        for (const key of ['Enter', 'Space', 'Control+Enter']) await page.keyboard.press(key)
        await confirm.getByRole('button', { name: 'Cancel' }).click()
        await confirm.waitFor({ state: 'detached' })
        assert.equal(sink.mails.length, index)
        await send()
        await confirm.getByRole('button', { name: 'Send', exact: true }).click()
        await until('the mail', async () => sink.mails[index])
        const status = way === 'close' ? 'closed' : 'waiting'
        await until(status, async () => (await spool.thread(threadId)).status === status)
      }
      assert.deepEqual(visitor.problems, [])
    },
  )
}
