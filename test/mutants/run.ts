/**
 * Shows that the tests notice when a rule is broken: `npm run mutants [-- word …]` makes the edits of the table whose
 * rule or file has one of the words, each alone, and runs the tests that must fail.
 * `npm run mutants -- --random [--seed N] [--count N] [--tests part,…] [part of a path …]` makes small random edits of
 * src/core and runs the tests that reach the place.
 */
import { parseArgs } from 'node:util'
import { preparePage } from '../../src/cli/page.ts'
import { ensureParts } from '../support/parts/install.ts'
import { listenForSignals, preferMemory, startShared } from '../support/parts/shared.ts'
import { Copy, eachOf } from './copy.ts'
import type { Mutant } from './mutant.ts'
import { tryRandom } from './random-run.ts'
import { table } from './table.ts'
import { judge, runTests, tryMutant, type Verdict } from './trial.ts'

/** Machines have two cores, and a test file uses about one. */
const atOnce = 2
/** In seconds, for one test file: a test waits up to 300 for what an edit prevents. */
const limit = 330
/** What each test said without any edit. */
const sound = new Map<string, Promise<string | null>>()

const { values: options, positionals: words } = parseArgs({
  options: {
    random: { type: 'boolean' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    tests: { type: 'string', default: '' },
  },
  allowPositionals: true,
})

process.exitCode = await main().catch((error: unknown) => {
  console.error(error)
  return 1
})

async function main(): Promise<number> {
  const signal = listenForSignals()
  preferMemory()
  await using parts = new AsyncDisposableStack()
  // Everything runs on SQLite, so PostgreSQL is not started.
  const present = (await ensureParts()).filter((part) => part !== 'postgres')
  await preparePage()
  Object.assign(process.env, await startShared(present, parts))
  const copies = Array.from({ length: atOnce }, () => new Copy())
  if (options.random)
    return tryRandom(copies, {
      seed: Number(options.seed),
      count: Number(options.count),
      places: words,
      tests: options.tests.split(',').filter(Boolean),
      signal,
    })
  return tryTable(copies, signal)
}

async function tryTable(copies: readonly Copy[], signal: AbortSignal): Promise<number> {
  const chosen = table.filter(
    ({ rule, file }) =>
      words.length === 0 || words.some((word) => rule.includes(word) || file.includes(word)),
  )
  if (chosen.length === 0) throw new Error(`No row has ${words.join(' or ')} in its rule or file.`)
  const failures: string[] = []
  await eachOf(copies, chosen, signal, async (copy, mutant) => {
    const begun = performance.now()
    const verdict = await tryMutant(copy, mutant, { limit, signal })
    // What fails without the edit too says nothing about it.
    const unsound = verdict.result === 'killed' ? await findUnsound(copy, mutant, signal) : null
    if (signal.aborted) return
    const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(5)
    const line = unsound ?? describe(verdict)
    const failed = unsound !== null || verdict.result !== 'killed'
    console.log(`${failed ? '✖' : '✔'} ${seconds} s  ${mutant.rule}\n            ${line}`)
    if (failed) failures.push(`${mutant.rule} (${mutant.file}): ${line}`)
  })
  if (signal.aborted) return 130
  console.log(`\n${chosen.length - failures.length} of ${chosen.length} edits are noticed by the tests.`)
  for (const failure of failures) console.log(`✖ ${failure}`)
  return failures.length === 0 ? 0 : 1
}

function describe(verdict: Verdict): string {
  if (verdict.result === 'killed') return verdict.by
  return verdict.result === 'survived' ? `survived: ${verdict.passed} passes` : `bad row: ${verdict.why}`
}

/** Each test is run once without any edit. */
async function findUnsound(copy: Copy, { tests, only }: Mutant, signal: AbortSignal): Promise<string | null> {
  for (const file of tests) {
    const key = `${file} ${only}`
    const checked = sound.get(key) ?? checkSound(copy, file, only, signal)
    sound.set(key, checked)
    const found = await checked
    if (found !== null) return found
  }
  return null
}

async function checkSound(
  copy: Copy,
  file: string,
  only: string | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  const outcome = await runTests(copy, { file, only, limit, signal })
  if (outcome.result === 'passed') return null
  const verdict = judge(file, outcome)
  return `fails without the edit too: ${describe(verdict)}`
}
