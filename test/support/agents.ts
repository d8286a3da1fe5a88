import { Authentication, readCredential, type Admitted } from '../../src/core/tokens/authentication.ts'
import { Cache } from '../../src/core/cache.ts'
import { Freshness, type Versions } from '../../src/core/freshness.ts'
import type { Spool } from '../../src/core/spool.ts'
import { agent, type Actor } from '../../src/model/access.ts'

/** Whoever holds this token, as a door would let them in. */
export async function admit(
  spool: Spool,
  token: string,
): Promise<Admitted & { cache: Cache; versions: Versions }> {
  const cache = new Cache()
  const versions = await new Freshness(spool.db).current()
  const admitted = await new Authentication(spool, cache).authenticate(
    readCredential(token)!,
    versions,
    spool.now(),
  )
  if (!admitted) throw new Error('This token is not valid.')
  return { ...admitted, cache, versions }
}

export async function agentOf(spool: Spool, token: string): Promise<Actor> {
  return agent((await admit(spool, token)).caller)
}
