import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { FreshDatabase } from '../test/support/databases.ts'
import { NameServer } from '../test/support/name-server.ts'
import type { Daemon } from '../test/support/parts/daemon.ts'
import { startPostgres } from '../test/support/parts/postgres.ts'
import { startRedis } from '../test/support/parts/redis.ts'
import { scratchFolder } from '../test/support/parts/scratch.ts'
import { until } from '../test/support/until.ts'
import { checkWhole } from '../test/support/wholeness.ts'
import type { Drill, Outcome } from './drill.ts'
import { Fleet } from './fleet.ts'
import { MailSenders } from './mail.ts'
import { askFor, Readers, type Read } from './readers.ts'
import { fillStore } from './store.ts'

const scales = {
  short: {
    nodes: 2,
    killEvery: 60_000,
    stops: 1,
    hangs: 1,
    hangsFor: 1_200,
    awayFor: 200,
    every: 0,
    senders: 2,
    readers: 2,
    lasts: 0,
    // Everything takes longer while other tests run.
    recovery: 60_000,
  },
  whole: {
    nodes: 3,
    killEvery: 20_000,
    stops: 20,
    hangs: 5,
    hangsFor: 10_000,
    awayFor: 2_000,
    every: 12_000,
    senders: 4,
    readers: 6,
    lasts: 600_000,
    recovery: 10_000,
  },
}
const mostFailed = 0.001

interface Fault {
  name: string
  part: Daemon
  how: 'stopped' | 'killed' | 'hung'
}

interface Span {
  from: number
  to: number
}

/** Nodes are killed one after the other; PostgreSQL and Redis are stopped, killed and hung meanwhile. */
export const outages: Drill = {
  name: 'outages: nodes killed, PostgreSQL and Redis stopped and hung',
  hold: 'no acknowledged mail lost or doubled, no node ends by itself, recovery under 10 s, under 0.1 % of reads failed after one retry outside a stop',
  async run(scale): Promise<Outcome> {
    const plan = scales[scale]
    await using stack = new AsyncDisposableStack()
    const [postgres, redis, names] = await Promise.all([
      startPostgres({ durable: true }),
      startRedis(),
      NameServer.start({}),
    ])
    for (const part of [postgres, redis, names]) stack.use(part)
    const folder = scratchFolder('drill')
    const env = {
      SPOOL_DATA: folder,
      SPOOL_SECRET: randomBytes(32).toString('hex'),
      SPOOL_DATABASE_URL: postgres.url,
    }
    const database: FreshDatabase = { kind: 'postgres', env, folder, [Symbol.asyncDispose]: async () => {} }
    const { token, threads } = await fillStore(database, 1)
    const fleet = stack.use(
      await Fleet.start(
        { ...env, SPOOL_REDIS_URL: redis.url, SPOOL_NAME_SERVERS: names.address },
        plan.nodes,
      ),
    )
    const mail = stack.use(new MailSenders({ ports: fleet.smtpPorts, senders: plan.senders, pause: 100 }))
    const paths = [
      '/api/v1/threads',
      `/api/v1/threads/${threads[0]}`,
      '/api/v1/events?limit=20',
      '/api/v1/me',
    ]
    const readers = stack.use(new Readers({ url: fleet.url, token, paths, readers: plan.readers, pause: 20 }))
    /** Mail is accepted and requests are answered. */
    const goesOn = async (since: number): Promise<boolean> =>
      Math.max(...mail.acknowledged.values()) > since && (await askFor(fleet.url + paths[0], token)) === 200
    await until('mail goes in', () => goesOn(0), 60_000)

    const began = performance.now()
    const over = new AbortController()
    const kills = killNodes(fleet, plan.killEvery, over.signal, goesOn)
    kills.catch(() => undefined)
    const stops: Span[] = []
    const recoveries: number[] = []
    for (const { part, how } of listFaults(postgres, redis, plan)) {
      const from = performance.now()
      if (how === 'hung') part.signal('SIGSTOP')
      else await (how === 'killed' ? part.kill() : part.stop())
      await sleep(how === 'hung' ? plan.hangsFor : plan.awayFor)
      if (how === 'hung') part.signal('SIGCONT')
      else await part.restart()
      const back = performance.now()
      await until('it goes on', () => goesOn(back), 60_000)
      const to = performance.now()
      recoveries.push(to - back)
      stops.push({ from, to })
      await sleep(Math.max(0, from + plan.every - to))
    }
    await sleep(Math.max(0, began + plan.lasts - performance.now()))
    over.abort()
    const { times: killed, failedStarts } = await kills
    const { crashes } = fleet
    for (const each of [...failedStarts, ...crashes]) console.error(each)
    await mail.end()
    await readers[Symbol.asyncDispose]()
    const { lost, stored } = await compare(database, mail.acknowledged)
    const outside = readers.reads.filter((read) => !stops.some((stop) => overlap(read, stop)))
    const failed = outside.filter(({ status }) => status !== 200).length
    const retried = outside.filter(({ attempts }) => attempts > 1).length
    const slowest = Math.max(...recoveries, ...killed)
    return {
      held:
        lost === 0 &&
        crashes.length === 0 &&
        slowest < plan.recovery &&
        failed <= mostFailed * outside.length &&
        outside.length > 0,
      figure: `${mail.acknowledged.size} mails acknowledged (${mail.attempts} attempts), ${lost} lost, 0 doubled of ${stored} stored; ${killed.length} nodes killed, ${crashes.length} ended by themselves, ${failedStarts.length} starts failed, ${stops.length} times a database stopped or hung; recovery ${(median(recoveries) / 1000).toFixed(1)} s, at most ${(slowest / 1000).toFixed(1)} s; ${failed} of ${outside.length} reads outside a stop failed after one retry (${retried} were retried)`,
    }
  },
}

