import assert from 'node:assert/strict'
import { after, before as beforeAll, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { person } from '../../src/model/access.ts'
import type { ThreadSummary } from '../../src/model/thread.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk, walkPages, type Desk } from '../support/desk.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { makeRandom } from '../support/random.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
beforeAll(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

const steps = process.env['SPOOL_TEST_LONG'] === '1' ? 2_000 : 200
const seed = Number(process.env['SPOOL_TEST_SEED'] ?? 19)

/** What actions change of a thread. */
interface State {
  status: string
  snoozed: boolean
  assignee: string | null
  unread: boolean
}
type Model = Map<string, State>

/** What the page names before a key or click: rows that are marked, the open thread, and whether there is an undo. */
interface Screen {
  rows: string[]
  marked: string[]
  open: string | null
  undo: boolean
}

const lookScript = `(() => {
  const rows = [...document.querySelectorAll('.row:has([data-thread])')]
  const idOf = (row) => row.querySelector('[data-thread]').dataset.thread
  return {
    rows: rows.map(idOf),
    marked: rows.filter((row) => row.querySelector('.pick input').checked).map(idOf),
    open: /^\\/[^/]+\\/(thr_\\w+)/.exec(location.pathname)?.[1] ?? null,
    undo: document.querySelector('.bar.undo button') !== null,
  }
})()`
const look = (page: Page): Promise<Screen> => page.evaluate<Screen>(lookScript)
/** Counted in the page: the browser's own account ends before the page has read the answer. */
const countScript = `
  globalThis.requestsWaiting = 0
  globalThis.undosAsked = 0
  const { fetch } = globalThis
  globalThis.fetch = async (...request) => {
    globalThis.requestsWaiting++
    if (request[0] === '/app/api/threads/undo') globalThis.undosAsked++
    try {
      const answer = await fetch(...request)
      await answer.clone().arrayBuffer()
      return answer
    } finally {
      globalThis.requestsWaiting--
    }
  }`
const waiting = 'globalThis.requestsWaiting'
const frame = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))'

async function read(desk: Desk): Promise<Model> {
  const threads = await walkPages<ThreadSummary>(desk.get, '/api/v1/threads?limit=100')
  return new Map(
    threads.map(({ id, status, snoozedUntil, assignment, unread }) => [
      id,
      { status, snoozed: snoozedUntil !== null, assignee: assignment?.id ?? null, unread },
    ]),
  )
}

/** Keys that act, and what each leaves behind. */
const acts: Record<string, (me: string) => Partial<State>> = {
  e: () => ({ status: 'closed', snoozed: false }),
  E: () => ({ status: 'open', snoozed: false }),
  '#': () => ({ status: 'spam', snoozed: false }),
  s: () => ({ status: 'snoozed', snoozed: true }),
  m: (me) => ({ assignee: me }),
  i: () => ({ assignee: null }),
  u: () => ({ unread: true }),
}
const moves = ['j', 'k', 'J', 'K', 'x', 'X', 'Escape', 'o', 'g o', 'g c', 'g n', 'g s', 'g p', 'g u']

