/**
 * The export of everything, with history and notes, compared with plain `node:http` that streams the same bytes from
 * memory: read by a client that discards them, and as in the recipe, parsed and written to a file thread by thread.
 * `node bench/export.ts [--quick] [--threads N] [--stores FOLDER]`
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { get } from 'node:http'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Spool as Client } from '../clients/typescript/src/client.ts'
import { openSpool } from '../src/app/open.ts'
import { readConfig } from '../src/config.ts'
import { findActiveUser } from '../src/core/access/access.ts'
import { addNote } from '../src/core/threads/notes.ts'
import { createToken } from '../src/core/tokens/tokens.ts'
import { person } from '../src/model/access.ts'
import { printTable, printTargets } from './report.ts'
import { startAnchor, startSpool, type Server } from './servers.ts'
import { buildStore } from './store.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    threads: { type: 'string' },
    stores: { type: 'string', default: resolve(import.meta.dirname, 'stores') },
  },
})
const threads = Number(options.threads ?? (options.quick ? 1_000 : 10_000))
const rounds = options.quick ? 5 : 9
const path = '/api/v1/export'

/** A store with notes on its long threads, and a token that may read them. */
async function keepStore(): Promise<{ env: Record<string, string>; token: string }> {
  const place = join(options.stores, `export-${threads}`)
  const kept = join(place, 'token')
  const env = { SPOOL_DATA: place }
  if (existsSync(kept)) return { env, token: readFileSync(kept, 'utf8') }
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  const { longThreads } = await buildStore(env, threads)
  await using spool = await openSpool(readConfig(env), 'inline')
  const ben = person(await findActiveUser(spool.db, 'ben@shop.example'))
  for (const id of longThreads) await addNote(spool, ben, id, 'The carrier says tomorrow.')
  const { token } = await createToken(spool, {
    email: 'ben@shop.example',
    name: 'Export',
    scopes: ['threads:read', 'notes:read'],
    inboxes: [],
    lifetime: 365 * 86_400_000,
  })
  // Written last, so that an interrupted build is not taken for a store.
  writeFileSync(kept, token)
  return { env, token }
}

interface Read {
  bytes: number
  seconds: number
  /** Microseconds of CPU time of the serving thread. */
  cost: number
}

type Take = (origin: string, token: string) => Promise<number>

/** Resolves with the number of bytes received. */
const throwAway: Take = (origin, token) =>
  new Promise((resolve, reject) => {
    get(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => void (bytes += chunk.length))
      response.on('end', () => resolve(bytes))
      response.on('error', reject)
    }).on('error', reject)
  })

/** Uncompressed, because the anchor does not compress. */
const writeFile: Take = async (url, token) => {
  const plain: typeof fetch = (request) =>
    fetch(
      new Request(request, { headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' } }),
    )
  const file = openSync(join(options.stores, 'export.ndjson'), 'w')
  let bytes = 0
  for await (const { thread, history, notes } of new Client({ url, token, fetch: plain }).export())
    bytes += writeSync(file, `${JSON.stringify({ ...thread, history, notes })}\n`)
  closeSync(file)
  return bytes
}

async function measure(take: Take, { port, used }: Server, token: string): Promise<Read> {
  const before = used()
  const began = performance.now()
  const bytes = await take(`http://127.0.0.1:${port}`, token)
  return { bytes, seconds: (performance.now() - began) / 1000, cost: used() - before }
}

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

async function compare(
  name: string,
  take: Take,
  servers: Record<'spool' | 'anchor', Server>,
  token: string,
): Promise<number> {
  const reads: { spool: Read; anchor: Read }[] = []
  for (let round = 0; round <= rounds; round++) {
    const spool = await measure(take, servers.spool, token)
    const anchor = await measure(take, servers.anchor, token)
    // The first round is a warm-up.
    if (round > 0) reads.push({ spool, anchor })
  }
  console.log(`\n${name}\n`)
  printTable(
    ['', 'MB', 'seconds', 'MB/s', 'CPU ms'],
    (['spool', 'anchor'] as const).map((who) => {
      const megabytes = reads[0]![who].bytes / 1e6
      const seconds = middle(reads.map((read) => read[who].seconds))
      const cost = middle(reads.map((read) => read[who].cost)) / 1000
      return [
        who,
        megabytes.toFixed(1),
        seconds.toFixed(3),
        (megabytes / seconds).toFixed(0),
        cost.toFixed(0),
      ]
    }),
  )
  return middle(reads.map(({ spool, anchor }) => anchor.seconds / spool.seconds))
}

await using stack = new AsyncDisposableStack()
const { env, token } = await keepStore()
const spool = stack.use(await startSpool(env))
const anchor = stack.use(await startAnchor())
await anchor.learn({ origin: spool.origin, token, paths: [path], coding: null })
const count = threads.toLocaleString('en')
const written = await compare(`${count} threads written to a file`, writeFile, { spool, anchor }, token)
const thrownAway = await compare(`${count} threads thrown away`, throwAway, { spool, anchor }, token)
console.log(`\nThrown away: ${thrownAway.toFixed(2)} of the anchor's rate, only told.`)
printTargets([
  {
    name: `export of ${count} threads, by the rate at which the anchor's bytes are written`,
    wanted: '≥ 0.5',
    found: written.toFixed(2),
    reached: written >= 0.5,
  },
])
