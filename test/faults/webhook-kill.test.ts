import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { addUser } from '../../src/core/people/people.ts'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import type { Spool } from '../../src/core/spool.ts'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { createToken } from '../../src/core/tokens/tokens.ts'
import { addWebhook } from '../../src/core/webhooks/webhooks.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { person, type Actor } from '../../src/model/access.ts'
import type { EventType } from '../../src/model/events.ts'
import { Child } from '../support/child.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'
import { writeMail } from '../support/letter.ts'
import { mustHold } from '../support/must-hold.ts'
import { startNode } from '../support/nodes.ts'
import { Receiver, waitFor, type Arrival } from '../support/receiver.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const kills = long ? 200 : 10
const events = long ? 2000 : 200
const minute = 60_000

/** A subscriber that breaks now and then, in every way it can, and keeps what it has said yes to. */
class Subscriber {
  readonly secret: string
  readonly seen = new Set<number>()
  readonly firsts: number[] = []
  readonly previous = new Map<number, number | null>()
  readonly #tried = new Set<number>()
  arrivals = 0

  constructor(secret: string) {
    this.secret = secret
  }

  take({ body: { data } }: Arrival): 'yes' | 'no' | 'broken' {
    this.arrivals++
    const first = !this.#tried.has(data.seq)
    this.#tried.add(data.seq)
    const luck = Math.random()
    if (luck < 0.2) return 'no'
    if (luck < 0.3) return 'broken'
    if (first) this.firsts.push(data.seq)
    this.seen.add(data.seq)
    this.previous.set(data.seq, data.previousSeq)
    return 'yes'
  }

  /** Events that it must have missed, by what it was told. */
  holes(): number[] {
    return [...this.previous.values()].filter((seq) => seq !== null && !this.seen.has(seq)) as number[]
  }
}

interface Stage {
  spool: Spool
  actor: Actor
  threadId: string
  token: string
  all: Subscriber
  notes: Subscriber
}

async function prepare(spool: Spool, receiver: Receiver): Promise<Stage> {
  const inbox = await addInbox(spool, 'support@shop.example', null)
  const email = 'ada@shop.example'
  const ada = await addUser(spool, { email, name: 'Ada', role: 'admin', inboxes: [], password: null })
  const mail = await parseMail(Buffer.from(writeMail({})))
  const how = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
  const [received] = await receiveMail(spool, inbox, [{ mail, ...how }])
  const wanted = { email, name: 'Heals', scopes: ['events:read'], inboxes: [], lifetime: null } as const
  const { token } = await createToken(spool, wanted)
  const subscribe = async (path: string, types: EventType[]): Promise<Subscriber> => {
    const { secret } = await addWebhook(spool, { url: `${receiver.url}/${path}`, email, types, inboxes: [] })
    receiver.secrets.push(secret)
    return new Subscriber(secret)
  }
  const all = await subscribe('all', [])
  const notes = await subscribe('notes', ['note.created'])
  return { spool, actor: person(ada), threadId: received!.threadId, token, all, notes }
}

