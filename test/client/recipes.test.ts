import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { forgetOldEvents } from '../../src/core/log/events.ts'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { buildDemoMail } from '../../src/demo/build.ts'
import { parseMail } from '../../src/mail/parse.ts'
import type { HistoryEntry } from '../../src/model/history.ts'
import { openDesk, shareSpool, walkPages, type Desk } from '../support/desk.ts'
import { installClient } from '../support/client-package.ts'
import { startProxy } from '../support/proxy.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { until } from '../support/until.ts'

const home = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const many = process.env['SPOOL_TEST_LONG'] === '1' ? 10_000 : 1_000

const languages = { TypeScript: [process.execPath, 'ts'], Python: ['python3', 'py'] } as const
type Language = keyof typeof languages

let root: string
before(async () => {
  root = scratchFolder('recipes')
  await installClient(root)
})

const shared = shareSpool('sqlite')

/** A recipe in a folder of its own, as somebody would copy it. */
function copyRecipe(language: Language, name: string) {
  const [command, ending] = languages[language]
  const folder = join(root, `${language}-${name}-${Math.random()}`)
  mkdirSync(folder)
  for (const file of globSync(`*.${ending}`, { cwd: join(home, 'examples/recipes') }))
    cpSync(join(home, 'examples/recipes', file), join(folder, file))
  const options = (environment: Record<string, string>) => ({
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', ...environment },
    maxBuffer: 64_000_000,
  })
  return {
    folder,
    start: (environment: Record<string, string>) =>
      spawn(command, [`${name}.${ending}`], {
        ...options(environment),
        stdio: ['ignore', 'inherit', 'inherit'],
      }),
    run: (environment: Record<string, string>) => run(command, [`${name}.${ending}`], options(environment)),
  }
}

/** How often a route was answered since then. */
async function counter(): Promise<(route: string) => number> {
  const { log } = await shared()
  const from = log.length
  return (route) => log.slice(from).filter((line) => line.includes(`"route":"/api/v1${route}"`)).length
}

/** A thread with its history and notes, by the single routes; of the export only the HTML is missing. */
async function readSingly(desk: Desk, id: string) {
  const { history, historyNextCursor: _, ...thread } = await desk.thread(id)
  const plain = (entry: HistoryEntry) => (entry.type === 'message' ? { ...entry, html: null } : entry)
  return { ...thread, history: history.map(plain), notes: await desk.notes(id) }
}

type Whole = Awaited<ReturnType<typeof readSingly>>

/** What the files of an export say in the end: a thread that came again replaces what was said before. */
function readFiles(folder: string): Map<string, Whole> {
  const threads = new Map<string, Whole>()
  for (const file of globSync('threads-*.ndjson', { cwd: folder }).sort())
    for (const line of readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')) {
      const thread = JSON.parse(line) as Whole
      threads.set(thread.id, thread)
    }
  return threads
}

async function fill(desk: Desk, count: number): Promise<string[]> {
  const spool = await shared()
  const made: string[] = []
  for (let from = 0; from < count; from += 500) {
    const letters = Array.from({ length: Math.min(500, count - from) }, (_, index) => ({
      subject: `Order ${from + index}`,
      text: `Where is number ${from + index}? `.repeat(20),
    }))
    made.push(...(await desk.receiveAll(letters)).map(({ threadId }) => threadId))
  }
  for (const id of made.slice(0, 20)) await addNote(spool.spool, desk.actor, id, 'Wait for the carrier')
  await changeStatus(spool.spool, desk.actor, made[3]!, 'closed')
  return made
}

/** As it comes over the wire. */
function countBytes(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
  return new Promise((resolve, reject) =>
    get(url, { headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => void (bytes += chunk.length))
      response.on('end', () => resolve(bytes))
    }).on('error', reject),
  )
}

