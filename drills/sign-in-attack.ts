import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase } from '../test/support/databases.ts'
import { quantile } from '../test/support/latencies.ts'
import { NameServer } from '../test/support/name-server.ts'
import { Serving } from '../test/support/serving.ts'
import type { Drill, Outcome } from './drill.ts'
import { askFor } from './readers.ts'
import { fillStore } from './store.ts'

const scales = {
  // Everything takes longer while other tests run.
  short: { messages: 100, seconds: 1, p99: 10_000 },
  whole: { messages: 3_000, seconds: 20, p99: 500 },
}
/** Lists per second; enough for a p99 of each attack. */
const lists = 20
/** Attempts per second: more than a machine with two cores can check. */
const attempts = 60

const attacks: Record<string, (n: number) => string> = {
  'of one address': () => '198.51.100.1',
  'of a /48': (n) => `2001:db8:1:${(n % 65_536).toString(16)}::1`,
}

/** Strangers try passwords while programs list threads. Every list is new to the cache, and compressed. */
export const signInAttack: Drill = {
  name: 'sign-in attack',
  hold: 'p99 of lists under 500 ms while one address, then a /48 of IPv6, tries passwords',
  async run(scale): Promise<Outcome> {
    const plan = scales[scale]
    await using database = await freshDatabase('sqlite')
    await using names = await NameServer.start({})
    const { token } = await fillStore(database, plan.messages)
    const limits = { SPOOL_TRUST_PROXY: '1', SPOOL_RATE_LIMIT: '100000000/60' }
    await using server = await Serving.start({
      ...database.env,
      ...limits,
      SPOOL_NAME_SERVERS: names.address,
    })
    let listed = 0
    const list = (): Promise<Answers> =>
      askAtRate(lists, plan.seconds, () => askFor(server.url + listPath(listed++), token))
    const quiet = (await list()).get(200) ?? []
    const figures = [`p99 ${quantile(quiet, 0.99).toFixed(0)} ms without an attack`]
    let held = true
    for (const [name, addressOf] of Object.entries(attacks)) {
      const [answers, tried] = await Promise.all([
        list(),
        askAtRate(attempts, plan.seconds, (n) => tryPassword(server.url, addressOf(n), n)),
      ])
      const times = answers.get(200) ?? []
      const [p99, longest] = [quantile(times, 0.99), Math.max(...times)]
      held &&= answers.size === 1 && times.length > 0 && p99 < plan.p99
      const by = [...tried].map(([status, { length }]) => `${length} × ${status}`).join(', ')
      figures.push(`${name} p99 ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms (${by})`)
    }
    return { held, figure: figures.join('; ') }
  },
}

/** A list that no earlier answer serves. */
function listPath(n: number): string {
  const since = new Date(Date.UTC(2020, 0, 1) + n * 1000).toISOString()
  return `/api/v1/threads?limit=50&updatedSince=${since}`
}

/** A wrong password, each time for another account: the limit per account would stop others. */
function tryPassword(url: string, address: string, n: number): Promise<number> {
  return fetch(`${url}/app/api/session`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email: `somebody${n}@shop.example`, password: 'not the right one' }),
    signal: AbortSignal.timeout(60_000),
  }).then(
    async (answer) => (await answer.arrayBuffer(), answer.status),
    () => 0,
  )
}

/** Response times in milliseconds, by status; 0 stands for no response. */
type Answers = Map<number, number[]>

/** Asks on schedule, whether or not earlier requests have been answered. */
async function askAtRate(
  rate: number,
  seconds: number,
  ask: (n: number) => Promise<number>,
): Promise<Answers> {
  const answers: Answers = new Map()
  const all: Promise<void>[] = []
  const began = performance.now()
  const askOne = async (n: number): Promise<void> => {
    const asked = performance.now()
    const status = await ask(n)
    answers.set(status, [...(answers.get(status) ?? []), performance.now() - asked])
  }
  for (let n = 0; n < rate * seconds; n++) {
    await sleep(Math.max(0, began + (n * 1000) / rate - performance.now()))
    all.push(askOne(n))
  }
  await Promise.all(all)
  return answers
}
