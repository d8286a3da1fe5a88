import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { changeStatus } from '../../src/core/threads/threads.ts'
import type { ThreadSummary } from '../../src/model/thread.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, walkPages } from '../support/desk.ts'

const start = Date.UTC(2026, 0, 5, 9)
const runs = process.env['SPOOL_TEST_LONG'] === '1' ? 120 : 12

/** What arrives between two pages. */
type Arrival =
  | { kind: 'new'; at: number }
  | { kind: 'reply'; to: number; at: number }
  | { kind: 'close'; which: number }

const arrival: fc.Arbitrary<Arrival> = fc.oneof(
  fc.record({ kind: fc.constant('new' as const), at: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ kind: fc.constant('reply' as const), to: fc.nat(11), at: fc.integer({ min: 0, max: 60 }) }),
  fc.record({ kind: fc.constant('close' as const), which: fc.nat(11) }),
)

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: walking all pages while mail arrives never skips or repeats a thread that did not itself change`, async () => {
    const spool = await shared()
    const walk = async (
      query: string,
      limit: number,
      times: number[],
      arrivals: Arrival[][],
    ): Promise<void> => {
      const desk = await openDesk(spool)
      const letters = times.map((at, index) => ({
        date: start + at * 1000,
        messageId: `<${index}@walk.example>`,
      }))
      const ids = (await desk.receiveAll(letters)).map(({ threadId }) => threadId)
      const changed = new Set<string>()
      const arrive = async (each: Arrival): Promise<void> => {
        if (each.kind === 'new') return void (await desk.receive({ date: start + each.at * 1000 }))
        const index = (each.kind === 'reply' ? each.to : each.which) % ids.length
        changed.add(ids[index]!)
        if (each.kind === 'close') await changeStatus(spool.spool, desk.actor, ids[index]!, 'closed')
        else await desk.receive({ date: start + each.at * 1000, inReplyTo: `<${index}@walk.example>` })
      }
      const pending = [...arrivals]
      const met = await walkPages<ThreadSummary>(
        desk.get,
        `/api/v1/threads?limit=${limit}${query}`,
        async () => {
          for (const each of pending.shift() ?? []) await arrive(each)
        },
      )
      for (const id of ids.filter((id) => !changed.has(id)))
        assert.equal(met.filter((thread) => thread.id === id).length, 1, `${id} in ${query}`)
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          '',
          '&unread=1',
          '&status=open',
          '&q=order',
          '&assignee=none',
          '&updatedSince=2020-01-01T00:00:00Z',
        ),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.array(arrival, { maxLength: 3 }), { maxLength: 8 }),
        walk,
      ),
      { numRuns: runs },
    )
  })
}
