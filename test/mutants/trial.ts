import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { noteEnded, noteStarted } from '../support/parts/scratch.ts'
import type { Copy } from './copy.ts'
import { editText, type Mutant } from './mutant.ts'
import { mark, type Report } from './reporter.ts'

/** How the tests of one file ended. */
export type Outcome =
  | { result: 'passed'; seconds: number }
  | { result: 'failed'; test: string; error: string; seconds: number }
  | { result: 'timed out' }
  /** No test was run: the file could not be loaded, or none has the name. */
  | { result: 'not run'; words: string }

export type Verdict =
  | { result: 'killed'; by: string }
  | { result: 'survived'; passed: string }
  /** The edit itself is wrong: it has no place, is no program, or names what is not there. */
  | { result: 'bad'; why: string }

export interface TestRun {
  file: string
  only?: string | undefined
  /** In seconds. */
  limit: number
  environment?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** Runs one test file in the copy, on SQLite alone, and leaves off at its first failure. */
export async function runTests(copy: Copy, run: TestRun): Promise<Outcome> {
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    [
      '--throw-deprecation',
      `--test-reporter=${join(copy.root, 'test/mutants/reporter.ts')}`,
      ...(run.only === undefined ? [] : [`--test-name-pattern=${escapePattern(run.only)}`]),
      join(copy.root, run.file),
    ],
    {
      cwd: copy.root,
      env: { ...childEnvironment(), ...run.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what the tests start ends with them.
      detached: true,
    },
  )
  const pid = child.pid!
  noteStarted(pid, 'SIGKILL')
  const kill = (): void => killGroup(pid)
  let failure: Report | null = null
  let isLate = false
  let count = 0
  let words = ''
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, run.limit * 1000)
  run.signal?.addEventListener('abort', kill, { once: true })
  const closed = once(child, 'close')
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text))
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith(mark)) continue
    const report = JSON.parse(line.slice(mark.length)) as Report
    count++
    if (report.passed || failure) continue
    failure = report
    kill()
  }
  await closed
  clearTimeout(timer)
  run.signal?.removeEventListener('abort', kill)
  // What a test left running beside it.
  kill()
  noteEnded(pid, 'SIGKILL')
  const seconds = (performance.now() - begun) / 1000
  if (failure) return { result: 'failed', test: failure.name, error: failure.error ?? '', seconds }
  if (isLate) return { result: 'timed out' }
  if (count === 0 || child.exitCode !== 0)
    return { result: 'not run', words: words.trim().slice(0, 500) || 'no test has this name' }
  return { result: 'passed', seconds }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Without PostgreSQL a test file repeats its tests on SQLite alone, which takes half the time. */
function childEnvironment(): Record<string, string | undefined> {
  const { NODE_TEST_CONTEXT: _context, CI: _ci, ...env } = process.env
  const parts = (env['SPOOL_TEST_PARTS'] ?? 'redis,dovecot').split(',').filter((part) => part !== 'postgres')
  return { ...env, SPOOL_TEST_PARTS: parts.join(',') }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

/** Makes the edit, runs its tests, and takes it back. */
export async function tryMutant(
  copy: Copy,
  mutant: Mutant,
  { limit, signal }: { limit: number; signal?: AbortSignal },
): Promise<Verdict> {
  const { file, tests, only } = mutant
  const by: string[] = []
  try {
    copy.edit(file, editText(copy.root, mutant))
    for (const test of tests) {
      const outcome = await runTests(copy, { file: test, only, limit, signal })
      const verdict = judge(test, outcome)
      if (verdict.result !== 'killed') return verdict
      by.push(verdict.by)
    }
    return { result: 'killed', by: by.join('; ') }
  } catch (error) {
    return { result: 'bad', why: (error as Error).message }
  } finally {
    copy.restore()
  }
}

/** Only a test that failed shows that the rule is watched; one that never ended may have failed for any reason. */
export function judge(test: string, outcome: Outcome): Verdict {
  switch (outcome.result) {
    case 'failed':
      // The edit uses a name that is not there: no rule was broken by it.
      if (outcome.error.startsWith('ReferenceError')) return { result: 'bad', why: outcome.error }
      return { result: 'killed', by: `${outcome.test} (${outcome.error.slice(0, 160)})` }
    case 'passed':
      return { result: 'survived', passed: test }
    case 'timed out':
      return { result: 'bad', why: `${test} did not end in time` }
    case 'not run':
      return { result: 'bad', why: `${test} was not run: ${outcome.words}` }
  }
}
