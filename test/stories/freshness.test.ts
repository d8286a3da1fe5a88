import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Sqlite from 'better-sqlite3'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { Cache } from '../../src/core/cache.ts'
import { Freshness } from '../../src/core/freshness.ts'
import { changeInbox } from '../../src/core/inboxes/inboxes.ts'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { changeUser, removeUser } from '../../src/core/people/people.ts'
import type { Spool } from '../../src/core/spool.ts'
import { assignThread, changeStatus, setRead } from '../../src/core/threads/threads.ts'
import { createToken, revokeToken } from '../../src/core/tokens/tokens.ts'
import type { ThreadSummary } from '../../src/model/thread.ts'
import { openDatabase, transaction } from '../../src/store/database.ts'
import type { Database } from '../../src/store/db.ts'
import { SqliteConnection } from '../../src/store/drivers/sqlite-connection.ts'
import { readVersions } from '../../src/store/log/versions.ts'
import { writeSetting } from '../../src/store/settings.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { until } from '../support/until.ts'

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: lists, threads and notes carry an ETag, and If-None-Match gives 304 while nothing changes`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    for (const path of [
      '/threads',
      '/threads?unread=1&limit=1',
      `/threads/${threadId}`,
      `/threads/${threadId}/notes`,
    ]) {
      const first = await desk.get(`/api/v1${path}`)
      const etag = first.headers.get('etag')!
      assert.match(etag, /^W\/"[^"]+"$/)
      for (const value of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const same = await desk.get(`/api/v1${path}`, { method, headers: { 'if-none-match': value } })
          assert.deepEqual(
            [same.status, same.text, same.headers.get('etag')],
            [304, '', etag],
            `${path} ${value}`,
          )
          assert.equal(same.headers.get('content-length'), null)
          assert.ok(same.headers.get('ratelimit'))
        }
      }
      for (const value of ['"other"', 'W/"x"', etag.slice(3, -1)])
        assert.equal((await desk.get(`/api/v1${path}`, { headers: { 'if-none-match': value } })).status, 200)
      await addNote(spool.spool, desk.actor, threadId, 'A change')
      const changed = await desk.get(`/api/v1${path}`, { headers: { 'if-none-match': etag } })
      assert.equal(changed.status, 200, path)
      assert.notEqual(changed.headers.get('etag'), etag)
    }
  })

  test(`${database}: two people have two ETags where they see different things`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const etag = (await desk.get(`/api/v1/threads/${threadId}`)).headers.get('etag')!
    await setRead(spool.spool, spool.ada, threadId, true)
    const theirs = await spool.get(`/api/v1/threads/${threadId}`, { headers: { 'if-none-match': etag } })
    assert.equal(theirs.status, 200)
    assert.equal(theirs.json<ThreadSummary>().unread, false)
    assert.equal((await desk.thread(threadId)).unread, true)
  })

  /** Each change is made by a second store beside the server, as a command would, and must show in the very next answer. */
  test(`${database}: a change by another process is seen by the very next request`, async () => {
    const spool = await shared()
    await using beside = await openSpool(readConfig(spool.database.env), 'inline')
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({ messageId: '<fresh@a.example>' })
    const second = await desk.receive()
    const { inbox, actor, user } = desk
    const until = Date.now() + 1e7
    type Step = [
      what: string,
      change: (store: Spool) => Promise<unknown>,
      path: string,
      pick: (body: never) => unknown,
      value: unknown,
    ]
    const one = `/threads/${threadId}`
    const thread = <Value>(pick: (thread: ThreadSummary) => Value) => pick as (body: never) => Value
    const list = <Value>(pick: (threads: ThreadSummary[]) => Value) =>
      ((body: { data: ThreadSummary[] }) => pick(body.data)) as (body: never) => Value
    const steps: Step[] = [
      [
        'status',
        (store) => changeStatus(store, actor, threadId, 'closed'),
        one,
        thread(({ status }) => status),
        'closed',
      ],
      [
        'status in a list',
        (store) => changeStatus(store, actor, threadId, 'open'),
        '/threads?status=open',
        list(({ length }) => length),
        2,
      ],
      [
        'snooze',
        (store) => changeStatus(store, actor, threadId, 'snoozed', until),
        one,
        thread(({ snoozedUntil }) => snoozedUntil),
        new Date(until).toISOString(),
      ],
      [
        'a later snooze',
        (store) => changeStatus(store, actor, threadId, 'snoozed', until + 1),
        one,
        thread(({ snoozedUntil }) => snoozedUntil),
        new Date(until + 1).toISOString(),
      ],
      [
        'assignment',
        (store) => assignThread(store, actor, threadId, user),
        '/threads?assignee=me',
        list(({ length }) => length),
        1,
      ],
      [
        'name of a person',
        (store) => changeUser(store, user.email, { name: 'Other Name' }),
        one,
        thread(({ assignment }) => assignment!.name),
        'Other Name',
      ],
      [
        'note',
        (store) => addNote(store, actor, threadId, 'Hi'),
        `${one}/notes`,
        (({ data }: { data: unknown[] }) => data.length) as never,
        1,
      ],
      [
        'name of a note’s author',
        (store) => changeUser(store, user.email, { name: 'Third Name' }),
        `${one}/notes`,
        (({ data }: { data: { author: { name: string } }[] }) => data[0]!.author.name) as never,
        'Third Name',
      ],
      [
        'name of an inbox',
        (store) => changeInbox(store, inbox.address, { name: 'Renamed' }),
        '/threads',
        list(([first]) => first!.inbox.name),
        'Renamed',
      ],
      ['read', (store) => setRead(store, user, threadId, true), one, thread(({ unread }) => unread), false],
      [
        'read in a list',
        (store) => setRead(store, user, second.threadId, true),
        '/threads?unread=1',
        list(({ length }) => length),
        0,
      ],
      [
        'unread',
        (store) => setRead(store, user, threadId, false),
        '/threads?unread=1',
        list(({ length }) => length),
        1,
      ],
      [
        'joining',
        (store) => joinThreads(store, actor, threadId, second.threadId),
        '/threads',
        list(({ length }) => length),
        1,
      ],
    ]
    for (const [what, change, path, pick, value] of steps) {
      // Asked twice, so that the answer is one that is remembered.
      for (let count = 0; count < 2; count++) await desk.get(`/api/v1${path}`)
      await change(beside)
      assert.deepEqual(pick((await desk.get(`/api/v1${path}`)).json() as never), value, what)
    }
  })

  test(`${database}: what another process takes away is refused by the very next request`, async () => {
    const spool = await shared()
    await using beside = await openSpool(readConfig(spool.database.env), 'inline')
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const status = async (path: string, token = desk.token) =>
      (await spool.get(`/api/v1${path}`, { token })).status
    const warm = async (path: string, token = desk.token) => {
      for (let count = 0; count < 2; count++) assert.equal(await status(path, token), 200)
    }
    const wanted = {
      email: desk.user.email,
      name: 'Short',
      scopes: ['threads:read'],
      inboxes: [],
      lifetime: 86_400_000,
    } as const
    const made = await createToken(beside, wanted)
    await warm(`/threads/${threadId}`, made.token)
    await revokeToken(beside, made.id)
    assert.equal(await status(`/threads/${threadId}`, made.token), 401, 'a revoked token')

    await warm(`/threads/${threadId}`)
    await changeUser(beside, desk.user.email, { inboxes: [] })
    assert.equal(await status(`/threads/${threadId}`), 404, 'an inbox that was taken away')
    assert.deepEqual(await desk.threads(), [])
    await changeUser(beside, desk.user.email, { inboxes: [desk.inbox.address] })
    await warm(`/threads/${threadId}`)

    const me = async () => (await desk.get('/api/v1/me')).json<{ scopes: string[]; user: { role: string } }>()
    assert.ok((await me()).scopes.includes('drafts:propose'))
    await changeUser(beside, desk.user.email, { role: 'viewer' })
    const viewer = await me()
    assert.deepEqual([viewer.user.role, viewer.scopes.includes('drafts:propose')], ['viewer', false])
    await changeUser(beside, desk.user.email, { role: 'admin' })
    assert.ok((await desk.threads('?limit=100')).length >= 1)
    await removeUser(beside, desk.user.email)
    assert.equal(await status(`/threads/${threadId}`), 401, 'a person who was removed')
    assert.equal(await status('/me'), 401)
  })

  test(`${database}: the counters are handed over only after one of them has changed`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { db } = spool.spool
    const known = await readVersions(db, null)
    assert.ok(known.size > 0)
    assert.equal(await readVersions(db, known), known)
    const { threadId } = await desk.receive()
    const received = await readVersions(db, known)
    const raised = [...received].filter(([scope, version]) => known.get(scope) !== version)
    assert.ok(raised.length > 0 && raised.every(([scope, version]) => version > (known.get(scope) ?? 0)))
    await setRead(spool.spool, spool.ada, threadId, true)
    assert.notDeepEqual(await readVersions(db, received), received)
  })

  test(`${database}: mail that arrives is in the very next list, however often that was asked before`, async () => {
    const desk = await openDesk(await shared())
    for (let count = 1; count <= 10; count++) {
      await desk.receive()
      const lists = await Promise.all(['', '?unread=1', '?status=open', '?q=order'].map(desk.threads))
      assert.deepEqual(
        lists.map(({ length }) => length),
        [count, count, count, count],
      )
    }
  })
}

test('sqlite: a version that was looked at is not kept for those who come later, in whatever part of a turn', async () => {
  await using database = await freshDatabase('sqlite')
  await using db = await openDatabase({ url: null, folder: database.folder, writer: 'inline' })
  const other = new Sqlite(join(database.folder, 'spool.db'))
  try {
    await nextTurn()
    const looked = db.dataVersion()
    assert.equal(db.dataVersion(), looked)
    other.exec(`INSERT INTO settings VALUES ('committed by', 'another')`)
    await new Promise<void>((resolve) => process.nextTick(resolve))
    assert.notEqual(db.dataVersion(), looked)
  } finally {
    other.close()
  }
})

/** Makes one of the next looks at the store's version fail, counted from 1, as a disk would. */
function failOnce(db: Database, failing: number): { looks: number } & Disposable {
  const connections = SqliteConnection.prototype
  const { dataVersion } = connections
  // Other stores of this process look, too.
  const ours = new Set<SqliteConnection>()
  const state = { looks: -1, [Symbol.dispose]: () => void (connections.dataVersion = dataVersion) }
  connections.dataVersion = function (this: SqliteConnection) {
    if (ours.size === 0) ours.add(this)
    if (ours.has(this) && ++state.looks === failing)
      throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_READ')
    return dataVersion.call(this)
  }
  db.dataVersion()
  return state
}

test('sqlite: a version that could not be read once ends nothing, and what others commit is told afterwards', async () => {
  await using database = await freshDatabase('sqlite')
  await using db = await openDatabase({ url: null, folder: database.folder, writer: 'inline' })
  let told = 0
  db.onCommit(() => told++)
  const uncaught: unknown[] = []
  const note = (error: unknown) => uncaught.push(error)
  process.on('uncaughtExceptionMonitor', note)
  using fault = failOnce(db, 1)
  await until('it has been read again', async () => fault.looks > 1)
  process.off('uncaughtExceptionMonitor', note)
  assert.deepEqual([uncaught, told], [[], 0])
  const other = new Sqlite(join(database.folder, 'spool.db'))
  other.exec(`INSERT INTO settings VALUES ('committed by', 'another')`)
  other.close()
  await until('it is told', async () => told > 0)
})

test('sqlite: versions that could not be read once are read by the next request', async () => {
  await using database = await freshDatabase('sqlite')
  await using db = await openDatabase({ url: null, folder: database.folder, writer: 'inline' })
  const freshness = new Freshness(db)
  // Each call looks, and so does each query: the one of the second call begins after that of the first.
  using fault = failOnce(db, 4)
  const both = await Promise.allSettled([freshness.current(), freshness.current()])
  assert.deepEqual([both.map(({ status }) => status), fault.looks], [['fulfilled', 'rejected'], 4])
  await transaction(db, (db) => writeSetting(db, 'committed', 'since'))
  assert.ok(await freshness.current())
})

test('a cached answer is valid for equal versions and does not keep those it was compared with', async () => {
  const cache = new Cache()
  const versions = (access: number): Map<string, number> => new Map([['access', access]])
  const ask = (asOf: Map<string, number>, expected: string | null): WeakRef<object> => {
    assert.equal(cache.find('key', asOf), expected)
    if (!expected) cache.keep('key', { bytes: 10, scopes: ['access'], versions: asOf }, () => 'answer')
    return new WeakRef(asOf)
  }
  const used = [ask(versions(1), null), ask(versions(1), null), ask(versions(1), 'answer')]
  assert.equal(cache.find('key', versions(2)), null)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await until('they are collected', async () => {
    collect()
    return used.every((each) => each.deref() === undefined)
  })
  assert.equal(cache.find('key', versions(1)), 'answer')
})
