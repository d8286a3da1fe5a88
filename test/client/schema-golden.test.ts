import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { describeApi } from '../../src/http/openapi.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { installTools } from '../support/tools.ts'

const home = resolve(import.meta.dirname, '../..')
const schema = join(home, 'clients/typescript/src/schema.ts')

test("the client's types are those of the OpenAPI document", async () => {
  const tools = await installTools(join(home, 'test/openapi/tools'))
  const folder = scratchFolder('schema')
  // Not the golden file, which may be about to be written.
  const document = join(folder, 'openapi.json')
  writeFileSync(document, JSON.stringify(describeApi(packageJson.version)))
  const made = join(folder, 'schema.ts')
  const words = [tools.path('.bin/openapi-typescript'), document, '-o', made]
  await promisify(execFile)(process.execPath, words)
  if (process.env['SPOOL_WRITE_GOLDENS'] === '1') copyFileSync(made, schema)
  assert.equal(
    readFileSync(schema, 'utf8'),
    readFileSync(made, 'utf8'),
    'the document changed and the client did not: `npm run goldens`, then see what the client must follow',
  )
})
