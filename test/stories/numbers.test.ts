import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryObjects } from 'node:v8'
import { listDays, timeOn } from '../../src/core/calendar-days.ts'
import type { Numbers } from '../../src/model/settings.ts'
import { changeUser } from '../../src/core/people/people.ts'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { transaction } from '../../src/store/database.ts'
import { textQuery } from '../../src/store/statement.ts'
import { databases, runOn } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { startSpool } from '../support/spool.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** Midnight of a day in UTC, so many days ago. */
const midnight = (ago: number, now = Date.now()): number => Math.floor(now / day) * day - ago * day
const nameOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

const numbers = (page: WebClient, query = ''): Promise<Numbers> => page.do<Numbers>('GET', `/numbers${query}`)

let letters = 0

/** Mail that begins a thread at a time, and answers after so long each, in any order of arrival. */
async function converse(
  desk: Desk,
  at: number,
  answers: readonly number[],
  order: 'as sent' | 'backwards' = 'as sent',
): Promise<string> {
  const id = `<numbers-${++letters}@brandt.example>`
  const mails = [
    () => desk.receive({ messageId: id, date: at }),
    ...answers.map(
      (after) => () =>
        desk.receive(
          { from: desk.inbox.address, to: 'carla@brandt.example', inReplyTo: id, date: at + after },
          { direction: 'outbound' },
        ),
    ),
  ]
  if (order === 'backwards') mails.reverse()
  let threadId = ''
  for (const receive of mails) ({ threadId } = await receive())
  return threadId
}

