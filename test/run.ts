/**
 * Runs the tests against real parts: `node test/run.ts [--fast] [--long] [--write-goldens] [part of a file's path …]`.
 * `--fast` leaves out what needs another part than SQLite, kills or takes long, `--long` raises the counts,
 * `--write-goldens` runs the golden tests and lets them write what they found.
 */
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { preparePage } from '../src/cli/page.ts'
import { ensureParts, installerNames, partNames, thisMachine } from './support/parts/install.ts'
import { listenForSignals, preferMemory, startShared } from './support/parts/shared.ts'
import { Tally } from './support/tally.ts'
import { arrange, chooseFiles, isFast, isLongOnly } from './support/test-files.ts'

const minutes = 60_000
const untracked = new URL('support/untracked.ts', import.meta.url).href

const { values: options, positionals: filters } = parseArgs({
  options: { fast: { type: 'boolean' }, long: { type: 'boolean' }, 'write-goldens': { type: 'boolean' } },
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
    .filter((file) => !options.fast || isFast(file))
    .filter((file) => options.long || !isLongOnly(file))
  if (files.length === 0)
    throw new Error(`No test file has ${wanted.join(' or ') || '.test.ts'} in its path.`)
  const interruption = listenForSignals()

  const wants = options.long ? [...partNames, ...installerNames] : partNames
  const present = options.fast ? [] : await ensureParts(thisMachine, wants)
  await preparePage()
  if (!options.long) preferMemory()
  await using parts = new AsyncDisposableStack()
  Object.assign(process.env, await startShared(present, parts))
  if (options.long) process.env['SPOOL_TEST_LONG'] = '1'
  if (options['write-goldens']) process.env['SPOOL_WRITE_GOLDENS'] = '1'
  if (interruption.aborted) return 130

  // Test files wait for daemons, browsers and clocks much of the time.
  const concurrency = availableParallelism() + (options.fast ? 1 : 4)
  const events = run({
    files: arrange(files, options.long ? 1 : Math.ceil(files.length / 16)),
    concurrency,
    timeout: options.long ? 120 * minutes : 30 * minutes,
    signal: interruption,
    // What a dependency is about to drop is not for the log of those who run Spool. Much that a test makes is soon
    // garbage: with room for more of it, collecting takes a tenth of the processor less.
    execArgv: ['--throw-deprecation', '--max-semi-space-size=32', `--import=${untracked}`],
  })
  const tally = new Tally(started)
  await pipeline(Readable.from(tally.watch(events)), new spec(), process.stdout, { end: false })
  if (interruption.aborted) return 130
  if (tally.tests > 0) return tally.failed ? 1 : 0
  console.error('No test ran.')
  return 1
}
