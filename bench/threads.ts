/**
 * Spool's Threads API compared with a plain `node:http` server that answers the same bytes from memory:
 * `node bench/threads.ts [--quick] [--sizes 1000,100000] [--postgres | --postgres-full] [--stores FOLDER] [--json]`
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measureLoad, writeRequest } from './load.ts'
import { startBenchPostgres } from './postgres.ts'
import { printComparison, printTargets, type Target } from './report.ts'
import { compareServers, compareWithAnchor, type Compared, type Pace } from './rounds.ts'
import { planScenarios, planSearches, type Scenario } from './scenarios.ts'
import { startAnchor, startSpool, type Anchor, type SpoolServer } from './servers.ts'
import { keepStore, type BenchStore } from './store.ts'

/** A store with its running server and the scenarios for it. */
interface Served {
  store: BenchStore
  server: SpoolServer
  scenarios: Scenario[]
}

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    'postgres-full': { type: 'boolean', default: false },
    stores: { type: 'string', default: resolve(import.meta.dirname, 'stores') },
    json: { type: 'boolean', default: false },
  },
})
const onPostgres = options.postgres || options['postgres-full']
const pace: Pace = options.quick ? { rounds: 3, seconds: 0.3 } : { rounds: 7, seconds: 1 }

await main()

async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const postgres = onPostgres ? stack.use(await startBenchPostgres()) : null
  const anchor = stack.use(await startAnchor())
  const all: Served[] = []
  const results: { threads: number; compared: Compared[] }[] = []
  const targets: Target[] = []
  for (const threads of chooseSizes()) {
    const store = postgres ? await postgres.build(threads) : await keepStore(options.stores, threads)
    const server = stack.use(await startSpool(store.env))
    const served = { store, server, scenarios: await planScenarios(store, server.origin) }
    const compared = await compareAll(served, anchor)
    all.push(served)
    if (onPostgres) targets.push(...(await databaseTargets(served)))
    results.push({ threads, compared })
    targets.push(...ratioTargets(threads, compared), ...latencyTargets(threads, compared))
    if (!options.json)
      printComparison(`${onPostgres ? 'PostgreSQL' : 'SQLite'}, ${count(threads)} threads`, compared)
  }
  targets.push(...(await growthTargets(all)))
  targets.push(...(await searchTargets(all.at(-1)!)))
  const { store, server } = all.at(-1)!
  targets.push(memoryTarget(server))
  targets.push(await readyTarget(store))
  if (options.json) console.log(JSON.stringify({ results: results.map(shorten), targets }))
  else printTargets(targets)
}

function chooseSizes(): number[] {
  if (options.sizes) return options.sizes.split(',').map(Number)
  if (options.quick) return [1_000]
  return onPostgres && !options['postgres-full'] ? [1_000, 100_000] : [1_000, 100_000, 1_000_000]
}

async function compareAll({ store, server, scenarios }: Served, anchor: Anchor): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const scenario of scenarios)
    compared.push(await compareWithAnchor(scenario, { store, server, anchor }, pace))
  return compared
}

function ratioTargets(threads: number, compared: readonly Compared[]): Target[] {
  return compared.flatMap(({ scenario, ratio }) =>
    scenario.target === null
      ? []
      : [
          {
            name: `${scenario.kind} ${scenario.name}, ${count(threads)} threads`,
            wanted: `≥ ${scenario.target}`,
            found: ratio.toFixed(2),
            reached: ratio >= scenario.target,
          },
        ],
  )
}

/** A hot list must not take much longer than with plain Node. */
function latencyTargets(threads: number, compared: readonly Compared[]): Target[] {
  return compared
    .filter(({ scenario }) => scenario.kind === 'hot' && scenario.name.endsWith('list'))
    .map(({ scenario, spool, anchor }) => ({
      name: `p99 of a hot ${scenario.name} by the anchor's, ${count(threads)} threads`,
      wanted: '≤ 2',
      found: (spool.p99 / anchor.p99).toFixed(2),
      reached: spool.p99 <= 2 * anchor.p99,
    }))
}