test('of thousands of time zones that may be asked for, a few are kept at hand', () => {
  const two = (number: number): string => String(number).padStart(2, '0')
  for (let minutes = 1; minutes <= 300; minutes++) {
    const zone = `+${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
    const [first] = listDays('2026-11-14', '2026-11-14', zone)
    assert.equal(first!.begins, Date.parse('2026-11-14') - minutes * minute)
  }
  assert.ok(queryObjects(Intl.DateTimeFormat, { format: 'count' }) < 100)
})

test('a day begins, and a time is, where the clocks go: also if they skip it, east and west of Greenwich', () => {
  for (const [day, clock, zone, time] of [
    ['2026-03-29', '00:00', 'Atlantic/Azores', '2026-03-29T01:00Z'],
    ['2026-09-06', '00:00', 'America/Santiago', '2026-09-06T04:00Z'],
    ['2026-03-08', '00:00', 'America/Havana', '2026-03-08T05:00Z'],
    ['2026-04-24', '00:00', 'Africa/Cairo', '2026-04-23T22:00Z'],
    ['2026-03-29', '00:00', 'Europe/Berlin', '2026-03-28T23:00Z'],
    ['2026-03-30', '00:00', 'Europe/Berlin', '2026-03-29T22:00Z'],
    ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30Z'],
    ['2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:30Z'],
    ['2026-11-01', '00:00', 'America/Havana', '2026-11-01T04:00Z'],
  ] as const)
    assert.equal(timeOn(day, clock, zone), Date.parse(time), `${day} ${clock} ${zone}`)
})

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: the numbers agree with a count by hand`, async () => {
    await using spool = await startSpool(database)
    // The day does not end meanwhile.
    const now = Date.now()
    spool.spool.now = () => now
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const first = midnight(3, now)
    const ids = [
      await converse(desk, first + hour, [10 * minute]),
      await converse(desk, first + 23 * hour, [3 * hour + 40_000, 5 * hour]),
      await converse(desk, first + day + hour, [30_000], 'backwards'),
      await converse(desk, first + day + 2 * hour, [2 * day, hour], 'backwards'),
      await converse(desk, first + 2 * day, []),
      // Before the period, and answered in it.
      await converse(desk, first - hour, [2 * hour]),
    ]
    // What the team began is opened too, and was not asked.
    const begun = { from: desk.inbox.address, to: 'carla@brandt.example', date: first + hour }
    await desk.receive(begun, { direction: 'outbound' })
    await assignThread(spool.spool, desk.actor, ids[0]!, desk.user)
    await assignThread(spool.spool, desk.actor, ids[1]!, desk.user)
    for (const id of [ids[2]!, ids[3]!]) await changeStatus(spool.spool, desk.actor, id, 'closed')
    await changeStatus(spool.spool, desk.actor, ids[3]!, 'open')
    await changeStatus(spool.spool, desk.actor, ids[3]!, 'closed')

    const today = nameOf(now)
    const found = await numbers(page, `?from=${nameOf(first)}&to=${today}`)
    assert.deepEqual(found.days, [
      { day: nameOf(first), opened: 3, closed: 0 },
      { day: nameOf(first + day), opened: 2, closed: 0 },
      { day: nameOf(first + 2 * day), opened: 1, closed: 0 },
      { day: today, opened: 0, closed: 3 },
    ])
    // 30 s, 10 min, 1 h, and 3 h in full minutes.
    assert.deepEqual(found.firstReply, { count: 4, medianSeconds: 600, p90Seconds: 3 * 3600 })
    assert.deepEqual(found.openPerPerson, [
      { person: null, open: 3 },
      { person: { id: desk.user.id, name: desk.user.name }, open: 2 },
    ])
    assert.equal((await numbers(page)).days.length, 30, 'the last thirty where nothing is said')
    const tom = await spool.makeUser(`tom-${desk.user.id}@shop.example`, 'member', [desk.inbox])
    await assignThread(spool.spool, desk.actor, ids[1]!, tom)
    await changeUser(spool.spool, tom.email, { inboxes: [] })
    const left = (await numbers(page)).openPerPerson.map(({ person, open }) => [person?.id, open])
    assert.deepEqual(
      left.slice(1).toSorted(),
      [
        [desk.user.id, 1],
        [tom.id, 1],
      ].toSorted(),
      'also who lost the inbox',
    )
    const ended = await numbers(page, `?from=${nameOf(first)}&to=${nameOf(first)}`)
    assert.deepEqual([ended.days.length, ended.firstReply.count], [1, 2])
  })

  test(`${database}: threads that become one are answered when the first of their mail was`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const at = midnight(1)
    const one = await converse(desk, at + hour, [5 * hour])
    const other = await converse(desk, at, [2 * hour])
    await joinThreads(spool.spool, desk.actor, one, other)
    const { days, firstReply } = await numbers(page, `?from=${nameOf(at)}&to=${nameOf(at)}`)
    assert.deepEqual([days[0]!.opened, firstReply], [1, { count: 1, medianSeconds: 7200, p90Seconds: 7200 }])
  })

  test(`${database}: days are those of the zone, also where the clocks change`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    // The last of these clocks went back on 25 October 2026, at 01:00 UTC: that day had 25 hours in Berlin.
    for (const time of [
      '2026-10-24T21:59:00Z',
      '2026-10-24T22:01:00Z',
      '2026-10-25T22:59:00Z',
      '2026-10-25T23:01:00Z',
    ])
      await desk.receive({ date: Date.parse(time) })
    const opened = async (zone: string): Promise<number[]> =>
      (await numbers(page, `?from=2026-10-24&to=2026-10-26&zone=${zone}`)).days.map((each) => each.opened)
    assert.deepEqual(await opened('Europe/Berlin'), [1, 2, 1])
    assert.deepEqual(await opened('UTC'), [2, 2, 0])
    assert.deepEqual(await opened('America/Los_Angeles'), [2, 2, 0])
    assert.deepEqual(await opened('Asia/Kathmandu'), [0, 2, 2])
  })

  test(`${database}: one's numbers are those of one's inboxes, and a period is a period`, async () => {
    const spool = await shared()
    const [one, other] = [await openDesk(spool), await openDesk(spool)]
    const page = await signInAs(spool, one.user)
    await one.receive()
    await other.receive()
    const sum = ({ days }: Numbers): number => days.reduce((count, { opened }) => count + opened, 0)
    assert.equal(sum(await numbers(page)), 1)
    assert.equal(sum(await numbers(page, `?inbox=${one.inbox.id}`)), 1)
    assert.equal((await page.ask('GET', `/numbers?inbox=${other.inbox.id}`)).status, 404)
    for (const bad of [
      'from=2026-02-30',
      'from=2026-03-02&to=2026-03-01',
      'from=2025-01-01&to=2026-03-01',
      'zone=Mars/Phobos',
      'from=yesterday',
      'from=9999-12-01&to=9999-12-31',
    ])
      assert.equal((await page.ask('GET', `/numbers?${bad}`)).status, 400, bad)
    // Where clocks were once no full quarter of an hour apart.
    const odd = await numbers(page, '?from=1971-01-01&to=1971-01-02&zone=Africa/Monrovia')
    assert.equal(odd.days.length, 2)
    const empty = await signInAs(spool, await spool.makeUser(`nothing-${database}@shop.example`))
    const none = await numbers(empty)
    assert.deepEqual([sum(none), none.firstReply.medianSeconds, none.openPerPerson], [0, null, []])
  })

  test(`${database}: they cost little however many threads there are`, async (t) => {
    await using spool = await startSpool(database)
    const page = await signInAs(spool, spool.ada)
    await spool.receive({})
    const threads = process.env['SPOOL_TEST_LONG'] === '1' ? 1_000_000 : 100_000
    const db = spool.spool.db
    const number = db.dialect === 'sqlite' ? '?' : 'CAST(? AS BIGINT)'
    // Over a year, nine of ten answered after 0 to 2 days.
    await transaction(db, (db) =>
      db.run(
        textQuery(
          `INSERT INTO threads (id, inbox, timestamp, status, message_count, note_count,
             attachment_count, draft_count, created_at, updated_at, revision, last_inbound, asked_at, answered_at, preview)
           WITH RECURSIVE n (i) AS (SELECT ${number} UNION ALL SELECT i + 1 FROM n WHERE i < ${number})
           SELECT t.id || n.i, t.inbox, t.timestamp - n.i, CASE WHEN n.i % 10 = 0 THEN 'open' ELSE 'closed' END,
             1, 0, 0, 0, t.created_at - n.i * ${Math.floor((365 * day) / threads)}, t.updated_at, 1, 0,
             t.created_at - n.i * ${Math.floor((365 * day) / threads)},
             CASE WHEN n.i % 10 = 0 THEN NULL ELSE t.created_at - n.i * ${Math.floor((365 * day) / threads)} + n.i * 7919 % 172800 * 1000 END,
             t.preview
           FROM n CROSS JOIN (SELECT * FROM threads ORDER BY number LIMIT 1) t`,
          [1, threads],
        ),
      ),
    )
    if (db.dialect === 'postgres')
      await runOn(spool.database.env['SPOOL_DATABASE_URL']!, 'VACUUM ANALYZE threads')
    const best = async (work: () => Promise<unknown>): Promise<number> => {
      let least = Number.POSITIVE_INFINITY
      for (let count = 0; count < 3; count++) {
        const begun = performance.now()
        await work()
        least = Math.min(least, performance.now() - begun)
      }
      return least
    }
    const from = nameOf(Date.now() - 360 * day)
    // Work beside it slows down one and not the other: one quiet round is enough.
    let [anchor, month, year] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    const isCheap = () => month < Math.max(anchor * 3, 100) && year < Math.max(anchor * 20, 1_000)
    for (let round = 0; round < 10 && !isCheap(); round++) {
      anchor = await best(() => db.all(textQuery('SELECT sum(length(preview)) AS sum FROM threads', [])))
      month = await best(() => numbers(page))
      year = await best(() => numbers(page, `?from=${from}&to=${nameOf(Date.now())}`))
    }
    const all = await numbers(page, `?from=${from}&to=${nameOf(Date.now())}`)
    assert.ok(all.firstReply.count > threads * 0.85)
    assert.ok(Math.abs(all.firstReply.medianSeconds! - 86_400) < 4_000)
    const words = `${threads} threads: a month ${month.toFixed(0)} ms, a year ${year.toFixed(0)} ms, reading all ${anchor.toFixed(0)} ms`
    t.diagnostic(words)
    assert.ok(isCheap(), words)
  })
}
