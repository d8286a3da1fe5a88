import { Authentication, readCredential } from '../../src/core/authentication.ts'
import { Freshness } from '../../src/core/freshness.ts'
import type { Spool } from '../../src/core/spool.ts'
import { agent, type Actor } from '../../src/model/access.ts'

/** The agent that holds this token, as a door would let it in. */
export async function agentOf(spool: Spool, token: string): Promise<Actor> {
  const authentication = new Authentication(spool.db, new Freshness(spool.db))
  const admitted = await authentication.authenticate(readCredential(token)!, spool.now())
  if (!admitted) throw new Error('This token is not valid.')
  return agent(admitted.caller)
}
