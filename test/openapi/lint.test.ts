import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { installTools } from '../support/tools.ts'

const here = import.meta.dirname
const golden = resolve(here, '../golden/openapi.json')

/** Runs a linter; what it says is JSON, whatever its exit code. */
async function lint(program: string, ...words: string[]): Promise<unknown> {
  const tools = await installTools(join(here, 'tools'))
  const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  const options = { cwd: here, env: { ...process.env, ...offline }, maxBuffer: 16_000_000 }
  return new Promise((resolve, reject) =>
    execFile(process.execPath, [tools.path(program), 'lint', golden, ...words], options, (_, said, error) => {
      try {
        resolve(JSON.parse(said))
      } catch {
        reject(new Error(said + error))
      }
    }),
  )
}

test('the OpenAPI document passes every recommended rule of Redocly, with no warning', async () => {
  const { totals, problems } = (await lint('.bin/redocly', '--format=json')) as {
    totals: Record<string, number>
    problems: unknown[]
  }
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, JSON.stringify(problems, null, 2))
})

test('the OpenAPI document passes every rule of Spectral, with no hint', async () => {
  const words = ['--ruleset', 'spectral.yaml', '--fail-severity=hint', '--format=json', '--quiet']
  assert.deepEqual(await lint('.bin/spectral', ...words), [])
})
