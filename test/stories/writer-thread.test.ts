import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../../src/model/errors.ts'
import { openDatabase, transaction } from '../../src/store/database.ts'
import { bytesIn } from '../../src/store/drivers/sqlite-thread.ts'
import { withoutPool } from '../../src/store/drivers/sqlite-workers.ts'
import { readSetting, writeSetting } from '../../src/store/settings.ts'
import { textQuery } from '../../src/store/statement.ts'
import { freshDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'

test("a small Buffer takes only its own bytes to the writer's thread, not Node's pool", () => {
  const small = Buffer.from('a mail that is short')
  assert.ok(small.buffer.byteLength > 8_000, 'it is a piece of the pool')
  const query = { sql: 'INSERT', parameters: [1, 'text', small, null] }
  const sent = withoutPool({ do: 'run', query, before: [query] })
  const queries = [...sent.before!, ...('query' in sent ? [sent.query] : [])]
  assert.equal(queries.length, 2)
  for (const { sql, parameters } of queries) {
    assert.equal(sql, 'INSERT')
    const [number, text, bytes, nothing] = parameters
    assert.deepEqual([number, text, nothing], [1, 'text', null])
    assert.ok(bytes instanceof Uint8Array && Buffer.from(bytes).equals(small))
    assert.equal(bytes.buffer.byteLength, small.length)
  }
  const large = Buffer.alloc(100_000)
  const kept = withoutPool({ do: 'run', query: { sql: '', parameters: [large] } })
  assert.ok('query' in kept && kept.query.parameters[0] === large, 'what is whole is not copied')
})

test("a page of a list is handed over by the reader's thread and not copied, however it was asked for", () => {
  const items = new Uint8Array(new ArrayBuffer(40_000))
  const row = { items, count: 51 }
  for (const value of [row, [row]]) assert.deepEqual(bytesIn(value), [items.buffer])
  for (const value of [undefined, null, 1, [], [row, row], { items: items.subarray(1) }])
    assert.deepEqual(bytesIn(value), [], 'copied')
})

const lastSeq = textQuery<{ last_seq: number }>('SELECT last_seq FROM log', [])

/** Ends the thread that the work is handed to, as running out of memory would. */
async function endThreadOf(work: () => Promise<unknown>): Promise<void> {
  const workers = new Set<Worker>()
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (this: Worker, ...sent: unknown[]) {
    workers.add(this)
    return postMessage.apply(this, sent as Parameters<typeof postMessage>)
  }
  try {
    await work()
  } finally {
    Worker.prototype.postMessage = postMessage
  }
  assert.equal(workers.size, 1)
  for (const worker of workers) await worker.terminate()
}

test("a reader's thread that could not open the store, or that has ended, is replaced by another", async () => {
  await using database = await freshDatabase('sqlite')
  await using db = await openDatabase({ url: null, folder: database.folder, writer: 'thread' })
  const file = join(database.folder, 'spool.db')
  await rename(file, `${file}-away`)
  await assert.rejects(db.slowReader.first(lastSeq), StoreUnavailable)
  await rename(`${file}-away`, file)
  assert.equal((await db.slowReader.first(lastSeq))!.last_seq, 0)
  await endThreadOf(() => db.slowReader.first(lastSeq))
  assert.equal((await db.slowReader.first(lastSeq))!.last_seq, 0)
  assert.equal(db.condition.trouble, null)
})

test("the end of the writer's thread is told, for nothing can be stored until a restart", async () => {
  await using database = await freshDatabase('sqlite')
  await using db = await openDatabase({ url: null, folder: database.folder, writer: 'thread' })
  await endThreadOf(() => transaction(db, (db) => writeSetting(db, 'stored', 'yes')))
  await assert.rejects(
    transaction(db, (db) => writeSetting(db, 'stored', 'no')),
    StoreUnavailable,
  )
  const trouble = await until('it is told', async () => db.condition.trouble)
  assert.match(trouble, /has ended\. Stop and start Spool/)
  assert.equal(await readSetting(db, 'stored'), 'yes')
})
