/**
 * How much notifying people slows down writing mail: `notices.ts [--rounds 15] [--seconds 2] [--rate 100]`. The same
 * mail is written with and without the worker, in short turns, so that both see the same machine, and the median of all
 * rounds is compared. Fails above 10 %.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createECDH, randomBytes } from 'node:crypto'
import { openSpool } from '../src/app/open.ts'
import { readConfig } from '../src/config.ts'
import { addInbox } from '../src/core/inboxes/inboxes.ts'
import { addBrowser, changeNoticeSettings } from '../src/core/notices/settings.ts'
import { addUser } from '../src/core/people/people.ts'
import { Intake } from '../src/core/receiving/intake.ts'
import { assignThread } from '../src/core/threads/threads.ts'
import { receiveMail } from '../src/core/receiving/receive.ts'
import { person, type User } from '../src/model/access.ts'
import { usualSettings } from '../src/model/notices/notices.ts'
import { startNotices } from '../src/workers/deliver-notices.ts'
import { makeSession } from '../test/support/session.ts'
import { printTable } from './report.ts'
import { makeMail } from './sample-mail.ts'

const people = 50
/** Upper limit for the write time with notices, relative to without. */
const mostByTime = 1.1
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '2' },
    rate: { type: 'string', default: '100' },
  },
})
const [rounds, seconds, rate] = [values.rounds, values.seconds, values.rate].map(Number) as [
  number,
  number,
  number,
]

const folder = mkdtempSync(join(tmpdir(), 'bench-notices-'))
let pushes = 0
const service = createServer((request, response) => {
  pushes++
  request.resume().on('end', () => response.writeHead(201).end())
})
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`

await using spool = await openSpool(
  readConfig({ SPOOL_DATA: folder, SPOOL_FETCH_ALLOW: '127.0.0.0/8', SPOOL_URL: 'http://127.0.0.1:4100' }),
  'thread',
)
const inbox = await addInbox(spool, 'support@shop.example', null)
const team: User[] = []
for (let number = 0; number < people; number++) {
  const email = `p${number}@team.example`
  const user = await addUser(spool, {
    email,
    name: `P${number}`,
    role: 'member',
    inboxes: [inbox.id],
    password: null,
  })
  const { actor } = await makeSession(spool, user)
  const curve = createECDH('prime256v1')
  const keys = { p256dh: curve.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
  await addBrowser(spool, actor, { endpoint: endpoint + number, keys })
  // The default settings, except that everybody is also notified of unassigned mail.
  const kinds = { ...usualSettings.kinds, unassigned: { page: true, push: true, mail: 'off' as const } }
  await changeNoticeSettings(spool, actor, { ...usualSettings, kinds })
  team.push(user)
}

const how = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
const letter = (thread: number, position: number) =>
  makeMail({ thread, position, messages: 2, inbox: inbox.address, date: Date.now() - 1000 })
/** One thread per person; a fifth of the mail replies to these. */
for (const [thread, user] of team.entries()) {
  const [received] = await receiveMail(spool, inbox, [{ mail: letter(thread, 0), ...how }])
  await assignThread(spool, person(user), received!.threadId, user)
}

const intake = new Intake(spool)
let [next, answers] = [1000, 0]
const answered = new Map<number, number>()

async function write(): Promise<{ latency: number; cost: number }> {
  const times: number[] = []
  const running: Promise<void>[] = []
  const before = process.cpuUsage()
  const started = performance.now()
  const count = rate * seconds
  for (let number = 0; number < count; number++) {
    const wait = started + (number * 1000) / rate - performance.now()
    if (wait > 1) await sleep(wait)
    const old = number % 5 === 0 ? answers++ % people : null
    const position = old === null ? 0 : (answered.get(old) ?? 0) + 1
    if (old !== null) answered.set(old, position)
    const mail = letter(old ?? next++, position)
    const begun = performance.now()
    running.push(
      intake.take([inbox], { mail, ...how }).then(() => void times.push(performance.now() - begun)),
    )
  }
  await Promise.all(running)
  const { user, system } = process.cpuUsage(before)
  return { latency: median(times), cost: (user + system) / count }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function turn(isOn: boolean): Promise<{ latency: number; cost: number }> {
  if (!isOn) {
    const done = await write()
    // Processes these events now, so that they do not count towards the next turn.
    const idle = startNotices(spool, console.error)
    await sleep(1500)
    await idle[Symbol.asyncDispose]()
    return done
  }
  await using _worker = startNotices(spool, console.error)
  return await write()
}

await turn(true)
const rows: { off: Awaited<ReturnType<typeof turn>>; on: Awaited<ReturnType<typeof turn>> }[] = []
for (let round = 0; round < rounds; round++) {
  const first = await turn(round % 2 === 0)
  const second = await turn(round % 2 !== 0)
  rows.push(round % 2 === 0 ? { on: first, off: second } : { on: second, off: first })
}
printTable(
  ['round', 'without, ms', 'CPU µs', 'with, ms', 'CPU µs', 'ratio', 'by CPU'],
  rows.map(({ off, on }, round) => [
    String(round + 1),
    off.latency.toFixed(2),
    off.cost.toFixed(0),
    on.latency.toFixed(2),
    on.cost.toFixed(0),
    (on.latency / off.latency).toFixed(3),
    (on.cost / off.cost).toFixed(3),
  ]),
)
const byTime = median(rows.map(({ off, on }) => on.latency / off.latency))
const byCost = median(rows.map(({ off, on }) => on.cost / off.cost))
console.log(
  `\n${people} people, ${rate} mails/s, ${pushes} pushes. Middle: ${byTime.toFixed(3)} by the time of a write (at most ${mostByTime}), ${byCost.toFixed(3)} by processor time (of all threads, pushing included). Load ${loadavg()[0]!.toFixed(1)}`,
)
service.close()
service.closeAllConnections()
rmSync(folder, { recursive: true, force: true })
process.exit(byTime > mostByTime ? 1 : 0)
