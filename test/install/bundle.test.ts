import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { bundleKysely } from '../../deploy/bundle.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { home } from '../support/home.ts'

const bundle = join(home, `dist/kysely-${packageJson.dependencies.kysely}.js`)

test('installing Spool bundles Kysely into one file, and the store uses it', async () => {
  assert.ok(existsSync(bundle), 'npm ci or "node deploy/bundle.ts" makes it')
  const bundled: object = await import(pathToFileURL(bundle).href)
  const { Kysely } = await import('../../src/store/kysely.ts')
  assert.equal(Kysely, (bundled as { Kysely: unknown }).Kysely)
})

test('the bundle needs no other file and has everything that Kysely has', async () => {
  const made = await bundleKysely(scratchFolder('bundle'))
  const imported = [...readFileSync(made, 'utf8').matchAll(/^import .* from "([^"]+)"/gm)].map(
    ([, name]) => name!,
  )
  assert.deepEqual(
    imported.filter((name) => !isBuiltin(name)),
    [],
  )
  const bundled: object = await import(pathToFileURL(made).href)
  assert.deepEqual(Object.keys(bundled).sort(), Object.keys(await import('kysely')).sort())
})
