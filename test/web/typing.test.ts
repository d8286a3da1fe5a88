import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { addUser } from '../../src/core/people/people.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, type Desk } from '../support/desk.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { delayAnswers, type Delay } from '../support/slow-answers.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

/** Somebody who types without waiting for the page. */
interface Typist {
  desk: Desk
  page: Page
  /** How long every server answer takes. */
  delay: Delay
  type(keys: string): Promise<void>
  press(key: string): Promise<void>
}

/** Returns what went wrong, or null. */
type Sequence = (typist: Typist, round: number) => Promise<string | null>

/** A thread of which the page has only the row. */
async function receiveThread({ desk, page }: Typist, subject: string): Promise<string> {
  const { threadId } = await desk.receive({ subject, text: 'Where is it?' })
  await page.locator('.row', { hasText: subject }).waitFor()
  return threadId
}

const sequences: Record<string, Sequence> = {
  async 'a recipient typed past a suggestion'({ page, type, press, delay }, round) {
    delay.set()
    await page.keyboard.press('c')
    const to = page.getByRole('combobox', { name: 'To', exact: true })
    await until('the cursor is at To', () => to.evaluate((field) => field.matches(':focus')))
    await type('car')
    await page.getByRole('option', { name: /Carla Brandt/ }).waitFor()
    await type('men@other.example')
    await press(round % 2 === 0 ? 'Tab' : 'Enter')
    const chips = page.locator('.who')
    await chips.first().waitFor()
    const taken = await chips.evaluateAll((all) => all.map((chip) => chip.getAttribute('title')))
    await to.focus()
    await page.keyboard.press('Backspace')
    await chips.first().waitFor({ state: 'detached' })
    return taken.join() === 'carmen@other.example' ? null : `the recipient is ${taken.join()}`
  },

  async 'two closed together, then spam'(typist, round) {
    const { desk, page, type, delay } = typist
    const names = ['four', 'three', 'two', 'one'].map((name) => `Select ${round} ${name}`)
    const ids: string[] = []
    for (const name of names) ids.unshift(await receiveThread(typist, name))
    delay.set()
    await type('jxjxe#')
    const read = (): Promise<string[]> => Promise.all(ids.map(async (id) => (await desk.thread(id)).status))
    await until('something is spam', async () => (await read()).includes('spam'))
    await until('all is answered', async () => delay.waiting === 0)
    const statuses = await read()
    if (statuses.join() !== 'closed,closed,spam,open') return `the threads are ${statuses.join()}`
    await type('xgc')
    await page.waitForURL('**/closed').catch(async (error: Error) => {
      const dialogs = await page.locator('dialog[open], [role=menu], textarea').count()
      throw new Error(`the page is at ${page.url()} with ${dialogs} dialogs: ${error.message}`)
    })
    const bars = await page.getByRole('toolbar').count()
    return bars === 0 ? null : 'the selection survived a change of view'
  },

  async 'an answer typed while its thread opens'(typist, round) {
    const { desk, page, type, delay } = typist
    const id = await receiveThread(typist, `Ahead ${round}`)
    delay.set()
    await page.locator(`[data-thread="${id}"]`).click()
    await type('rHello there')
    const field = page.getByLabel('Text of the mail')
    const text = await until('the answer has its words', async () => {
      if ((await field.count()) === 0) return false
      const value = await field.inputValue()
      return value.endsWith('there') && value
    })
    await until('all is answered', async () => delay.waiting === 0)
    if (!page.url().endsWith(id)) return `the page is at ${page.url()}`
    const closed = (await desk.threads('?status=closed,spam')).length
    if (closed > 0) return `${closed} threads were closed`
    return text === 'Hello there' ? null : `the answer is “${text}”`
  },

  async 'a name typed at the menu'(typist, round) {
    const { desk, page, type, press, delay } = typist
    const id = await receiveThread(typist, `Assign ${round}`)
    delay.set()
    await page.locator(`[data-thread="${id}"]`).click()
    await type('iso')
    await press('Enter')
    const { assignment } = await until('it is assigned', async () => {
      const thread = await desk.thread(id)
      return thread.assignment !== null && thread
    })
    return assignment!.name.startsWith('Sofia Lind') ? null : `it was assigned to ${assignment!.name}`
  },
}

