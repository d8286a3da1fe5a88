import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from './support/parts/scratch.ts'

const untracked = new URL('support/untracked.ts', import.meta.url).href

for (const [what, line] of [
  ['an error thrown by a timer', `setTimeout(() => { throw new Error('lost') })`],
  ['a rejection that nobody handles', `void Promise.reject(new Error('lost'))`],
] as const)
  test(`${what} fails its run, though no promise is followed`, () => {
    const path = join(scratchFolder('untracked'), 'lost.test.mjs')
    writeFileSync(
      path,
      `import { describe, test } from 'node:test'
import { stopTracking } from ${JSON.stringify(untracked)}
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))
let loaded
describe('a file', () => (loaded = wait(1).then(() => void test('passes', async () => { ${line}; await wait(50) }))))
await loaded
stopTracking()
`,
    )
    const { status, stdout } = spawnSync(process.execPath, [`--import=${untracked}`, path], {
      env: { PATH: process.env['PATH'] },
      encoding: 'utf8',
    })
    assert.equal(status, 1, stdout)
    assert.match(stdout, /▶ a file\s+✔ passes[^]*"Error: lost"/)
  })
