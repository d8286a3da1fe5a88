import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { addUser } from '../../src/core/people/people.ts'
import type { Spool } from '../../src/core/spool.ts'
import { createToken } from '../../src/core/tokens/tokens.ts'
import { scopes, type Inbox } from '../../src/model/access.ts'
import { Child } from '../support/child.ts'
import {
  databases,
  freshDatabase,
  oneDatabase,
  type DatabaseKind,
  type FreshDatabase,
} from '../support/databases.ts'
import { writeMail } from '../support/letter.ts'
import { openLive, type LivePage } from '../support/live-page.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { storedSources, sum } from '../support/sources.ts'
import { until } from '../support/until.ts'
import { openWeb } from '../support/web-client.ts'
import { checkWhole } from '../support/wholeness.ts'

/** All of them at once want a machine of their own. */
const crowd =
  process.env['SPOOL_TEST_LONG'] === '1'
    ? { polls: 50, pages: 50, askers: 16, senders: 8 }
    : { polls: 20, pages: 5, askers: 2, senders: 2 }

const password = 'correct horse battery'
const email = 'ada@shop.example'

interface World extends AsyncDisposable {
  database: FreshDatabase
  spool: Spool
  /** Where mail comes in. */
  busy: Inbox
  child: Child
  url: string
  smtpPort: number
  /** Of a view in which nothing happens. */
  makeToken(): Promise<string>
  events(token: string, query: string): Promise<Response>
}

