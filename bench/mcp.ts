/**
 * Tool calls at /mcp compared with REST calls for the same data, on one node, and how soon a subscribed agent hears of
 * mail: `node bench/mcp.ts [--quick] [--threads 1000] [--stores FOLDER] [--json]`. Exits with 1 if a target is missed.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measureLoad, writeRequest, type Measured } from './load.ts'
import { measureTold } from './mcp-told.ts'
import { printTable, printTargets, type Target } from './report.ts'
import { startSpool, type SpoolServer } from './servers.ts'
import { keepStore, type BenchStore } from './store.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    threads: { type: 'string', default: '1000' },
    stores: { type: 'string', default: resolve(import.meta.dirname, 'stores') },
    json: { type: 'boolean', default: false },
  },
})
const pace = options.quick ? { rounds: 3, seconds: 0.4 } : { rounds: 7, seconds: 1 }
const wanted = 0.4

/** The same data, requested in both ways. */
interface Pair {
  name: string
  rest: Buffer[]
  mcp: Buffer[]
}

/** With the microseconds of CPU time that the serving thread needed per request. */
type Turn = Measured & { cost: number }

interface Compared {
  name: string
  rest: Turn
  mcp: Turn
  /** By rate; the median of all rounds. */
  ratio: number
  /** The same by CPU time, which other work on the machine affects less. */
  costRatio: number
}

await main()

async function main(): Promise<void> {
  const compared = await compareAll()
  const targets = [
    ...compared.map(({ name, ratio }): Target => ({
      name,
      wanted: `≥ ${wanted}`,
      found: ratio.toFixed(2),
      reached: ratio >= wanted,
    })),
    ...(await measureTold(options.quick ? 100 : 500)),
  ]
  if (options.json) console.log(JSON.stringify({ compared, targets }))
  else {
    printRates(compared)
    printTargets(targets)
  }
  if (targets.some(({ reached }) => !reached)) process.exitCode = 1
}

async function compareAll(): Promise<Compared[]> {
  const store = await keepStore(options.stores, Number(options.threads))
  await using server = await startSpool(store.env)
  const compared: Compared[] = []
  for (const pair of await planPairs(store, server)) compared.push(await compare(pair, server))
  return compared
}

async function planPairs(store: BenchStore, server: SpoolServer): Promise<Pair[]> {
  const get = (path: string): Buffer => writeRequest(`/api/v1${path}`, store.token)
  const call = (tool: string, input: object, older = false): Buffer =>
    writeCall(store.token, tool, input, older)
  const long = store.longThreads
  const one = long[Math.floor(long.length / 2)]!
  const cursors = await walk(store, server)
  const pages = Array.from({ length: 2_000 }, (_, index) => ({
    limit: 40 + (Math.floor(index / cursors.length) % 20),
    cursor: cursors[(index * 7) % cursors.length]!,
  }))
  return [
    { name: 'hot list of 50', rest: [get('/threads?limit=50')], mcp: [call('list_threads', { limit: 50 })] },
    {
      name: 'hot list of 50, revision 2025-11-25',
      rest: [get('/threads?limit=50')],
      mcp: [call('list_threads', { limit: 50 }, true)],
    },
    {
      name: 'hot thread of 12, full texts',
      rest: [get(`/threads/${one}`)],
      mcp: [call('get_thread', { threadId: one, full: true })],
    },
    {
      name: 'cold lists of 40 to 59',
      rest: pages.map(({ limit, cursor }) => get(`/threads?limit=${limit}&cursor=${cursor}`)),
      mcp: pages.map((page) => call('list_threads', page)),
    },
    {
      name: 'cold threads of 12, full texts',
      rest: long.map((id) => get(`/threads/${id}`)),
      mcp: long.map((threadId) => call('get_thread', { threadId, full: true })),
    },
  ]
}

/** Cursors from all over the list; REST and MCP accept each other's. */
async function walk(store: BenchStore, { origin }: SpoolServer): Promise<string[]> {
  const cursors: string[] = []
  for (let cursor = ''; cursors.length < 100;) {
    const answer = await fetch(`${origin}/api/v1/threads?limit=5${cursor && `&cursor=${cursor}`}`, {
      headers: { authorization: `Bearer ${store.token}` },
    })
    const { nextCursor } = (await answer.json()) as { nextCursor: string | null }
    if (nextCursor === null) break
    cursors.push((cursor = nextCursor))
  }
  return cursors
}

function writeCall(token: string, name: string, input: object, older: boolean): Buffer {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name, arguments: input, ...(older ? {} : { _meta: envelope }) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const standard = older
    ? 'MCP-Protocol-Version: 2025-11-25\r\n'
    : `MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: ${name}\r\n`
  return Buffer.from(
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n${standard}Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** REST and MCP take turns, so that other work on the machine affects both equally. */
async function compare({ name, rest, mcp }: Pair, { port, used }: SpoolServer): Promise<Compared> {
  const asked = { rest: 0, mcp: 0 }
  const turn = async (way: 'rest' | 'mcp', seconds: number): Promise<Turn> => {
    const before = used()
    const requests = way === 'rest' ? rest : mcp
    const measured = await measureLoad({ port, requests, connections: 16, seconds, from: asked[way] })
    asked[way] += measured.count
    return { ...measured, cost: (used() - before) / measured.count }
  }
  for (const way of ['rest', 'mcp'] as const) await turn(way, pace.seconds)
  const rounds: Compared[] = []
  for (let round = 0; round < pace.rounds; round++) {
    const first = round % 2 === 0 ? 'rest' : 'mcp'
    const one = await turn(first, pace.seconds)
    const other = await turn(first === 'rest' ? 'mcp' : 'rest', pace.seconds)
    const [plain, tool] = first === 'rest' ? [one, other] : [other, one]
    const ratio = tool.rate / plain.rate
    rounds.push({ name, rest: plain, mcp: tool, ratio, costRatio: plain.cost / tool.cost })
  }
  const middleBy = (by: 'ratio' | 'costRatio'): Compared =>
    rounds.toSorted((a, b) => a[by] - b[by])[Math.floor(rounds.length / 2)]!
  return { ...middleBy('ratio'), costRatio: middleBy('costRatio').costRatio }
}

function printRates(compared: readonly Compared[]): void {
  printTable(
    ['', 'REST/s', 'p50 ms', 'CPU µs', 'MCP/s', 'p50 ms', 'CPU µs', 'ratio', 'by CPU'],
    compared.map(({ name, rest, mcp, ratio, costRatio }) => [
      name,
      rest.rate.toFixed(0),
      rest.p50.toFixed(2),
      rest.cost.toFixed(0),
      mcp.rate.toFixed(0),
      mcp.p50.toFixed(2),
      mcp.cost.toFixed(0),
      ratio.toFixed(2),
      costRatio.toFixed(2),
    ]),
  )
}
