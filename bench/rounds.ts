import { measureLoad, writeRequest, type Measured } from './load.ts'
import type { Scenario } from './scenarios.ts'
import type { Anchor, SpoolServer } from './servers.ts'
import type { BenchStore } from './store.ts'

export interface Pace {
  rounds: number
  /** Length of each turn. */
  seconds: number
}

/** With the microseconds of CPU time that the serving thread needed per request. */
type Turn = Measured & { cost: number }

export interface Compared {
  scenario: Scenario
  spool: Turn
  anchor: Turn
  /** Spool's rate divided by the anchor's; the median of all rounds. */
  ratio: number
  /** The same by CPU time, which other work on the machine affects less. */
  costRatio: number
  /** Mean size of the responses. */
  bytes: number
}

/** Spool and the anchor take turns under the same load, so that other work on the machine affects both equally. */
export async function compareWithAnchor(
  scenario: Scenario,
  { store, server, anchor }: { store: BenchStore; server: SpoolServer; anchor: Anchor },
  { rounds, seconds }: Pace,
): Promise<Compared> {
  const { origin } = server
  const bytes = await anchor.learn({
    origin,
    token: store.token,
    paths: scenario.paths,
    coding: scenario.coding ?? null,
  })
  const requests = scenario.paths.map((path) => writeRequest(path, store.token, scenario.coding))
  const connections = scenario.kind === 'hot' ? 64 : 16
  const asked = { spool: 0, anchor: 0 }
  const turn = async (who: 'spool' | 'anchor', length: number): Promise<Turn> => {
    const { port, used } = who === 'spool' ? server : anchor
    const before = used()
    const measured = await measureLoad({ port, requests, connections, seconds: length, from: asked[who] })
    asked[who] += measured.count
    return { ...measured, cost: (used() - before) / measured.count }
  }
  for (const who of ['spool', 'anchor'] as const) await turn(who, seconds / 2)
  const results: { spool: Turn; anchor: Turn; ratio: number; costRatio: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? 'spool' : 'anchor'
    const one = await turn(first, seconds)
    const other = await turn(first === 'spool' ? 'anchor' : 'spool', seconds)
    const [spool, plain] = first === 'spool' ? [one, other] : [other, one]
    results.push({
      spool,
      anchor: plain,
      ratio: spool.rate / plain.rate,
      costRatio: plain.cost / spool.cost,
    })
  }
  return {
    scenario,
    ...middleOf(results, ({ ratio }) => ratio),
    costRatio: middleOf(results, ({ costRatio }) => costRatio).costRatio,
    bytes: bytes / scenario.paths.length,
  }
}

export interface LoadedServer {
  port: number
  requests: Buffer[]
}

/**
 * How much slower the second server is than the first, by their p50: they take turns, and the median of all rounds
 * counts. With one connection nothing queues.
 */
export async function compareServers(
  servers: readonly LoadedServer[],
  { rounds, seconds }: Pace,
  connections = 1,
): Promise<{ ratio: number; p50: number[] }> {
  const asked = servers.map(() => 0)
  const found: { ratio: number; p50: number[] }[] = []
  for (let round = -1; round < rounds; round++) {
    const p50: number[] = []
    for (const [index, { port, requests }] of servers.entries()) {
      const measured = await measureLoad({ port, requests, connections, seconds, from: asked[index]! })
      asked[index]! += measured.count
      p50.push(measured.p50)
    }
    // The first round is a warm-up.
    if (round >= 0) found.push({ ratio: p50[1]! / p50[0]!, p50 })
  }
  return middleOf(found, ({ ratio }) => ratio)
}

function middleOf<Item>(items: readonly Item[], by: (item: Item) => number): Item {
  return items.toSorted((a, b) => by(a) - by(b))[Math.floor(items.length / 2)]!
}
