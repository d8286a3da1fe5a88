import { beforeCommit } from '../database.ts'
import type { Db, Tx } from '../db.ts'
import { bulkInsert } from '../bulk.ts'
import { statement } from '../statement.ts'

/**
 * A counter per scope; its change invalidates cached answers. Scopes: `inbox:NUMBER`, `user:ID` (what that person has
 * read), `access` (people, sessions, tokens, inboxes), `webhooks` (subscriptions) and `notices:ID` (that person's
 * notices). Caches compare the counters and so notice the commits of every process.
 */
export type VersionScope = 'access' | 'webhooks' | `inbox:${number}` | `user:${string}` | `notices:${string}`

export type Versions = ReadonlyMap<string, number>

const touched = new WeakMap<Tx, Set<VersionScope>>()

export function touch(db: Tx, scope: VersionScope): void {
  let scopes = touched.get(db)
  if (!scopes) {
    touched.set(db, (scopes = new Set()))
    beforeCommit(db, 'versions', () => raiseVersions(db))
  }
  scopes.add(scope)
}

const raiseVersion = bulkInsert(
  'versions',
  { scope: 'text', version: 'bigint' },
  { clause: 'ON CONFLICT (scope) DO UPDATE SET version = versions.version + 1', key: ['scope'] },
)

async function raiseVersions(db: Tx): Promise<void> {
  for (const scope of touched.get(db) ?? []) await db.add(raiseVersion, { scope, version: 1 })
}

/** No counter ever falls, so if their sum is the same, none has changed. */
const changedVersions = statement((build, { known }: { known: number }) =>
  build
    .selectFrom('versions')
    .selectAll()
    .where(
      build.selectFrom('versions').select(({ fn }) => fn.sum('version').as('sum')),
      'is distinct from',
      known,
    ),
)

/** Returns `known` if nothing has changed since: hundreds of people have hundreds of counters. */
export async function readVersions(db: Db, known: Versions | null): Promise<Versions> {
  let sum = 0
  for (const version of known?.values() ?? []) sum += version
  const rows = await db.all(changedVersions({ known: sum }))
  if (known && rows.length === 0) return known
  return new Map(rows.map(({ scope, version }) => [scope, version]))
}
