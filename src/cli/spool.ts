import { openSpool, type OpenOptions } from '../app/open.ts'
import { readConfig, type Config } from '../config.ts'
import { becomeOwner } from '../config/folder-owner.ts'
import { findActiveUser } from '../core/access/access.ts'
import type { Spool } from '../core/spool.ts'
import { person, type Actor } from '../model/access.ts'
import { warnOfTypos, type Environment } from './command.ts'

/**
 * Opens the store, even next to a running server, while `work` runs. Only commands that set up a store may create one.
 */
export async function withSpool<Result>(
  environment: Environment,
  work: (spool: Spool) => Promise<Result>,
  options: OpenOptions = { absent: 'refuse' },
): Promise<Result> {
  warnOfTypos(environment)
  const config = readConfig(environment)
  if (config.databaseUrl === null) becomeOwner(config)
  await using spool = await openSpool(config, 'inline', options)
  reportNewStore(config, spool)
  return await work(spool)
}

/** Reveals a mistyped SPOOL_DATA. On standard error, so that `--json` stays one value. */
export function reportNewStore({ databaseUrl, dataFolder }: Config, { db }: Spool): void {
  if (!db.condition.made) return
  const place = databaseUrl === null ? dataFolder : 'the database of SPOOL_DATABASE_URL'
  process.stderr.write(`Made a new store in ${place}.\n`)
}

export async function actorFor(spool: Spool, email: string): Promise<Actor> {
  return person(await findActiveUser(spool.db, email))
}
