import { openSpool } from '../app/open.ts'
import { readConfig } from '../config.ts'
import { findActiveUser } from '../core/access.ts'
import type { Spool } from '../core/spool.ts'
import { person, type Actor } from '../model/access.ts'
import { warnOfTypos, type Environment } from './command.ts'

/** Opens the store, beside a running server too, for as long as `work` takes. */
export async function withSpool<Result>(
  environment: Environment,
  work: (spool: Spool) => Promise<Result>,
): Promise<Result> {
  warnOfTypos(environment)
  await using spool = await openSpool(readConfig(environment), 'inline')
  return await work(spool)
}

export async function actorFor(spool: Spool, email: string): Promise<Actor> {
  return person(await findActiveUser(spool.db, email))
}