for (const database of oneDatabase(0))
  test(
    `${database}: in ${steps} random keys and clicks no action touches a thread that the page does not name`,
    { skip: browserMissing },
    async (context) => {
      await using spool = await startSpool(database)
      const desk = await openDesk(spool)
      const colleague = await spool.makeUser('colleague@shop.example', 'member', [desk.inbox])
      const actor = person(colleague)
      const letters = Array.from({ length: 40 }, (_, at) => ({
        from: `Person ${at} <p${at}@x.example>`,
        subject: `Question ${at}`,
        text: 'Where is it?',
        date: Date.now() - at * 60_000,
      }))
      await desk.receiveAll(letters)
      // So high that all rows are rendered, also those of mail that arrives: what is marked can be read from the screen.
      await using ada = await visit(spool, { browser, height: 3_200 + steps * 12 })
      const { page } = ada
      await page.addInitScript(countScript)
      await signInAt(spool, ada, desk.user, '/open')
      await page.locator('.row-link').first().click()
      // The people to assign to are loaded once.
      await page.keyboard.press('i')
      await page.getByRole('menuitem', { name: 'Nobody' }).waitFor()
      await page.keyboard.press('Escape')

      const random = makeRandom(seed)
      const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
      const rest = async (): Promise<void> => {
        // An answer is shown some frames after it came, and may ask for more.
        do {
          await until('all is answered', async () => (await page.evaluate(waiting)) === 0)
          for (let frames = 0; frames < 2; frames++) await page.evaluate(frame)
        } while ((await page.evaluate(waiting)) !== 0)
      }
      /** A key that cannot be used stops those that follow for a while: few, so that much is done. */
      const isPatient = (): boolean => random() < 0.9
      /** Does one thing; returns the key of the action, `undo`, or null where nothing but the place may change. */
      const step = async (screen: Screen): Promise<string | null> => {
        const choice = random()
        const hasTarget = screen.marked.length > 0 || screen.open !== null
        if (choice < 0.3) {
          const key = one(Object.keys(acts))
          if (!hasTarget && (key === 's' || key === 'i' || isPatient())) return null
          await page.keyboard.press(key)
          if (key === 's' || key === 'i') {
            await page.keyboard.type(key === 's' ? 'tomorrow 9:00' : 'nobody')
            await page.keyboard.press('Enter')
          }
          return key
        }
        if (choice < 0.45) {
          if (!screen.undo && isPatient()) return null
          if (choice < 0.4 || !screen.undo) await page.keyboard.press('z')
          else await page.locator('.bar.undo button').first().click()
          return 'undo'
        }
        if (choice < 0.75) {
          const keys = one(moves)
          if (screen.open === null && /^[xJK]$/.test(keys) && isPatient()) return null
          for (const key of keys.split(' ')) await page.keyboard.press(key)
          return null
        }
        if (choice < 0.8) {
          await desk.receive({ subject: `New ${random()}`, text: 'Hello', date: Date.now() })
          return null
        }
        const id = one(screen.rows)
        if (id === undefined) return null
        const row = page.locator(`.row:has([data-thread="${id}"])`)
        // It may have left the list since.
        const at = (await row.count()) === 1 && (await row.boundingBox())
        if (!at) return null
        const modifiers = one([[], ['Shift'], ['Control']] as const)
        for (const key of modifiers) await page.keyboard.down(key)
        await page.mouse.click(at.x + (choice < 0.9 ? 14 : 150), at.y + at.height / 2 - 6)
        for (const key of modifiers) await page.keyboard.up(key)
        return null
      }

      await rest()
      let model = await read(desk)
      let touched = 0
      /** What each action changed, newest last: the state before, and what the action leaves. */
      const done: { before: Model; parts: (keyof State)[] }[] = []
      /** What else happens: mail, or a colleague at a thread that no undo is about to change. */
      const happen = async (): Promise<void> => {
        const free = [...model.keys()].filter((id) => !done.some(({ before }) => before.has(id)))
        const id = one(free)
        const choice = random()
        if (choice < 0.1 || id === undefined)
          await desk.receive({ subject: `Meanwhile ${random()}`, text: 'Hello', date: Date.now() })
        else if (choice < 0.5) await assignThread(spool.spool, actor, id, one([desk.user, colleague, null]))
        else await changeStatus(spool.spool, actor, id, one(['closed', 'open', 'waiting']), null)
        model = await read(desk)
      }
      for (let count = 0; count < steps; count++) {
        if (random() < 0.6) await happen()
        const screen = await look(page)
        // As long as people need for a key: the page shows the event before it, after it, or meanwhile.
        if (random() < 0.5) await sleep(random() * 300)
        const undos = await page.evaluate('globalThis.undosAsked')
        const did = await step(screen)
        await rest()
        // After a key that cannot be used, the page takes no other for a while.
        const hasUndone = (await page.evaluate('globalThis.undosAsked')) !== undos
        const { open } = await look(page)
        const now = await read(desk)
        if (!screen.undo) done.length = 0
        const undone = hasUndone ? done.pop() : undefined
        const named = screen.marked.length > 0 ? screen.marked : [screen.open]
        const before: Model = new Map()
        const where = `seed ${seed}, step ${count}: ${did}`
        const effect = did !== null && did !== 'undo' ? acts[did]!(desk.user.id) : {}
        for (const [id, state] of now) {
          const was = model.get(id)
          if (!was) continue
          const back = undone?.before.get(id)
          const meant = back
            ? Object.fromEntries(undone!.parts.map((part) => [part, back[part]]))
            : named.includes(id)
              ? effect
              : {}
          // Opening a thread reads it, and an undo closes what was opened instead.
          const reading =
            'unread' in meant || ![open, screen.open].includes(id) ? {} : { unread: state.unread }
          if (isDeepStrictEqual(state, { ...was, ...reading })) continue
          touched++
          assert.deepEqual(state, { ...was, ...meant, ...reading }, `${where} touched ${id} unasked`)
          before.set(id, was)
        }
        if (before.size > 0 && did !== 'undo')
          done.push({ before, parts: Object.keys(effect) as (keyof State)[] })
        model = now
      }
      context.diagnostic(`${touched} changes in ${steps} steps, seed ${seed}`)
      assert.ok(touched > steps / 10, `${touched} changes`)
      assert.deepEqual(ada.problems, [])
    },
  )
