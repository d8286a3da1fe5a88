import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { readLog } from '../../src/store/log/log.ts'
import { Child } from '../support/child.ts'
import { databases, freshDatabase } from '../support/databases.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const processes = 3
const each = long ? 300 : 30

for (const kind of databases) {
  test(`${kind}: a reader beside ${processes} writing processes sees every number once, in order, and no hole`, async (t) => {
    await using database = await freshDatabase(kind)
    await using spool = await openSpool(readConfig(database.env), 'inline')
    const writers = Array.from(
      { length: processes },
      () => new Child('test/faults/child/log.ts', [String(each)], database.env),
    )
    let left = processes
    const ended = writers.map(async (writer) => {
      await writer.says(/wrote/)
      left--
    })
    const seen: number[] = []
    let pages = 0
    for (let last = false; ;) {
      last = left === 0
      const { events, lastSeq } = await readLog(spool.db, seen.at(-1) ?? 0, 7)
      seen.push(...events.map(({ seq }) => seq))
      if (events.length > 0) pages++
      // What a page calls the end, it reaches: nothing is committed out of turn.
      if (events.length < 7) assert.ok((seen.at(-1) ?? 0) >= lastSeq)
      if (last && events.length === 0) break
      if (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await Promise.all(ended)
    t.diagnostic(`${seen.length} events in ${pages} pages`)
    const committed = processes * 4 * Math.ceil((each * 2) / 3) * 1.5
    assert.equal(seen.length, committed, 'what was rolled back used no number')
    assert.deepEqual(
      seen,
      Array.from({ length: seen.length }, (_, n) => n + 1),
    )
    assert.ok(pages > 3, 'it read while they wrote')
    for (const writer of writers) await writer.kill()
  })
}
