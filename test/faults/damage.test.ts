import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findInbox } from '../../src/core/access/access.ts'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { StoreDamaged, StoreUnwritable } from '../../src/model/errors.ts'
import { makeBackup } from '../../src/store/drivers/sqlite-backup.ts'
import { textQuery } from '../../src/store/statement.ts'
import { Child } from '../support/child.ts'
import { runCommands } from '../support/command.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'
import { damagePages, pageKinds, type PageKind } from '../support/damage.ts'
import { openStore } from '../support/desk-opener.ts'
import { writeMail } from '../support/letter.ts'
import { startNode, type Node } from '../support/nodes.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const kinds = Object.keys(pageKinds) as PageKind[]

/** With rows enough for every kind of page. Answers a token and the threads. */
async function fill(database: FreshDatabase): Promise<{ token: string; threads: string[] }> {
  await using store = await openStore(database)
  const mails = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      parseMail(Buffer.from(writeMail({ subject: `Mail ${n}`, text: `Words ${n} of it. `.repeat(1500) }))),
    ),
  )
  const usual = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
  const received = await receiveMail(
    store.spool,
    store.inbox,
    mails.map((mail) => ({ mail, ...usual })),
  )
  return { token: store.token, threads: received.map(({ threadId }) => threadId) }
}

const storeOf = ({ folder }: FreshDatabase): string => join(folder, 'spool.db')

/** As a power cut would end it. */
async function serveAndKill({ env }: FreshDatabase): Promise<void> {
  await using server = new Child('test/faults/child/serve.ts', [], env)
  await server.says(/^http/)
  await server.kill()
}