/** A server as a process of its own, and its store. */
async function startWorld(kind: DatabaseKind, environment: Record<string, string> = {}): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await freshDatabase(kind))
  const env = {
    ...database.env,
    SPOOL_PORT: '0',
    SPOOL_SMTP_LISTEN: '127.0.0.1:0',
    SPOOL_NAME_SERVERS: '127.0.0.1',
    SPOOL_RATE_LIMIT: '1000000/60',
    SPOOL_RATE_LIMIT_ANONYMOUS: '1000000/60',
    ...environment,
  }
  const spool = stack.use(await openSpool(readConfig(env), 'inline'))
  const busy = await addInbox(spool, 'support@shop.example', null)
  const quiet = await addInbox(spool, 'quiet@shop.example', null)
  await addUser(spool, { email, name: 'Ada', role: 'admin', inboxes: [], password })
  const child = stack.use(new Child('bin/spool.js', ['serve'], env))
  const [, url, smtp] = await child.says(/"url":"([^"]+)","smtp":"([^"]+)"/)
  const owned = stack.move()
  return {
    database,
    spool,
    busy,
    child,
    url: url!,
    smtpPort: Number(smtp!.split(':').at(-1)),
    async makeToken() {
      const wanted = { email, name: 'Test', scopes, inboxes: [quiet.id], lifetime: null }
      return (await createToken(spool, wanted)).token
    },
    events: (token, query) =>
      fetch(`${url}/api/v1/events?${query}`, { headers: { authorization: `Bearer ${token}` } }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** So many requests that wait for events, once all of them do. */
async function startPolls(world: World, count: number): Promise<Promise<Response>[]> {
  const { url, makeToken, events } = world
  const polls: Promise<Response>[] = []
  let token = ''
  let cursor = ''
  for (let n = 0; n < count; n++) {
    if (n % 10 === 0) {
      token = await makeToken()
      cursor = ((await (await events(token, '')).json()) as { nextCursor: string }).nextCursor
    }
    const query = `after=${cursor}&wait=30`
    const asker = token
    polls.push(waitOn(() => events(asker, query)))
  }
  const waiting = new RegExp(`^spool_event_waits ${count}$`, 'm')
  await until('all of them wait', async () => waiting.test(await (await fetch(`${url}/metrics`)).text()))
  return polls
}

/** Waits again if nothing happened for so long that the server answered by itself. */
async function waitOn(poll: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await poll()
    if (answer.status !== 200 || answer.headers.get('connection') === 'close') return answer
    await answer.arrayBuffer()
  }
}

/** Asks again and again on kept connections, until the server is gone; answers how each was answered. */
async function askOn(
  url: string,
  token: string,
  isStopping: () => boolean,
): Promise<{ statuses: Set<number>; closing: number }> {
  const statuses = new Set<number>()
  let closing = 0
  try {
    for (;;) {
      const answer = await fetch(`${url}/api/v1/threads`, { headers: { authorization: `Bearer ${token}` } })
      await answer.arrayBuffer()
      // On a busy machine PostgreSQL may be slow to take connections, but stopping must cost no answer.
      if (answer.status === 503 && !isStopping()) continue
      statuses.add(answer.status)
      if (answer.headers.get('connection') === 'close') closing++
    }
  } catch {
    return { statuses, closing }
  }
}

/** Hands over one mail after the other; answers those that were acknowledged, in the order of the connection. */
async function handOverOn(port: number, name: string): Promise<string[]> {
  const acknowledged: string[] = []
  try {
    for (let n = 0; ;) {
      using client = await SmtpClient.connect(port)
      await client.hello()
      // On a busy machine PostgreSQL may be slow at first: then the sender is asked to try again, and does.
      for (let isTaken = true; isTaken; n++) {
        const raw = writeMail({ subject: `${name}x${n}`, messageId: `<${name}-${n}@brandt.example>` })
        const reply = (await client.deliver(raw, ['support@shop.example'])).at(-1)!
        if (reply.startsWith('421')) return acknowledged
        isTaken = reply.startsWith('250')
        if (isTaken) acknowledged.push(raw)
      }
    }
  } catch {
    return acknowledged
  }
}

async function openRaw(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** Clients that would keep a server for as long as it lets them. */
async function openIdlers({ url, smtpPort }: World, token: string): Promise<DisposableStack> {
  const idlers = new DisposableStack()
  const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`
  const texts = [
    '',
    'GET /api/v1/thr',
    `POST /mcp HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{`,
    `GET /healthz HTTP/1.1\r\n${head}\r\n`,
    // Their answers are never read.
    `GET /openapi.json HTTP/1.1\r\n${head}\r\n`.repeat(200),
    ...Array<string>(30).fill(`GET /docs HTTP/1.1\r\n${head}\r\n`.repeat(30)),
  ]
  for (const text of texts) {
    const socket = await openRaw(url, text)
    socket.pause()
    idlers.defer(() => socket.destroy())
  }
  const greeted = idlers.use(await SmtpClient.connect(smtpPort))
  await greeted.hello()
  const slow = idlers.use(await SmtpClient.connect(smtpPort))
  await slow.hello()
  await slow.say('MAIL FROM:<carla@brandt.example>')
  await slow.say('RCPT TO:<support@shop.example>')
  await slow.say('DATA')
  slow.write('Subject: never whole\r\n\r\nand so')
  return idlers
}

for (const kind of databases)
  test(`${kind}: told to stop, a busy server answers who waits, keeps what it acknowledged, and ends in ten seconds`, async (t) => {
    await using world = await startWorld(kind)
    const { child, url, smtpPort, spool, busy } = world
    const pages: LivePage[] = []
    let cookie = ''
    for (let n = 0; n < crowd.pages; n++) {
      if (n % 20 === 0) ({ cookie } = await openWeb(url, email, password))
      const live = await openLive({ url }, cookie)
      await live.next('ready')
      pages.push(live)
    }
    const token = await world.makeToken()
    let isStopping = false
    const askers = Array.from({ length: crowd.askers }, () => askOn(url, token, () => isStopping))
    const senders = Array.from({ length: crowd.senders }, (_, n) => handOverOn(smtpPort, `sender${n}`))
    using _idlers = await openIdlers(world, token)
    await until(
      'mail comes in',
      async () => (await storedSources(spool, busy.number)).length >= crowd.senders,
      300_000,
    )
    const polls = await startPolls(world, crowd.polls)

    const start = performance.now()
    isStopping = true
    child.process.kill('SIGTERM')
    for (const poll of polls) {
      const answer = await poll
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('connection'), 'close')
      assert.deepEqual(((await answer.json()) as { data: unknown[] }).data, [])
    }
    const answered = performance.now() - start
    await Promise.all(pages.map(({ ended }) => ended))
    const { code, signal } = await child.ended
    const ended = performance.now() - start
    t.diagnostic(`polls answered after ${answered.toFixed(0)} ms, ended after ${ended.toFixed(0)} ms`)
    assert.deepEqual([code, signal, child.stderr], [0, null, ''])
    assert.ok(ended <= 10_000, `${ended} ms`)
    const seen = await Promise.all(askers)
    for (const { statuses } of seen) assert.deepEqual([...statuses], [200])
    assert.ok(seen.some(({ closing }) => closing > 0))

    const acknowledged = (await Promise.all(senders)).flat()
    const stored = await storedSources(spool, busy.number)
    assert.equal(new Set(stored).size, stored.length, 'none twice')
    for (const raw of acknowledged) assert.ok(stored.includes(sum(raw)), 'acknowledged, so it is there')
    assert.ok(acknowledged.length >= crowd.senders)
    await checkWhole(world.database)
  })

for (const kind of oneDatabase(0))
  test(`${kind}: while it drains, /readyz says why it is 503, and what still comes is answered`, async () => {
    await using world = await startWorld(kind, { SPOOL_DRAIN_SECONDS: '5' })
    const { child, url } = world
    const [poll] = await startPolls(world, 1)
    const token = await world.makeToken()
    child.process.kill('SIGTERM')
    assert.equal((await poll!).status, 200)
    const ready = await fetch(`${url}/readyz`)
    assert.equal(ready.status, 503)
    assert.match(ready.headers.get('retry-after') ?? '', /^\d+$/)
    const { code, message } = (await ready.json()) as { code: string; message: string }
    assert.deepEqual([code, message], ['not_ready', 'This server is stopping; send requests to another one.'])
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    // One that comes now waits until the end, so that nobody asks in a frenzy; then it is answered too.
    assert.equal((await world.events(token, 'wait=30')).status, 200)
    assert.deepEqual(await child.ended, { code: 0, signal: null })
    await assert.rejects(fetch(`${url}/healthz`))
  })

test('a second signal ends it without waiting any longer', async () => {
  await using world = await startWorld('sqlite', { SPOOL_DRAIN_SECONDS: '60' })
  const { child, url } = world
  child.process.kill('SIGINT')
  await until('it drains', async () => (await fetch(`${url}/readyz`)).status === 503)
  await until('it ends', async () => {
    child.process.kill('SIGINT')
    return child.process.exitCode !== null
  })
})

const home = resolve(import.meta.dirname, '../..')

interface Started extends AsyncDisposable {
  npm: ReturnType<typeof spawn>
  url: string
  /** Of the server itself. */
  pid: number
}

async function startByNpm(): Promise<Started> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await freshDatabase('sqlite'))
  const env = { PATH: process.env['PATH'], HOME: database.folder, SPOOL_PORT: '0', ...database.env }
  const npm = spawn('npm', ['start'], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] })
  stack.defer(() => void npm.kill('SIGKILL'))
  let said = ''
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const listens = async () => /"pid":(\d+).*"url":"([^"]+)"/.exec(said)
  const [, pid, url] = await until('it listens', listens, 120_000)
  stack.defer(() => {
    if (isAlive(Number(pid))) process.kill(Number(pid), 'SIGKILL')
  })
  const owned = stack.move()
  return { npm, url: url!, pid: Number(pid), [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`${signal} to "npm start" ends the server, and npm only after it`, async () => {
    await using started = await startByNpm()
    started.npm.kill(signal)
    const { npm } = started
    await until('npm has ended', async () => npm.exitCode !== null || npm.signalCode !== null)
    assert.deepEqual([npm.exitCode, npm.signalCode], [0, null])
    assert.equal(isAlive(started.pid), false)
    await assert.rejects(fetch(`${started.url}/healthz`))
  })

test('a server whose "npm start" was killed ends by itself', async () => {
  await using started = await startByNpm()
  started.npm.kill('SIGKILL')
  await until('it is gone', async () => !isAlive(started.pid))
})