async function killAgainAndAgain(database: FreshDatabase, stage: Stage): Promise<number> {
  const { spool, actor, threadId } = stage
  const env = { ...database.env, SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' }
  let written = 0
  for (let n = 0; n < kills; n++) {
    // Each starts with a clock further on, so that retries come due.
    const whole = n % 10 === 0
    const file = `test/faults/child/${whole ? 'serve' : 'deliver'}.ts`
    await using child = new Child(file, [String(n * 10 * minute)], env)
    const going = child.says(/http|delivers/)
    const killed = going.then(() => sleep(Math.random() * 250)).then(() => child.kill())
    const goal = Math.ceil((events * (n + 1)) / kills)
    await going
    for (; written < goal; written++)
      if (written % 3 === 2) await changeStatus(spool, actor, threadId, written % 2 ? 'open' : 'closed')
      else await addNote(spool, actor, threadId, `Note ${written}`)
    await killed
  }
  return kills * 10 * minute
}

interface Told {
  seq: number
  type: string
}

async function readLog(url: string, token: string): Promise<Told[]> {
  const told: Told[] = []
  for (let after = '0'; ;) {
    const answer = await fetch(`${url}/api/v1/events?limit=100&after=${after}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(answer.status, 200)
    const page = (await answer.json()) as {
      data: { type: string; data: { seq: number } }[]
      nextCursor: string
    }
    if (page.data.length === 0) return told
    told.push(...page.data.map(({ type, data }) => ({ seq: data.seq, type })))
    after = page.nextCursor
  }
}

function checkAll(t: TestContext, name: string, subscriber: Subscriber, wanted: number[]): void {
  const { seen, firsts, arrivals } = subscriber
  t.diagnostic(
    `${name}: ${arrivals} arrivals of ${wanted.length} events, ${firsts.length} at the first attempt`,
  )
  mustHold.deepEqual(
    [...seen].toSorted((a, b) => a - b),
    wanted,
    'every event arrived, and nothing else',
  )
  mustHold.deepEqual(
    firsts,
    firsts.toSorted((a, b) => a - b),
    'in order',
  )
  assert.ok(firsts.length > wanted.length / 3, 'most succeed at once')
  const chain = wanted.map((_, index) => (index === 0 ? null : wanted[index - 1]!))
  mustHold.deepEqual(
    wanted.map((seq) => subscriber.previous.get(seq)),
    chain,
    'previousSeq',
  )
}

/** Nothing has arrived for a while, however long the rest takes: what is left waits for its time. */
async function untilQuiet({ all, notes }: Stage, isDone: () => boolean): Promise<void> {
  for (let before = -1, now = 0; before !== now && !isDone(); now = all.arrivals + notes.arrivals) {
    before = now
    await waitFor(isDone, 'the rest', 1500).catch(() => undefined)
  }
}

for (const kind of databases) {
  test(`${kind}: ${kills} kills while ${events} events go to a receiver that fails at random lose none`, async (t) => {
    await using database = await freshDatabase(kind)
    await using receiver = await Receiver.start()
    receiver.ownClock = false
    const config = readConfig({ ...database.env, SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })
    await using spool = await openSpool(config, 'inline')
    const stage = await prepare(spool, receiver)
    receiver.answer = (arrival, response) => {
      const subscriber = arrival.path.endsWith('/notes') ? stage.notes : stage.all
      const answer = subscriber.take(arrival)
      if (answer === 'broken') response.destroy()
      else response.writeHead(answer === 'yes' ? 204 : 500).end()
    }
    const begun = (await spool.db.first(spool.db.build.selectFrom('log').select('last_seq')))!.last_seq
    let ahead = await killAgainAndAgain(database, stage)
    const holes = { all: stage.all.holes(), notes: stage.notes.holes() }

    await using node = await startNode(database, { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })
    node.app.spool.now = () => Date.now() + ahead
    const told = (await readLog(node.app.url, stage.token)).filter(({ seq }) => seq > begun)
    const known = new Set(told.map(({ seq }) => seq))
    t.diagnostic(`holes after the last kill: ${holes.all.length} and ${holes.notes.length}`)
    for (const hole of [...holes.all, ...holes.notes]) mustHold.ok(known.has(hole), 'GET /events has it')
    const wanted = told.length + told.filter(({ type }) => type === 'note.created').length
    const isDone = (): boolean => stage.all.seen.size + stage.notes.seen.size === wanted
    for (let round = 0; round < 12 && !isDone(); round++) {
      await untilQuiet(stage, isDone)
      ahead += 24 * 60 * minute
    }
    mustHold.deepEqual(receiver.refused, [], 'every signature is right')
    checkAll(
      t,
      'all kinds',
      stage.all,
      told.map(({ seq }) => seq),
    )
    const notes = told.filter(({ type }) => type === 'note.created')
    checkAll(
      t,
      'notes',
      stage.notes,
      notes.map(({ seq }) => seq),
    )
    assert.ok(told.length >= events)
  })
}
