import { receiveMail } from '../src/core/receiving/receive.ts'
import { parseMail } from '../src/mail/parse.ts'
import { Child } from '../test/support/child.ts'
import { freshDatabase } from '../test/support/databases.ts'
import { openStore } from '../test/support/desk-opener.ts'
import { writeMail } from '../test/support/letter.ts'
import { until } from '../test/support/until.ts'
import { startBalancer } from './balancer.ts'
import type { Drill } from './drill.ts'

const scales = {
  short: { nodes: 2, clients: 2, rounds: 1, drainSeconds: '4' },
  whole: { nodes: 3, clients: 12, rounds: 5, drainSeconds: '2' },
}

/** Nodes are told to stop one after the other, and started again, behind a proxy that looks at /readyz. */
export const rollingRestart: Drill = {
  name: 'rolling restart under load',
  hold: 'no failed request',
  async run(scale) {
    const { nodes: count, clients, rounds, drainSeconds } = scales[scale]
    await using stack = new AsyncDisposableStack()
    const database = stack.use(await freshDatabase('postgres'))
    const store = stack.use(await openStore(database))
    const mail = await parseMail(Buffer.from(writeMail({})))
    const how = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
    const [received] = await receiveMail(store.spool, store.inbox, [{ mail, ...how }])
    const env = {
      ...database.env,
      SPOOL_PORT: '0',
      SPOOL_DRAIN_SECONDS: drainSeconds,
      SPOOL_RATE_LIMIT: '100000000/60',
      SPOOL_LOG_LEVEL: 'info',
    }
    const balancer = stack.use(await startBalancer(200))
    const nodes: Child[] = []
    stack.defer(async () => void (await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))))
    const start = async (place: number): Promise<void> => {
      nodes[place] = new Child('bin/spool.js', ['serve'], env)
      const [, url] = await nodes[place].says(/"url":"([^"]+)"/)
      balancer.place(place, url!)
      await until('the node is in rotation', async () => balancer.isReady(place), 120_000)
    }
    await Promise.all(Array.from({ length: count }, (_, place) => start(place)))

    const tally = { requests: 0, failed: 0, slowest: 0 }
    const over = new AbortController()
    const paths = ['/api/v1/threads', `/api/v1/threads/${received!.threadId}`, '/api/v1/me']
    const ask = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const began = performance.now()
        const path = paths[tally.requests++ % paths.length]!
        const status = await fetch(balancer.url + path, {
          headers: { authorization: `Bearer ${store.token}` },
        }).then(
          async (answer) => (await answer.arrayBuffer(), answer.status),
          () => 0,
        )
        if (status !== 200) tally.failed++
        tally.slowest = Math.max(tally.slowest, performance.now() - began)
      }
    }
    const asking = Array.from({ length: clients }, ask)
    let unclean = 0
    for (let round = 0; round < rounds; round++)
      for (const [place, node] of [...nodes].entries()) {
        node.process.kill('SIGTERM')
        if ((await node.ended).code !== 0) unclean++
        balancer.place(place, null)
        await start(place)
      }
    over.abort()
    await Promise.all(asking)
    return {
      held: tally.failed === 0 && unclean === 0 && tally.requests > 0,
      figure: `${tally.failed} of ${tally.requests} requests failed over ${rounds * count} restarts, ${unclean} of them unclean; slowest answer ${tally.slowest.toFixed(0)} ms`,
    }
  },
}