const names = Object.keys(sequences)
const speeds = [20, 70, 150]
const delays = [0, 200, 1500]
/** Every speed with every delay; the first three cover each speed and each delay once. */
const paces = [0, 1, 2].flatMap((shift) =>
  speeds.map((speed, at) => [speed, delays[(at + 2 * shift + 2) % 3]!]),
)
const rounds = long ? 100 : 12

for (const database of oneDatabase(0))
  test(
    `${database}: ${rounds} rounds of typing at every speed: nothing lost, nothing misdirected`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const wrong: string[] = []
      const played = await Promise.all(names.map((name) => play(spool, name, rounds / names.length, wrong)))
      assert.deepEqual(wrong, [], `${wrong.length} of ${rounds} rounds went wrong`)
      assert.equal(played.flat().length, rounds)
    },
  )

test('the cursor stays in Cc and Bcc, also when one becomes empty', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  const { threadId } = await spool.receive({
    from: 'Carla <carla@brandt.example>',
    headers: { Cc: 'Bert <bert@oak.example>' },
    subject: 'Chairs',
  })
  await using ada = await visit(spool, { browser })
  const { page } = ada
  const { keyboard } = page
  const cursorAt = (name: string) =>
    until(`the cursor is at ${name}`, () =>
      page.getByRole('combobox', { name, exact: true }).evaluate((field) => field.matches(':focus')),
    )
  await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
  await page.getByRole('button', { name: 'Reply all' }).click()
  const chips = (label: string) =>
    page.locator('.recipients', { has: page.getByText(label, { exact: true }) }).locator('.who')
  await page.getByRole('combobox', { name: 'Cc', exact: true }).focus()
  await keyboard.press('Backspace')
  await chips('Cc').waitFor({ state: 'detached' })
  await cursorAt('Cc')
  await keyboard.type('anna@lind.example,')
  await chips('Cc').getByRole('button').click()
  await chips('Cc').waitFor({ state: 'detached' })
  await cursorAt('Cc')
  await page.getByRole('button', { name: 'Bcc' }).click()
  await cursorAt('Bcc')
  await keyboard.type('dora@lind.example,')
  await page.getByLabel('Text of the mail').fill('Hello')
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.reload()
  await chips('Bcc').waitFor()
  await page.getByRole('combobox', { name: 'Cc', exact: true }).waitFor()

  await page.goto('/compose')
  await page.getByRole('button', { name: 'Cc and Bcc' }).click()
  await cursorAt('Cc')
  assert.deepEqual(ada.problems, [])
})

async function play(spool: TestSpool, name: string, count: number, wrong: string[]): Promise<string[]> {
  const desk = await openDesk(spool)
  await desk.receive({ subject: 'Earlier', text: 'Hello.' })
  for (const colleague of ['Sofia Lind', 'Jason Sole'])
    await addUser(spool.spool, {
      email: `${colleague.split(' ')[0]!.toLowerCase()}-${desk.user.email}`,
      // Names of one Spool must not look alike.
      name: `${colleague} ${/\d+/.exec(desk.user.email)![0]}`,
      role: 'member',
      inboxes: [desk.inbox.id],
      password: null,
    })
  await using visitor = await visit(spool, { browser })
  const { page } = visitor
  page.setDefaultTimeout(30_000)
  await signInAt(spool, visitor, desk.user, '/open')
  const played: string[] = []
  for (let round = 0; round < count; round++) {
    const [speed, wait] = paces[round % paces.length]!
    const label = `${name}, ${speed} ms a key, answers after ${wait} ms`
    const delay = await delayAnswers(page, wait!)
    const typist: Typist = {
      desk,
      page,
      delay,
      type: (keys) => page.keyboard.type(keys, { delay: speed! }),
      press: (key) => page.keyboard.press(key, { delay: speed! }),
    }
    // The pointer must not trigger a prefetch.
    await page.mouse.move(5, 5)
    await page.goto('/open')
    await page.locator('.row-link').first().waitFor()
    const problem = await sequences[name]!(typist, round).catch((error: unknown) => (error as Error).message)
    if (problem !== null) wrong.push(`${label}: ${problem}`)
    await delay.end()
    played.push(label)
  }
  assert.deepEqual(visitor.problems, [])
  return played
}