for (const language of Object.keys(languages) as Language[])
  describe(`in ${language}`, () => {
    test('the notifier tells of each mail of the demo, with one request of less than 5 kB each', async (t) => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const told: string[] = []
      const chat = createServer((request, response) => {
        request.on(
          'data',
          (chunk: Buffer) => void told.push((JSON.parse(chunk.toString()) as { text: string }).text),
        )
        request.on('end', () => response.end())
      }).listen(0, '127.0.0.1')
      await once(chat, 'listening')
      const environment = {
        SPOOL_URL: spool.url,
        SPOOL_TOKEN: desk.token,
        NOTIFY_URL: `http://127.0.0.1:${(chat.address() as AddressInfo).port}`,
      }
      await desk.receive({ subject: 'Before it was started' })
      const recipe = copyRecipe(language, 'notify')
      const mails = buildDemoMail(Date.now())
        .threads.flatMap(({ messages }) => messages.filter(({ direction }) => direction === 'in'))
        .map(({ raw }) => parseMail(Buffer.from(raw)))
      const usual = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
      const [batch, later] = [mails.slice(0, 60), mails.slice(60, 80)]
      const asked = await counter()
      using children = new DisposableStack()
      children.defer(() => chat.closeAllConnections())
      children.defer(() => chat.close())
      const start = () => {
        const child = recipe.start(environment)
        children.defer(() => child.kill())
        return child
      }
      const child = start()
      await until('it knows where it is', async () => existsSync(join(recipe.folder, 'notify.position')))
      const received = await receiveMail(
        spool.spool,
        desk.inbox,
        batch.map((mail) => ({ mail, ...usual })),
      )
      await until('each is told', async () => told.length >= batch.length)
      type Log = { data: { data: { seq: number } }[] }
      const log = (await desk.get('/api/v1/events?type=message.received&limit=100')).json<Log>()
      const newest = log.data.at(-1)!.data.seq
      const position = () => Number(readFileSync(join(recipe.folder, 'notify.position'), 'utf8'))
      await until('it has kept where it is', async () => position() === newest)
      assert.deepEqual(
        told.map((text) => text.split('\n')[0]!.split(': ').slice(1).join(': ')).toSorted(),
        batch.map(({ subject }) => subject).toSorted(),
      )
      assert.equal(asked('/messages/{id}'), batch.length, 'one request per mail')
      assert.equal(asked('/threads/{id}') + asked('/threads'), 0)
      const sizes = await Promise.all(
        received.map(({ messageId }) => countBytes(`${spool.url}/api/v1/messages/${messageId}`, desk.token)),
      )
      t.diagnostic(
        `bytes per mail: at most ${Math.max(...sizes)}, ${Math.round(sizes.reduce((sum, size) => sum + size) / sizes.length)} on average`,
      )
      for (const [index, size] of sizes.entries())
        assert.ok(size < 5_000, `${size} bytes for ${batch[index]!.subject}`)

      const ended = once(child, 'exit')
      child.kill()
      await ended
      await receiveMail(
        spool.spool,
        desk.inbox,
        later.map((mail) => ({ mail, ...usual })),
      )
      const again = start()
      await until('what came in the meantime is told', async () => told.length >= batch.length + later.length)
      const endedAgain = once(again, 'exit')
      again.kill()
      await endedAgain
      // As after a month without mail for this one, but with mail for others.
      await forgetOldEvents(spool.spool, 0)
      await desk.receive({ subject: 'After a quiet month' })
      writeFileSync(join(recipe.folder, 'notify.position'), '0')
      start()
      await until('it goes on with what is kept', async () => told.at(-1)!.includes('After a quiet month'))
      assert.equal(told.length, batch.length + later.length + 1)
      assert.equal(new Set(told).size, told.length, 'none twice')
    })

    test(`the export of ${many} threads is one request; what changes while it runs is in it or in the next`, async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const made = await fill(desk, many)
      const environment = { SPOOL_URL: spool.url, SPOOL_TOKEN: desk.token }
      const recipe = copyRecipe(language, 'export')
      const asked = await counter()
      const running = recipe.run(environment)
      const changed: string[] = []
      const state = { isRunning: true }
      void running.finally(() => (state.isRunning = false))
      for (let count = 0; count < 100 && state.isRunning; count++) {
        const id = made[(count * 37) % made.length]!
        changed.push(id)
        await addNote(spool.spool, desk.actor, id, `While it runs ${count}`)
        if (count % 10 === 0) changed.push((await desk.receive({ subject: `New ${count}` })).threadId)
      }
      await running
      await until('it is in the log', async () => asked('/export') > 0)
      assert.equal(asked('/export'), 1, 'one request')
      assert.ok(readFiles(recipe.folder).size >= many)
      await recipe.run(environment)
      const files = readFiles(recipe.folder)
      assert.deepEqual(
        new Set(files.keys()),
        new Set((await walkPages<{ id: string }>(desk.get, '/api/v1/threads?limit=100')).map(({ id }) => id)),
      )
      const sample = [...changed, ...made.filter((_, index) => index % 83 === 3), made[3]!]
      for (const id of new Set(sample)) assert.deepEqual(files.get(id), await readSingly(desk, id))
    })

    test('an export that is cut off goes on, and says the same', async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const made = await fill(desk, 150)
      await using proxy = await startProxy(Number(new URL(spool.url).port))
      // Compressed, it is a few times that.
      proxy.cutAfter(6_000)
      const recipe = copyRecipe(language, 'export')
      const running = recipe.run({ SPOOL_URL: `http://127.0.0.1:${proxy.port}`, SPOOL_TOKEN: desk.token })
      await until('it is cut', async () => proxy.connections() > 1)
      proxy.cutAfter(null)
      await running
      const files = readFiles(recipe.folder)
      assert.equal(files.size, made.length)
      for (const id of made.filter((_, index) => index % 10 === 3))
        assert.deepEqual(files.get(id), await readSingly(desk, id))
    })

    test('the mirror has what the single routes say, after changes and merges too', async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const made = await fill(desk, 30)
      const environment = { SPOOL_URL: spool.url, SPOOL_TOKEN: desk.token }
      const recipe = copyRecipe(language, 'mirror')
      await recipe.run(environment)
      await joinThreads(spool.spool, desk.actor, made[10]!, made[11]!)
      await changeStatus(spool.spool, desk.actor, made[12]!, 'closed')
      await addNote(spool.spool, desk.actor, made[13]!, 'One more word')
      const { threadId } = await desk.receive({ subject: 'Later' })
      await recipe.run(environment)
      const db = new DatabaseSync(join(recipe.folder, 'mirror.db'), { readOnly: true })
      const read = <Value>(sql: string, ...values: string[]): Value[] =>
        db
          .prepare(sql)
          .all(...values)
          .map((row) => JSON.parse(String(row['json'])) as Value)
      const threads = await walkPages<{ id: string }>(desk.get, '/api/v1/threads?limit=100')
      assert.ok(threads.some(({ id }) => id === threadId))
      assert.deepEqual(
        new Set(read('SELECT json FROM threads').map((thread) => (thread as { id: string }).id)),
        new Set(threads.map(({ id }) => id)),
      )
      for (const { id } of threads) {
        const [thread] = read<object>('SELECT json FROM threads WHERE id = ?', id)
        const history = read('SELECT json FROM entries WHERE thread_id = ? ORDER BY position', id)
        const notes = read<{ id: string; timestamp: string }>(
          'SELECT json FROM notes WHERE thread_id = ?',
          id,
        )
        const order = ({ id, timestamp }: { id: string; timestamp: string }): string => timestamp + id
        notes.sort((a, b) => (order(a) < order(b) ? -1 : 1))
        assert.deepEqual({ ...thread, history, notes }, await readSingly(desk, id))
      }
      db.close()
    })
  })
