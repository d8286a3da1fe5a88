import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase, freshRedis } from '../test/support/databases.ts'
import { quantile } from '../test/support/latencies.ts'
import { NameServer } from '../test/support/name-server.ts'
import type { Drill, Outcome } from './drill.ts'
import { Fleet } from './fleet.ts'
import { MailSenders } from './mail.ts'
import { askFor } from './readers.ts'
import { fillStore, mixedPath } from './store.ts'

const scales = {
  short: { nodes: 1, messages: 50, warmUp: 0.2, measure: 0.5, seconds: 1.5, clients: 4, sampleEvery: 100 },
  whole: {
    nodes: 3,
    // Few enough for the nodes to have cached everything they can of them after the warm-up.
    messages: 300,
    warmUp: 60,
    measure: 10,
    seconds: 1_800,
    clients: 24,
    sampleEvery: 2_000,
  },
}
const share = 0.7
const mostGrowth = 1.05

/** Reads and mail on several nodes, at seventy percent of their capacity. */
export const steadyLoad: Drill = {
  name: 'load: mixed, at 70 % of capacity',
  hold: 'no error; memory of the last third at most 1.05 of the first (not in the short form)',
  async run(scale): Promise<Outcome> {
    const plan = scales[scale]
    await using stack = new AsyncDisposableStack()
    const database = stack.use(await freshDatabase('postgres'))
    const redis = stack.use(await freshRedis())
    const names = stack.use(await NameServer.start({}))
    const { token, threads } = await fillStore(database, plan.messages)
    const env = { ...database.env, SPOOL_REDIS_URL: redis.url, SPOOL_NAME_SERVERS: names.address }
    const fleet = stack.use(await Fleet.start(env, plan.nodes))
    const mail = stack.use(new MailSenders({ ports: fleet.smtpPorts, senders: 1, pause: 300 }))
    const asked = { fleet, token, threads, clients: plan.clients }
    await askAtRate({ ...asked, rate: Infinity, seconds: plan.warmUp })
    const full = await askAtRate({ ...asked, rate: Infinity, seconds: plan.measure })
    const capacity = full.times.length / full.seconds

    const memory: number[] = []
    const sampling = setInterval(() => memory.push(memoryOf(fleet.pids)), plan.sampleEvery)
    const load = await askAtRate({ ...asked, rate: share * capacity, seconds: plan.seconds })
    clearInterval(sampling)
    await mail.end()
    const sixth = Math.floor(memory.length / 6)
    const sixths = Array.from({ length: 6 }, (_, n) => mean(memory.slice(n * sixth, (n + 1) * sixth)))
    const [first, last] = [mean(sixths.slice(0, 2)), mean(sixths.slice(-2))]
    const failed = load.failed + full.failed + mail.attempts - mail.acknowledged.size
    return {
      held: failed === 0 && (scale === 'short' || last <= mostGrowth * first),
      figure: `capacity ${capacity.toFixed(0)}/s on ${plan.nodes} nodes, ${(load.times.length / load.seconds).toFixed(0)}/s asked for ${load.seconds.toFixed(0)} s: ${failed} errors in ${load.times.length} requests and ${mail.acknowledged.size} mails, p50 ${quantile(load.times, 0.5).toFixed(0)} ms, p99 ${quantile(load.times, 0.99).toFixed(0)} ms; memory of all nodes in sixths of the time ${sixths.map((each) => each.toFixed(0)).join(', ')} MB, of the last third by the first ${(last / first).toFixed(3)}`,
    }
  },
}

interface Asking {
  fleet: Fleet
  token: string
  threads: readonly string[]
  clients: number
  /** Requests per second. Clients do not catch up: slow responses reduce the rate. */
  rate: number
  seconds: number
}

async function askAtRate({
  fleet,
  token,
  threads,
  clients,
  rate,
  seconds,
}: Asking): Promise<{ times: number[]; failed: number; seconds: number }> {
  const times: number[] = []
  let [failed, next] = [0, 0]
  const began = performance.now()
  const pause = rate === Infinity ? 0 : (clients / rate) * 1000
  const client = async (place: number): Promise<void> => {
    await sleep((pause * place) / clients)
    while (performance.now() - began < seconds * 1000) {
      const asked = performance.now()
      const n = next++
      if ((await askFor(fleet.urlOf(n % fleet.size) + mixedPath(threads, n), token)) !== 200) failed++
      times.push(performance.now() - asked)
      if (pause > 0) await sleep(Math.max(0, asked + pause - performance.now()))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, place) => client(place)))
  return { times, failed, seconds: (performance.now() - began) / 1000 }
}

/** Anonymous resident memory of all processes together, in megabytes. */
function memoryOf(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) =>
    Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
  )
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1000
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
