import { createHash } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { openDatabase } from '../../src/store/database.ts'
import { dialectSql, migrations } from '../../src/store/migrations.ts'
import { scratchFolder } from './parts/scratch.ts'

/**
 * Empty stores as migrations leave them. Migrating takes longer than most tests, so it is done once and copied: on SQLite
 * once per process, on PostgreSQL once per cluster.
 */

let file: Promise<string> | undefined

export async function copyMigratedFile(folder: string): Promise<void> {
  await copyFile(await (file ??= makeFile()), join(folder, 'spool.db'))
}

async function makeFile(): Promise<string> {
  const folder = scratchFolder('migrated')
  await migrate({ url: null, folder })
  return join(folder, 'spool.db')
}

async function migrate({ url, folder }: { url: string | null; folder: string }): Promise<void> {
  await using _ = await openDatabase({ url, folder, writer: 'inline', absent: 'make' })
}

const databases = new Map<string, Promise<string>>()

/** The name of a migrated database in the cluster, to be used as a template. */
export function migratedDatabase(cluster: string): Promise<string> {
  let name = databases.get(cluster)
  if (!name) databases.set(cluster, (name = makeDatabase(cluster)))
  return name
}

async function makeDatabase(cluster: string): Promise<string> {
  const statements = migrations.map(({ statements }) => statements(dialectSql.postgres))
  const name = `migrated_${createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16)}`
  const url = new URL(cluster)
  url.pathname = `/${name}`
  const client = new Client({ connectionString: cluster })
  await client.connect()
  try {
    // Other processes of the run want it too; this lock ends with the connection.
    await client.query('SELECT pg_advisory_lock(1)')
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE ${name}_unfinished`)
      url.pathname = `/${name}_unfinished`
      await migrate({ url: url.href, folder: '' })
      await client.query(`ALTER DATABASE ${name}_unfinished RENAME TO ${name}`)
    }
  } finally {
    await client.end()
  }
  return name
}
