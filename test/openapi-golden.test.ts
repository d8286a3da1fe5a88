import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { startSpool } from './support/spool.ts'

const golden = resolve(import.meta.dirname, 'golden/openapi.json')

test('the OpenAPI document that is served is the one that was agreed on', async () => {
  await using spool = await startSpool('sqlite')
  const { status, headers, text } = await spool.get('/openapi.json', { token: null })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  if (process.env['SPOOL_WRITE_GOLDENS'] === '1') writeFileSync(golden, text)
  assert.equal(text, readFileSync(golden, 'utf8'), 'openapi.json changed: look at it, then `npm run goldens`')
})