/** As `/readyz` has it. */
async function readiness(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/readyz`)
  return { status: answer.status, text: await answer.text() }
}

const metric = async (url: string, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1])

const isChecked = (url: string) =>
  until('the check is over', async () => (await metric(url, 'spool_store_checking')) === 0)

const damaged = /The store is damaged \(.*\)\. Stop Spool and restore the last good backup/

test('sqlite: doctor and backup notice one overwritten page, whatever it held, and no copy is kept', async () => {
  await using whole = await freshDatabase('sqlite')
  await fill(whole)
  const tasks = []
  const folders: string[] = []
  for (const kind of kinds) {
    const folder = scratchFolder('damaged')
    folders.push(folder)
    await copyFile(storeOf(whole), join(folder, 'spool.db'))
    damagePages(join(folder, 'spool.db'), [kind])
    const env = { ...whole.env, SPOOL_DATA: folder }
    tasks.push({ words: ['doctor', '--json'], env }, { words: ['backup', join(folder, 'copy.db')], env })
  }
  const ran = await runCommands(tasks)
  for (const [index, kind] of kinds.entries()) {
    const [doctor, backup] = ran.slice(index * 2)
    assert.equal(doctor!.code, 1, kind)
    const { checks } = doctor!.json<{ checks: { check: string; ok: boolean; message: string }[] }>()
    const store = checks.find(({ check }) => check === 'store')!
    assert.equal(store.ok, false, kind)
    assert.match(store.message, damaged, kind)
    assert.ok(store.message.length < 250, `one finding is enough: ${store.message}`)
    assert.deepEqual([backup!.code, backup!.stdout], [1, ''], kind)
    assert.match(backup!.stderr, damaged, kind)
    assert.deepEqual(
      readdirSync(folders[index]!).filter((name) => name.startsWith('copy')),
      [],
      'nothing is left of the copy',
    )
  }
})

test('sqlite: a copy that a failing disk damages is not kept, and the sentence does not blame the store', async () => {
  await using database = await freshDatabase('sqlite')
  await fill(database)
  const folder = scratchFolder('backup')
  const copy = async (to: string): Promise<void> => {
    await copyFile(storeOf(database), to)
    damagePages(to, kinds)
  }
  const making = makeBackup(join(folder, 'copy.db'), copy, async () => [])
  await assert.rejects(making, /although the store is whole.*another one\.$/)
  assert.deepEqual(readdirSync(folder), [])
})

test('sqlite: a whole store is backed up under the name that was asked for, and nothing else is left', async () => {
  await using database = await freshDatabase('sqlite')
  await fill(database)
  const folder = scratchFolder('backup')
  const words = ['backup', join(folder, 'copy.db'), '--json']
  const [first, again, doctor] = await runCommands([
    { words, env: database.env },
    { words, env: database.env },
    { words: ['doctor'], env: database.env },
  ])
  assert.deepEqual([first!.code, again!.code, doctor!.code], [0, 1, 0], first!.stderr + doctor!.stdout)
  assert.match(again!.stderr, /copy\.db already exists/)
  assert.match(doctor!.stdout, /^ok {4}store: SQLite answers, every page is in order/m)
  assert.deepEqual(readdirSync(folder), ['copy.db'])
})

test('sqlite: a mark that cannot be removed keeps no server from stopping, and leads to another check', async () => {
  await using database = await freshDatabase('sqlite')
  await fill(database)
  mkdirSync(`${storeOf(database)}-open`)
  for (let start = 1; start <= 2; start++) {
    await using server = await startNode(database)
    await isChecked(server.app.url)
    assert.match(server.log.join(''), /the store check found no damage/)
  }
})

test('sqlite: after an unclean stop the store is checked while it serves; damage is told everywhere', async () => {
  await using database = await freshDatabase('sqlite')
  await fill(database)
  await serveAndKill(database)
  damagePages(storeOf(database), ['an index', 'the index of words', 'the rest of a large row'])

  for (let start = 1; start <= 2; start++) {
    await using server = await startNode(database)
    const { url } = server.app
    const { text } = await until('damage is told', async () => {
      const answer = await readiness(url)
      return answer.status === 503 && answer
    })
    assert.match(text, damaged)
    assert.equal(await metric(url, 'spool_store_damaged'), 1)
    const log = server.log.join('')
    assert.match(log, /"level":40.*Spool did not shut down cleanly last time/)
    assert.match(log, /"level":50.*The store is damaged/)
    // A clean stop is no cure: the second start tells it again.
  }
})

test('sqlite: a store that is whole is checked once after an unclean stop, and not after a clean one', async () => {
  await using database = await freshDatabase('sqlite')
  const { token } = await fill(database)
  await serveAndKill(database)
  // A command in between opens and closes the store; that is no check.
  const [listed] = await runCommands([{ words: ['inbox', 'list', '--json'], env: database.env }])
  assert.equal(listed!.code, 0)

  const logs: string[] = []
  for (let start = 1; start <= 2; start++) {
    const server: Node = await startNode(database)
    const { url } = server.app
    assert.equal((await readiness(url)).status, 200, 'it is ready meanwhile')
    assert.equal(await server.ask('/api/v1/threads', token), 200)
    await isChecked(url)
    assert.deepEqual(await readiness(url), { status: 200, text: '{"status":"ready"}' })
    assert.equal(await metric(url, 'spool_store_damaged'), 0)
    await server[Symbol.asyncDispose]()
    logs.push(server.log.join(''))
  }
  assert.match(logs[0]!, /Spool did not shut down cleanly last time.*the store check found no damage/s)
  assert.doesNotMatch(logs[1]!, /cleanly|store check/)
  assert.equal(existsSync(`${storeOf(database)}-open`), false)
})

test('sqlite: a query that meets damage is answered 503, and the node is not ready from then on', async () => {
  await using database = await freshDatabase('sqlite')
  const { token, threads } = await fill(database)
  damagePages(storeOf(database), ['the upper part of a table', 'rows of a table'])
  await using server = await startNode(database)
  assert.equal((await readiness(server.app.url)).status, 200, 'nobody has met it yet')
  const statuses = new Set<number>()
  for (const id of threads) statuses.add(await server.ask(`/api/v1/threads/${id}`, token))
  assert.ok(statuses.has(503), [...statuses].join(' '))
  assert.equal(statuses.has(500), false)
  const { status, text } = await readiness(server.app.url)
  assert.equal(status, 503)
  assert.match(text, damaged)
  assert.match(server.log.join(''), /"level":50.*"damage":"SQLITE_CORRUPT.*restore the last good backup/)
})

test('sqlite: a file that is no store at all is said in a sentence, by serve too', async () => {
  await using database = await freshDatabase('sqlite')
  await copyFile(import.meta.filename, storeOf(database))
  const ran = await runCommands(
    [['inbox', 'list'], ['serve']].map((words) => ({ words, env: { ...database.env, SPOOL_PORT: '0' } })),
  )
  for (const { code, stdout, stderr } of ran) {
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^The store is damaged \(SQLITE_NOTADB\)[^\n]*\n$/)
  }
})

test('sqlite: a WAL that is deleted in use is told, mail goes on, and a restart loses none of it', async () => {
  await using database = await freshDatabase('sqlite')
  const { token } = await fill(database)
  const subjects = ['before', 'after']
  {
    await using server = await startNode(database)
    const take = async (subject: string): Promise<void> => {
      const mail = await parseMail(Buffer.from(writeMail({ subject })))
      const how = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
      const { spool } = server.app
      await receiveMail(spool, await findInbox(spool.db, 'support@shop.example'), [{ mail, ...how }])
    }
    await take(subjects[0]!)
    rmSync(`${storeOf(database)}-wal`)
    const { text } = await until('it is told', async () => {
      const answer = await readiness(server.app.url)
      return answer.status === 503 && answer
    })
    assert.match(text, /spool\.db-wal was deleted while Spool has it open\. Stop and start Spool/)
    assert.match(server.log.join(''), /"level":50.*spool\.db-wal was deleted/)
    await take(subjects[1]!)
  }
  await using server = await startNode(database)
  assert.deepEqual(await readiness(server.app.url), { status: 200, text: '{"status":"ready"}' })
  const answer = await fetch(`${server.app.url}/api/v1/threads?limit=2`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await answer.json()) as { data: { subject: string }[] }
  assert.deepEqual(data.map(({ subject }) => subject).toSorted(), subjects.toSorted())
})

if (databases.includes('postgres'))
  test('postgres: a database that can only be read is told, with its own word for it', async () => {
    await using spool = await startSpool('postgres')
    const refuse = `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'read_only_sql_transaction'; END $$`
    await assert.rejects(
      spool.spool.db.transaction((db) => db.run(textQuery(refuse, []))),
      StoreUnwritable,
    )
    const { status, text } = await spool.get('/readyz')
    assert.equal(status, 503)
    assert.match(text, /The store cannot be written \(PostgreSQL's error 25006\)/)
  })

if (databases.includes('postgres'))
  test('postgres: an error that tells of damage makes the node not ready', async () => {
    await using spool = await startSpool('postgres')
    const { db } = spool.spool
    await db.transaction((db) =>
      db.run(
        textQuery(
          `CREATE FUNCTION read_bad_page() RETURNS int LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'invalid page in block 7' USING ERRCODE = 'data_corrupted'; END $$`,
          [],
        ),
      ),
    )
    assert.equal((await spool.get('/readyz')).status, 200)
    await assert.rejects(db.all(textQuery('SELECT read_bad_page()', [])), StoreDamaged)
    const { status, text } = await spool.get('/readyz')
    assert.equal(status, 503)
    assert.match(text, damaged)
    assert.deepEqual(await db.check('quick'), [], 'the server itself has counted nothing')
  })
