import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startSpool } from './support/spool.ts'

const home = resolve(import.meta.dirname, '..')
const golden = resolve(home, 'test/golden/openapi.json')

test('the OpenAPI document that is served is the one that was agreed on', async () => {
  await using spool = await startSpool('sqlite')
  const { status, headers, text } = await spool.get('/openapi.json', { token: null })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  if (process.env['SPOOL_WRITE_GOLDENS'] === '1') writeFileSync(golden, text)
  assert.equal(text, readFileSync(golden, 'utf8'), 'openapi.json changed: look at it, then `npm run goldens`')
})

test('the OpenAPI document passes every recommended rule of Redocly', async () => {
  const lint = [resolve(home, 'node_modules/.bin/redocly'), 'lint', golden, '--format=json']
  const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, lint, {
    cwd: home,
    env: { ...process.env, ...offline },
  }).catch((error: { stdout: string }) => error)
  const { totals, problems } = JSON.parse(stdout) as { totals: Record<string, number>; problems: unknown[] }
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, JSON.stringify(problems, null, 2))
})
