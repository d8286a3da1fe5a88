import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as Module from 'kysely'
import packageJson from '../../package.json' with { type: 'json' }

/**
 * Kysely is 255 small files. Finding and linking them takes Node a third of the time of most commands, so installing
 * Spool bundles them into one (`deploy/bundle.ts`, decision 0044). Without the bundle they are loaded one by one.
 */
const bundle = join(import.meta.dirname, `../../dist/kysely-${packageJson.dependencies.kysely}.js`)
const load = createRequire(import.meta.url)
const kysely = load(existsSync(bundle) ? bundle : 'kysely') as typeof Module

export const {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} = kysely
