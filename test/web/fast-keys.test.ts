import assert from 'node:assert/strict'
import { after, before as beforeAll, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { proposeDraft } from '../../src/core/drafts/drafts.ts'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { person, type User } from '../../src/model/access.ts'
import { agentOf } from '../support/agents.ts'
import { browserMissing, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, type Desk } from '../support/desk.ts'
import { isFast, judge } from '../support/fast-keys-judge.ts'
import { makeSequence, watchKeys, type Account } from '../support/fast-keys.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { makeRandom } from '../support/random.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { openSession } from '../support/web-client.ts'

let browser: Browser
beforeAll(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

const count = process.env['SPOOL_TEST_LONG'] === '1' ? 300 : 30
const [first, last] = (process.env['SPOOL_TEST_SEEDS'] ?? `1-${count}`).split('-').map(Number) as [
  number,
  number,
]
const atOnce = 4

const places = [
  'open',
  'unread',
  'mine',
  'search',
  'unassigned',
  'review',
  'unread',
  'inbox',
  'waiting',
  'closed',
]
const delays = [[0], [200], [1500], [0, 200, 1500]]

type Random = () => number

/** Threads in every list that is tried; some have a history that is longer than what is loaded first. */
async function fillList(spool: TestSpool, desk: Desk, place: string, random: Random): Promise<string[]> {
  const { spool: core } = spool
  const now = Date.now()
  const letters = Array.from({ length: 9 }, (_, at) => ({
    from: `Person ${at} <p${at}@x.example>`,
    subject: `Question ${at}`,
    text: 'Where is it?',
    date: now - 60_000 - at * 1000,
  }))
  const ids = (await desk.receiveAll(letters)).map(({ threadId }) => threadId)
  const long = random() < 0.3 ? ids[Math.floor(random() * 3)]! : null
  if (long !== null)
    for (let turn = 0; turn < 22; turn++)
      await assignThread(core, desk.actor, long, turn % 2 === 0 ? desk.user : null)
  const agent = place === 'review' ? await agentOf(core, await spool.makeToken(desk.user)) : null
  for (const id of ids) {
    if (agent) await proposeDraft(core, agent, { threadId: id, text: 'It is on its way.' })
    if (place === 'mine') await assignThread(core, desk.actor, id, desk.user)
    if (place === 'waiting' || place === 'closed') await changeStatus(core, desk.actor, id, place, null)
  }
  return ids
}

/** Something that happens in the middle of it. */
async function disturb(spool: TestSpool, desk: Desk, colleague: User, ids: string[], random: Random) {
  const { spool: core } = spool
  const actor = person(colleague)
  const id = ids[Math.floor(random() * ids.length)]!
  const choice = random()
  if (choice < 0.35) await desk.receive({ subject: `New ${random()}`, text: 'Hello', date: Date.now() })
  else if (choice < 0.6) await assignThread(core, actor, id, random() < 0.5 ? colleague : desk.user)
  else if (choice < 0.9) await changeStatus(core, actor, id, random() < 0.7 ? 'closed' : 'open', null)
  else {
    const other = ids[Math.floor(random() * ids.length)]!
    // One that is gone cannot be merged again.
    if (other !== id) await joinThreads(core, actor, id, other).catch(() => undefined)
  }
}

async function press(
  page: Page,
  keys: readonly string[],
  random: Random,
  between: () => void,
): Promise<void> {
  const pressed: Promise<void>[] = []
  for (const each of keys) {
    const isText = each.length > 1 && each !== 'Enter' && each !== 'Escape'
    for (const key of isText ? each : [each]) {
      // Not awaited: the next key does not wait for the page.
      pressed.push(page.keyboard.press(key))
      await sleep(isText ? 15 + random() * 60 : 15 + random() ** 2 * 285)
      if (!isText || random() < 0.05) between()
    }
  }
  await Promise.all(pressed)
}

/** Plays one sequence in its own list; returns what went wrong, and how much was done. Null if a key came too late. */
async function play(spool: TestSpool, seed: number): Promise<{ wrong: string[]; done: number } | null> {
  const random = makeRandom(seed)
  const place = places[seed % places.length]!
  const desk = await openDesk(spool)
  const colleague = await spool.makeUser(`colleague-${desk.user.email}`, 'member', [desk.inbox])
  const ids = await fillList(spool, desk, place, random)
  const keys = makeSequence(random)
  const weather = {
    seed,
    delays: delays[Math.floor(random() * delays.length)]!,
    refused: random() < 0.4 ? 0.2 : 0,
  }
  const unrest = random() < 0.8 ? 0.25 : 0
  await using visitor = await visit(spool, { browser, height: 1400 })
  const { page, context } = visitor
  const { cookie } = await openSession(spool.spool, spool.url, desk.user)
  const [name, value] = cookie.split('=') as [string, string]
  await context.addCookies([{ name, value, url: spool.url }])
  await page.addInitScript(watchKeys(weather))
  const path =
    place === 'inbox' ? `/inboxes/${desk.inbox.id}` : place === 'search' ? '/search?q=question' : `/${place}`
  await page.goto(path)
  await page
    .locator('.row-link')
    .nth(ids.length - 1)
    .waitFor()
  await page.evaluate('fastKeys.hasBegun = true')
  const events: Promise<unknown>[] = []
  await press(page, keys, random, () => {
    if (random() < unrest) events.push(disturb(spool, desk, colleague, ids, random))
  })
  await Promise.all(events)
  await page.evaluate('fastKeys.calm()')
  await until('all is answered', () =>
    page.evaluate<boolean>(
      'new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(fastKeys.waiting === 0), 20)))',
    ),
  )
  const account = await page.evaluate<Account>('({ presses: fastKeys.presses, deeds: fastKeys.deeds })')
  if (!isFast(account)) return null
  const merged = new Map(
    (await desk.events('thread.merged')).map(({ data }) => [
      String(data.changes!['threadId']!.from),
      data.threadId!,
    ]),
  )
  const canonical = (id: string): string => (merged.has(id) ? canonical(merged.get(id)!) : id)
  const wrong = [...judge(account, place, canonical), ...visitor.problems]
  if (wrong.length > 0 && process.env['SPOOL_TEST_TRACE'])
    console.error(`seed ${seed} in ${place}`, JSON.stringify({ wrong, keys, weather, ids, account }))
  return {
    wrong: wrong.map((each) => `seed ${seed}, ${place}, ${keys.join(' ')}: ${each}`),
    done: account.deeds.filter(({ type }) => type === 'act').length,
  }
}

for (const database of oneDatabase(0))
  test(
    `${database}: ${last - first + 1} fast sequences of keys do to no thread, and write to no thread, what was not meant`,
    { skip: browserMissing },
    async (context) => {
      await using spool = await startSpool(database)
      const seeds = Array.from({ length: last - first + 1 }, (_, at) => first + at)
      const wrong: string[] = []
      let done = 0
      let late = 0
      const work = async (): Promise<void> => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
          let played = await play(spool, seed)
          // On a machine this busy, keys were not fast.
          for (let again = 0; again < 4 && !played; again++) played = await play(spool, seed)
          if (!played) {
            late++
            continue
          }
          wrong.push(...played.wrong)
          done += played.done
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      context.diagnostic(`${done} acts; ${late} sequences were too slow`)
      assert.deepEqual(wrong, [])
      assert.ok(done >= (last - first) / 4, `only ${done} acts`)
    },
  )
