import { setTimeout as sleep } from 'node:timers/promises'
import { measureLoad, writeRequest } from '../bench/load.ts'
import { freshDatabase, type DatabaseKind } from '../test/support/databases.ts'
import { quantile } from '../test/support/latencies.ts'
import { NameServer } from '../test/support/name-server.ts'
import { Serving } from '../test/support/serving.ts'
import type { Drill, Outcome } from './drill.ts'
import { flood } from './flood.ts'
import { fillStore, mixedPath, searchPath } from './store.ts'

const scales = {
  // Everything takes longer while other tests run.
  short: { kinds: ['sqlite'], messages: 100, measure: 0.5, seconds: 4, accepted: 30_000, recovery: 30_000 },
  whole: {
    kinds: ['sqlite', 'postgres'],
    messages: 3_000,
    measure: 5,
    seconds: 20,
    /** Upper limits for the p99 of accepted requests and for the recovery time, in milliseconds. */
    accepted: 3_000,
    recovery: 2_000,
  },
} as const
const overload = 5
const connections = 1_500

/** Five times as many requests as a node can answer, from programs that are all within their rate limit. */
export const overloaded: Drill = {
  name: 'overload at five times capacity',
  hold: 'sheds with 503, p99 of what is accepted under 3 s, answers as before within 2 s',
  async run(scale): Promise<Outcome> {
    const plan = scales[scale]
    const outcomes: Outcome[] = []
    for (const kind of plan.kinds) outcomes.push(await overloadNode(kind, plan))
    return {
      held: outcomes.every(({ held }) => held),
      figure: outcomes.map(({ figure }) => figure).join('; '),
    }
  },
}

async function overloadNode(
  kind: DatabaseKind,
  plan: (typeof scales)[keyof typeof scales],
): Promise<Outcome> {
  await using database = await freshDatabase(kind)
  await using names = await NameServer.start({})
  const { token, threads } = await fillStore(database, plan.messages)
  const requests = Array.from({ length: 10_000 }, (_, n) => writeRequest(searchPath(n), token))
  const env = { ...database.env, SPOOL_NAME_SERVERS: names.address }
  const asked = { requests, connections: 16, seconds: plan.measure, from: 0 }
  await using server = await Serving.start({ ...env, SPOOL_RATE_LIMIT: '100000000/60' })
  const port = Number(new URL(server.url).port)
  await measureLoad({ ...asked, port })
  const { rate: capacity } = await measureLoad({ ...asked, port, from: 5_000 })
  const before = await measureLoad({ ...asked, port, connections: 1, seconds: Math.min(1, plan.measure) })
  const { times, sent, seconds } = await flood({
    port,
    rate: capacity * overload,
    seconds: plan.seconds,
    connections,
    request: (n) => requests[n % requests.length]!,
  })
  const recovery = await recoveryTime(port, token, threads, before.p99)
  const count = (status: number): number => times.get(status)?.length ?? 0
  const accepted = times.get(200) ?? []
  const shed = count(503)
  const others = [...times.keys()].filter((status) => ![200, 503].includes(status))
  const p99 = quantile(accepted, 0.99)
  return {
    held: shed > 0 && others.length === 0 && p99 < plan.accepted && recovery < plan.recovery,
    figure: `${kind}: capacity ${capacity.toFixed(0)}/s, ${(sent / seconds).toFixed(0)}/s sent: ${accepted.length} accepted (${(accepted.length / seconds).toFixed(0)}/s, p99 ${p99.toFixed(0)} ms; ${before.p99.toFixed(0)} ms before), ${shed} × 503, others ${others.map((status) => `${status}: ${count(status)}`).join(', ') || 'none'}; as before after ${recovery.toFixed(0)} ms`,
  }
}

/** Time until ten requests in a row succeed, each within 100 ms or five times the usual p99. */
async function recoveryTime(
  port: number,
  token: string,
  threads: readonly string[],
  usual: number,
): Promise<number> {
  const began = performance.now()
  for (let since = began, n = 0; ; n++) {
    const asked = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}${mixedPath(threads, n)}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await answer.arrayBuffer()
    if (answer.status !== 200 || performance.now() - asked > Math.max(100, 5 * usual)) {
      n = 0
      since = performance.now()
    }
    if (n === 10 || performance.now() - began > 60_000) return since - began
    await sleep(1)
  }
}