/** The cost of a page must not depend on the size of the store: compares the largest store with the smallest. */
async function growthTargets(all: readonly Served[]): Promise<Target[]> {
  if (all.length < 2) return []
  const [smallest, largest] = [all[0]!, all.at(-1)!]
  const sizes = `${count(largest.store.threads)} by ${count(smallest.store.threads)} threads`
  return compareLatency(
    smallest,
    largest,
    { kind: 'cold', names: ['list', 'unread list', 'thread of 12'] },
    sizes,
    1.3,
  )
}

/** Compares a list on PostgreSQL with the same list on SQLite. */
async function databaseTargets(onPostgres: Served): Promise<Target[]> {
  const { threads } = onPostgres.store
  const store = await keepStore(options.stores, threads)
  await using server = await startSpool(store.env)
  const onSqlite = { store, server, scenarios: await planScenarios(store, server.origin) }
  const what = `PostgreSQL by SQLite, ${count(threads)} threads`
  const hot = { kind: 'hot', names: ['list', 'unread list', 'deep page'] } as const
  const cold = { kind: 'cold', names: ['list', 'unread list', 'filtered list'] } as const
  return [
    ...(await compareLatency(onSqlite, onPostgres, hot, what, 1.5, 64)),
    ...(await compareLatency(onSqlite, onPostgres, hot, what, 1.5)),
    ...(await compareLatency(onSqlite, onPostgres, cold, what, 1.5)),
  ]
}

/** How long clients wait for the second server, relative to the first. */
async function compareLatency(
  first: Served,
  second: Served,
  { kind, names }: { kind: Scenario['kind']; names: readonly string[] },
  what: string,
  most: number,
  connections = 1,
): Promise<Target[]> {
  const targets: Target[] = []
  for (const name of names) {
    const servers = [first, second].map(({ store, server, scenarios }) => ({
      port: server.port,
      requests: scenarios
        .find((scenario) => scenario.kind === kind && scenario.name === name)!
        .paths.map((path) => writeRequest(path, store.token)),
    }))
    const { ratio, p50 } = await compareServers(servers, pace, connections)
    targets.push({
      name: `p50 of a ${kind} ${name}, ${what}${connections === 1 ? '' : `, ${connections} connections`}`,
      wanted: `≤ ${most}`,
      found: `${ratio.toFixed(2)} (${p50.map((milliseconds) => milliseconds.toFixed(2)).join(' and ')} ms)`,
      reached: ratio <= most,
    })
  }
  return targets
}

/** How long a person waits for a search in the largest store: one search at a time, none of them repeated. */
async function searchTargets({ store, server }: Served): Promise<Target[]> {
  const targets: Target[] = []
  for (const { name, paths } of planSearches(store.threads)) {
    const requests = paths.map((path) => writeRequest(path, store.token))
    const { p50, p95 } = await measureLoad({
      port: server.port,
      requests,
      connections: 1,
      seconds: Number.POSITIVE_INFINITY,
      from: 0,
      most: requests.length,
    })
    targets.push({
      name: `${name}, ${count(store.threads)} threads: p50 and p95`,
      wanted: '< 80 and < 300 ms',
      found: `${p50.toFixed(1)} and ${p95.toFixed(1)} ms`,
      reached: p50 < 80 && p95 < 300,
    })
  }
  return targets
}

function memoryTarget(server: SpoolServer): Target {
  const memory = server.memory()
  const found = `${memory.toFixed(0)} MB`
  return { name: 'RssAnon after the run', wanted: '< 200 MB', found, reached: memory < 200 }
}

/** The median of three starts on an existing store. */
async function readyTarget(store: BenchStore): Promise<Target> {
  const times: number[] = []
  for (let start = 0; start < 3; start++) {
    await using server = await startSpool(store.env)
    times.push(server.readyAfter)
  }
  const found = times.sort((a, b) => a - b)[1]!
  return {
    name: `ready with ${count(store.threads)} threads`,
    wanted: '< 1200 ms',
    found: `${found.toFixed(0)} ms`,
    reached: found < 1200,
  }
}

function shorten({ threads, compared }: { threads: number; compared: Compared[] }) {
  return {
    threads,
    compared: compared.map(({ scenario: { name, kind }, spool, anchor, ratio }) => ({
      name,
      kind,
      spool,
      anchor,
      ratio,
    })),
  }
}

function count(number: number): string {
  return number.toLocaleString('en')
}