/** Alternates between both databases; every second stop is a power cut instead of a clean shutdown. */
function* listFaults(
  postgres: Daemon,
  redis: Daemon,
  { stops, hangs }: { stops: number; hangs: number },
): Generator<Fault> {
  const parts = { PostgreSQL: postgres, Redis: redis }
  for (let n = 0; n < stops; n++)
    for (const [name, part] of Object.entries(parts)) {
      yield { name, part, how: n % 2 ? 'killed' : 'stopped' }
      if (n % Math.ceil(stops / hangs) === 0) yield { name, part, how: 'hung' }
    }
}

interface Killed {
  /** Milliseconds after each kill until everything worked without the node. */
  times: number[]
  /** Error messages of nodes that did not start at the first attempt. */
  failedStarts: string[]
}

/** Kills one node after the other and restarts each at once, as a service manager does. */
async function killNodes(
  fleet: Fleet,
  every: number,
  over: AbortSignal,
  goesOn: (since: number) => Promise<boolean>,
): Promise<Killed> {
  const times: number[] = []
  const failedStarts: string[] = []
  while (!over.aborted) {
    const killed = performance.now()
    const place = times.length % fleet.size
    await fleet.kill(place)
    const started = fleet.launch(place).catch((error: Error) => {
      failedStarts.push(error.message)
      return fleet.launch(place)
    })
    started.catch(() => undefined)
    await until('it goes on without a node', () => goesOn(killed), 120_000)
    times.push(performance.now() - killed)
    await started
    const rest = Math.max(0, killed + every - performance.now())
    await sleep(rest, undefined, { signal: over }).catch(() => undefined)
  }
  return { times, failedStarts }
}

/** Reads the store itself; throws if a mail is stored twice or not completely. */
async function compare(
  database: FreshDatabase,
  acknowledged: ReadonlyMap<string, number>,
): Promise<{ lost: number; stored: number }> {
  const stored = await checkWhole(database)
  const client = new Client({ connectionString: database.env['SPOOL_DATABASE_URL'] })
  await client.connect()
  const { rows } = await client.query<{ subject: string }>('SELECT subject FROM messages')
  await client.end()
  const subjects = new Set(rows.map(({ subject }) => subject))
  return { lost: [...acknowledged.keys()].filter((subject) => !subjects.has(subject)).length, stored }
}

function overlap({ began, ended }: Read, { from, to }: Span): boolean {
  return began <= to && ended >= from
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
