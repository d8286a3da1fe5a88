import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from '../support/parts/scratch.ts'

const verdict = new URL('verdict.ts', import.meta.url).href
const lane = new URL('run-lane.ts', import.meta.url).href
const mustHold = new URL('../support/must-hold.ts', import.meta.url).href

/** Runs the files as one lane, all of them in one process, as a test run would. */
function runFiles(bodies: Record<string, string>): { status: number | null; stdout: string } {
  const folder = scratchFolder('lane')
  const files = Object.entries(bodies).map(([name, body]) => {
    const path = join(folder, `${name}.test.ts`)
    writeFileSync(
      path,
      `import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { mustHold } from ${JSON.stringify(mustHold)}
const failOnce = () => { if (!existsSync(import.meta.filename + '.ran')) { writeFileSync(import.meta.filename + '.ran', ''); assert.fail('too slow') } }
${body}`,
    )
    return path
  })
  const script = join(folder, 'run.ts')
  writeFileSync(
    script,
    `import { runLane } from ${JSON.stringify(lane)}
import { conclude } from ${JSON.stringify(verdict)}
const options = { long: false, signal: new AbortController().signal, kept: ${JSON.stringify(folder)} }
const results = await runLane({ files: ${JSON.stringify(files)}, processes: 2, sharing: 9 }, options)
process.exitCode = await conclude(results, options)
`,
  )
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' })
  return { status, stdout }
}

const passing = `test('passes', () => {})`

test('a file that fails and then passes alone is named as flaky, and the run passes', () => {
  const { status, stdout } = runFiles({ passing, shaky: `test('is late', failOnce)` })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /flaky: .*shaky\.test\.ts\nis late\n[^]*too slow[^]*Both outputs: .*shaky/)
  assert.match(stdout, /^2 passed, 0 failed, 0 skipped$/m)
})

test('a file that fails twice fails the run, and what else its process ran does not', () => {
  const { status, stdout } = runFiles({ passing, broken: `test('fails', () => assert.fail('always'))` })
  assert.equal(status, 1, stdout)
  assert.match(stdout, /^failed: .*broken\.test\.ts$/m)
  assert.match(stdout, /^1 passed, 1 failed, 0 skipped$/m)
})

test('a file in which something was lost is not run again', () => {
  const { status, stdout } = runFiles({
    passing,
    loses: `test('keeps mail', () => { try { failOnce() } catch (error) { mustHold.ifError(error) } })`,
  })
  assert.equal(status, 1, stdout)
  assert.match(stdout, /^failed, not run again: .*loses\.test\.ts$/m)
  assert.doesNotMatch(stdout, /Once more/)
})

test('more than two flaky files fail the run', () => {
  const shaky = `test('is late', failOnce)`
  const { status, stdout } = runFiles({ one: shaky, two: shaky, three: shaky })
  assert.equal(status, 1, stdout)
  assert.doesNotMatch(stdout, /Once more/)
})

for (const [what, body] of [
  ['holds no test', ''],
  ['cannot be loaded', `import './nowhere.ts'`],
  ['ends its process', `${passing}\ntest('exits', () => process.exit(3))`],
  ['throws after its tests', `${passing}\nsetTimeout(() => { throw new Error('late') }, 200)`],
] as const)
  test(`a file that ${what} fails the run, and those beside it are run again`, () => {
    const { status, stdout } = runFiles({ passing, bad: body })
    assert.equal(status, 1, stdout)
    assert.match(stdout, /^failed: .*bad\.test\.ts$/m)
    assert.doesNotMatch(stdout, /^failed: .*passing\.test\.ts$/m)
  })
