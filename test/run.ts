/**
 * Runs the tests against real parts: `node test/run.ts [--long] [--write-goldens] [part of a file's path …]`.
 * `--long` raises the counts, `--write-goldens` runs the golden tests and lets them write what they found.
 */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { preparePage } from '../src/cli/page.ts'
import { ensureParts } from './support/parts/install.ts'
import { listenForSignals, preferMemory, startShared } from './support/parts/shared.ts'

const home = resolve(import.meta.dirname, '..')
const minutes = 60_000

const { values: options, positionals: filters } = parseArgs({
  options: { long: { type: 'boolean' }, 'write-goldens': { type: 'boolean' } },
  allowPositionals: true,
})

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  return 1
})

async function main(): Promise<number> {
  const started = performance.now()
  const wanted = options['write-goldens'] && filters.length === 0 ? ['golden'] : filters
  const files = chooseFiles(wanted)
  if (files.length === 0)
    throw new Error(`No test file has ${wanted.join(' or ') || '.test.ts'} in its path.`)
  const interruption = listenForSignals()

  const present = await ensureParts()
  await preparePage()
  if (!options.long) preferMemory()
  await using parts = new AsyncDisposableStack()
  Object.assign(process.env, await startShared(present, parts))
  if (options.long) process.env['SPOOL_TEST_LONG'] = '1'
  if (options['write-goldens']) process.env['SPOOL_WRITE_GOLDENS'] = '1'
  if (interruption.aborted) return 130

  const events = run({
    files: arrange(files),
    // Test files wait for daemons, browsers and clocks much of the time.
    concurrency: availableParallelism() + 2,
    timeout: options.long ? 120 * minutes : 12 * minutes,
    signal: interruption,
    // What a dependency is about to drop is not for the log of those who run Spool.
    execArgv: ['--throw-deprecation'],
  })
  const tally = { tests: 0, failed: false }
  await pipeline(Readable.from(watch(events, tally, started)), new spec(), process.stdout, { end: false })
  if (interruption.aborted) return 130
  if (tally.tests > 0) return tally.failed ? 1 : 0
  console.error('No test ran.')
  return 1
}

function chooseFiles(wanted: string[]): string[] {
  return globSync('test/**/*.test.ts', { cwd: home })
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
    .sort()
    .map((file) => resolve(home, file))
}

/**
 * What takes long begins first, so that nothing long is left alone at the end. Neighbours use the same: some the
 * processor, some a clock. Mixed, the ones work in the pauses of the others.
 */
function arrange(files: readonly string[]): string[] {
  const { long = [], short = [] } = Object.groupBy(files, (file) =>
    /^test\/(faults|threading|web)\//.test(relative(home, file)) ? 'long' : 'short',
  )
  return [...mix(long), ...mix(short)]
}

function mix(files: readonly string[]): string[] {
  const half = Math.ceil(files.length / 2)
  return files.slice(0, half).flatMap((file, index) => [file, ...files.slice(half + index, half + index + 1)])
}

/** Counts on the way, and puts the time of the whole run before node's own closing lines. */
async function* watch(
  events: AsyncIterable<TestEvent>,
  tally: { tests: number; failed: boolean },
  started: number,
): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    if (event.type === 'test:summary' && event.data.file === undefined) {
      tally.tests = event.data.counts.tests
      tally.failed ||= !event.data.success
    }
    if (event.type === 'test:pass' && isEmptyFile(event.data)) {
      tally.failed = true
      console.error(`${relative(home, event.data.name)} holds no test.`)
    }
    if (event.type === 'test:diagnostic' && /^tests \d+$/.test(event.data.message)) {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      yield { ...event, data: { ...event.data, message: `${seconds} s with starting the parts` } }
    }
    yield event
  }
}

/** Node reports a file in which no test is declared as one passing test of the file's name. */
function isEmptyFile(data: { name: string; nesting: number; file?: string | undefined }): boolean {
  return data.nesting === 0 && data.name.endsWith('.test.ts') && resolve(home, data.name) === data.file
}
