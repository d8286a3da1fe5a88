import { Authentication, readCredential, type Admitted } from '../../src/core/tokens/authentication.ts'
import { Cache } from '../../src/core/cache.ts'
import { Freshness, type Versions } from '../../src/core/freshness.ts'
import { MailWatch } from '../../src/core/log/mail-watch.ts'
import type { Spool } from '../../src/core/spool.ts'
import { agent, type Actor } from '../../src/model/access.ts'

/** Authenticates a token as the API endpoints do, and returns its holder. */
export async function admit(
  spool: Spool,
  token: string,
): Promise<Admitted & { cache: Cache; versions: Versions; watch: MailWatch }> {
  const { db, now } = spool
  const cache = new Cache()
  const freshness = new Freshness(db)
  const versions = await freshness.current()
  const admitted = await new Authentication(spool, cache).authenticate(
    readCredential(token)!,
    versions,
    now(),
  )
  if (!admitted) throw new Error('This token is not valid.')
  return { ...admitted, cache, versions, watch: new MailWatch(spool, freshness) }
}

export async function agentOf(spool: Spool, token: string): Promise<Actor> {
  return agent((await admit(spool, token)).caller)
}
