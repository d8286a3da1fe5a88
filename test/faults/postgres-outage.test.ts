import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { addNote } from '../../src/core/threads/notes.ts'
import { StoreUnavailable } from '../../src/model/errors.ts'
import { openDatabase, transaction } from '../../src/store/database.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startPostgres } from '../support/parts/postgres.ts'
import { startSpool, type Answer, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const skip = skipWithout('postgres') ?? false

/** In the error shape (`get` sees to that), with the wish to come again, and soon. */
async function assertOutOfReach(spool: TestSpool, path: string, within: number): Promise<void> {
  const started = performance.now()
  const answer = await spool.get(path)
  assert.equal(answer.status, 503, `${path}: ${answer.text}`)
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal(answer.json()['code'], 'store_unavailable')
  assert.ok(performance.now() - started < within, `${path} took ${performance.now() - started} ms`)
}

/** Without a restart, as soon as the database is back. */
async function recovered(spool: TestSpool, within: number): Promise<number> {
  const started = performance.now()
  let answer: Answer
  do {
    answer = await spool.get('/api/v1/threads')
    if (answer.status !== 200) await sleep(50)
  } while (answer.status !== 200 && performance.now() - started < within)
  assert.equal(answer.status, 200, answer.text)
  return performance.now() - started
}

const paths = (threadId: string): string[] => [
  '/api/v1/threads',
  '/api/v1/threads?q=order',
  `/api/v1/threads/${threadId}`,
  `/api/v1/threads/${threadId}/notes`,
  '/api/v1/events',
  '/api/v1/me',
]

test(
  'postgres: a database that is killed is a 503 for as long as it is away, and nothing is lost',
  { skip },
  async (t) => {
    await using postgres = await startPostgres({ durable: true })
    await using spool = await startSpool('postgres', { SPOOL_DATABASE_URL: postgres.url })
    const { threadId } = await spool.receive({ subject: 'Before' })
    for (const path of paths(threadId)) assert.equal((await spool.get(path)).status, 200)
    const { nextCursor } = (await spool.get('/api/v1/events')).json<{ nextCursor: string }>()
    const waiting = spool.get(`/api/v1/events?after=${nextCursor}&wait=4`)
    await sleep(100)

    await postgres.kill()
    for (const path of [...paths(threadId), '/readyz']) await assertOutOfReach(spool, path, 5000)
    assert.equal((await spool.get('/healthz')).status, 200)
    assert.equal((await spool.get('/metrics')).status, 200)
    // What needs no store is answered without it.
    assert.equal((await spool.get('/api/v1/threads', { token: 'nonsense' })).status, 401)
    await assert.rejects(spool.receive({ subject: 'Lost' }), StoreUnavailable)

    await postgres.restart()
    t.diagnostic(`back after ${(await recovered(spool, 30_000)).toFixed(0)} ms`)
    assert.deepEqual(
      (await spool.threads()).map(({ subject }) => subject),
      ['Before'],
    )
    await spool.receive({ subject: 'After' })
    assert.equal((await spool.threads()).length, 2)
    // Those who were waiting for news when it went away hear of it in time, one way or the other.
    assert.ok([200, 503].includes((await waiting).status))
    for (let tries = 0; (await spool.get('/readyz')).status !== 200; tries++) {
      assert.ok(tries < 100, 'ready again')
      await sleep(50)
    }
  },
)

test(
  'postgres: a database that falls silent is a 503 within seconds, and used again when it speaks',
  { skip },
  async (t) => {
    await using postgres = await startPostgres()
    await using spool = await startSpool('postgres', { SPOOL_DATABASE_URL: postgres.url })
    const { threadId } = await spool.receive({ subject: 'Before' })
    postgres.signal('SIGSTOP')
    try {
      await Promise.all([...paths(threadId), '/readyz'].map((path) => assertOutOfReach(spool, path, 25_000)))
      assert.equal((await spool.get('/healthz')).status, 200)
    } finally {
      postgres.signal('SIGCONT')
    }
    t.diagnostic(`back after ${(await recovered(spool, 30_000)).toFixed(0)} ms`)
    await addNote(spool.spool, spool.actor, threadId, 'Again')
  },
)

/** A message of PostgreSQL's protocol. */
function pack(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

test('postgres: a server that dies in the moment in which it takes a connection is out of reach, and no crash', async () => {
  const welcome = [pack('R', Buffer.alloc(4)), pack('Z', Buffer.from('I'))]
  const farewell = pack('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'))
  await using server = createServer((socket) => {
    // In one piece: whoever waits for the connection hears of its end first.
    socket.once('data', () => socket.end(Buffer.concat([...welcome, farewell])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `postgres://spool@127.0.0.1:${(server.address() as AddressInfo).port}/spool`
  await assert.rejects(openDatabase({ url, folder: '', writer: 'inline' }), StoreUnavailable)
})

test('postgres: a server that never answers is waited for as long as the URL says, or 3 s', async () => {
  const sockets = new Set<Socket>()
  await using server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `postgres://spool@127.0.0.1:${(server.address() as AddressInfo).port}/spool`
  const givenUp: string[] = []
  const open = async (query: string): Promise<void> => {
    await assert.rejects(openDatabase({ url: url + query, folder: '', writer: 'inline' }), StoreUnavailable)
    givenUp.push(query)
  }
  // A timer of so many seconds would fire at once.
  const long = [open('?connect_timeout=100'), open('?connect_timeout=9999999')]
  await Promise.all([open(''), open('?connect_timeout=1')])
  assert.deepEqual(givenUp, ['?connect_timeout=1', ''])
  for (const socket of sockets) socket.destroy()
  await Promise.all(long)
})

async function connectTo(spool: TestSpool): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: spool.database.env['SPOOL_DATABASE_URL'] })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

test('postgres: a transaction that a deadlock ends is done again', { skip }, async () => {
  await using spool = await startSpool('postgres')
  await using other = await connectTo(spool)
  await using watcher = await connectTo(spool)
  const [{ pid } = {}] = (await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows
  await spool.receive({ subject: 'one' })
  await spool.receive({ subject: 'two' })
  // Spool notices it first, and is the one that has to give way.
  await other.query(`SET deadlock_timeout = '60s'`)
  await other.query('BEGIN')
  await other.query(`UPDATE messages SET preview = 'other' WHERE subject = 'two'`)
  let tries = 0
  let blocked: Promise<unknown> = Promise.resolve()
  await transaction(spool.spool.db, async (db) => {
    tries++
    const set = (subject: string) =>
      db.run(
        db.build
          .updateTable('messages')
          .set({ preview: `try ${tries}` })
          .where('subject', '=', subject),
      )
    await set('one')
    if (tries === 1) {
      blocked = other
        .query(`UPDATE messages SET preview = 'other' WHERE subject = 'one'`)
        .then(() => other.query('COMMIT'))
      const waits = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'`
      await until('the other waits', async () => (await watcher.query(waits, [pid])).rowCount === 1)
    }
    await set('two')
  })
  await blocked
  assert.ok(tries > 1, 'it was ended once')
  const { rows } = await other.query<{ preview: string }>('SELECT preview FROM messages')
  assert.deepEqual(
    rows.map(({ preview }) => preview),
    [`try ${tries}`, `try ${tries}`],
  )
})

test(
  'postgres: many writers that wait for another process leave readers their connections',
  { skip },
  async () => {
    await using spool = await startSpool('postgres')
    await using other = await connectTo(spool)
    const { threadId } = await spool.receive({ subject: 'First' })
    await other.query('BEGIN')
    await other.query('SELECT pg_advisory_xact_lock(7720665)')
    const notes = Promise.all(
      Array.from({ length: 40 }, (_, n) => addNote(spool.spool, spool.actor, threadId, `Note ${n}`)),
    )
    await until('all of them wait', async () => spool.spool.db.stats.waitingWrites() >= 40)
    const reads = await Promise.all(
      Array.from({ length: 40 }, () => spool.get(`/api/v1/threads/${threadId}`)),
    )
    assert.deepEqual([...new Set(reads.map(({ status }) => status))], [200])
    await other.query('COMMIT')
    await notes
    assert.equal((await spool.thread(threadId)).noteCount, 40)
  },
)

test(
  'postgres: more readers than connections wait their turn, and connections that others end are replaced',
  { skip },
  async () => {
    await using spool = await startSpool('postgres')
    await using other = await connectTo(spool)
    const { threadId } = await spool.receive({ subject: 'First' })
    const ask = async (): Promise<number[]> => {
      const asked = Array.from({ length: 100 }, (_, n) =>
        spool.get(`/api/v1/threads/${threadId}?historyOrder=${n % 2 ? 'asc' : 'desc'}`),
      )
      return [...new Set((await Promise.all(asked)).map(({ status }) => status))].sort()
    }
    assert.deepEqual(await ask(), [200])
    const busy = ask()
    await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'spool' AND datname = current_database()`,
    )
    // Those that were being answered may fail, but in the error shape, and only those.
    assert.deepEqual(
      (await busy).filter((status) => ![200, 503].includes(status)),
      [],
    )
    assert.deepEqual(await ask(), [200])
  },
)
