import { beforeCommit } from '../database.ts'
import type { Db, Tx } from '../db.ts'
import { statement, textQuery } from '../statement.ts'

/**
 * A counter per scope whose change makes cached answers stale: `inbox:NUMBER`, `user:ID` (what that person has read),
 * `access` (people, sessions, tokens, inboxes), `webhooks` (subscriptions) and `notices:ID` (what that person is told).
 * Caches compare the counters and so notice the commits of every process.
 */
export type VersionScope = 'access' | 'webhooks' | `inbox:${number}` | `user:${string}` | `notices:${string}`

const touched = new WeakMap<Tx, Set<VersionScope>>()

export function touch(db: Tx, scope: VersionScope): void {
  let scopes = touched.get(db)
  if (!scopes) {
    touched.set(db, (scopes = new Set()))
    beforeCommit(db, 'versions', () => raiseVersions(db))
  }
  scopes.add(scope)
}

/** In one statement: a mail that many people have not read yet touches each of them. */
async function raiseVersions(db: Tx): Promise<void> {
  const scopes = [...(touched.get(db) ?? [])]
  await db.run(
    textQuery(
      `INSERT INTO versions (scope, version) VALUES ${scopes.map(() => '(?, 1)').join(', ')}
       ON CONFLICT (scope) DO UPDATE SET version = versions.version + 1`,
      scopes,
    ),
  )
}

const allVersions = statement((build) => build.selectFrom('versions').selectAll())

export async function readVersions(db: Db): Promise<Map<string, number>> {
  const rows = await db.all(allVersions({}))
  return new Map(rows.map(({ scope, version }) => [scope, version]))
}
