import { freshDatabase } from '../test/support/databases.ts'
import type { Drill } from './drill.ts'
import { Fleet } from './fleet.ts'
import { askFor } from './readers.ts'
import { fillStore } from './store.ts'

const scales = {
  short: { nodes: 2, clients: 2, restarts: 1, drainSeconds: '4' },
  whole: { nodes: 3, clients: 12, restarts: 15, drainSeconds: '2' },
}

/** Nodes are stopped and restarted one after the other, behind a proxy that checks /readyz. */
export const rollingRestart: Drill = {
  name: 'rolling restart under load',
  hold: 'no failed request',
  async run(scale) {
    const { nodes, clients, restarts, drainSeconds } = scales[scale]
    await using stack = new AsyncDisposableStack()
    const database = stack.use(await freshDatabase('postgres'))
    const { token, threads } = await fillStore(database, 1)
    const fleet = stack.use(await Fleet.start({ ...database.env, SPOOL_DRAIN_SECONDS: drainSeconds }, nodes))
    const tally = { requests: 0, failed: 0, slowest: 0 }
    const over = new AbortController()
    const paths = ['/api/v1/threads', `/api/v1/threads/${threads[0]}`, '/api/v1/me']
    const ask = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const began = performance.now()
        const path = paths[tally.requests++ % paths.length]!
        if ((await askFor(fleet.url + path, token)) !== 200) tally.failed++
        tally.slowest = Math.max(tally.slowest, performance.now() - began)
      }
    }
    const asking = Array.from({ length: clients }, ask)
    let unclean = 0
    for (let restart = 0; restart < restarts; restart++) {
      if (!(await fleet.stop(restart % nodes))) unclean++
      await fleet.launch(restart % nodes)
    }
    over.abort()
    await Promise.all(asking)
    return {
      held: tally.failed === 0 && unclean === 0 && tally.requests > 0,
      figure: `${tally.failed} of ${tally.requests} requests failed over ${restarts} restarts, ${unclean} of them unclean; slowest answer ${tally.slowest.toFixed(0)} ms`,
    }
  },
}
