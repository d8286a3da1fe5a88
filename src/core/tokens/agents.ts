import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../model/access.ts'
import type { AgentView, FirstCall } from '../../model/settings.ts'
import { toTimeOrNull } from '../../model/time.ts'
import { countOutcomesOfTokens } from '../../store/drafts/outcomes.ts'
import { sumTokenReads } from '../../store/people/token-reads.ts'
import { ConcurrencyLimit } from '../access/concurrency.ts'
import type { SignedIn } from '../access/sessions.ts'
import { sumProposals } from '../numbers/proposals.ts'
import { dayMilliseconds } from './reading-tally.ts'
import type { Spool } from '../spool.ts'
import { findTokenOf, viewTokens } from './tokens.ts'

const lastDays = 30

/** Every token and every grant is an agent: what it read and proposed, and what people did with that. Admins see all. */
export async function listAgents(spool: Spool, actor: Actor): Promise<AgentView[]> {
  const tokens = await viewTokens(spool, actor, 'all', true)
  const today = Math.floor(spool.now() / dayMilliseconds)
  const firstDay = today - lastDays + 1
  const reads = await sumTokenReads(spool.db, firstDay)
  const ids = tokens.map(({ id }) => id)
  const outcomes = Map.groupBy(
    await countOutcomesOfTokens(spool.db, ids, firstDay * dayMilliseconds),
    ({ token }) => token,
  )
  return tokens.map(({ id, name, user, scopes, lastUsedAt, expiresAt }) => {
    const read = reads.get(id)
    return {
      tokenId: id,
      name,
      user,
      byConsent: id.startsWith('grt_'),
      scopes,
      lastUsedAt,
      expiresAt,
      last30Days: {
        threadsRead: read?.threads ?? 0,
        messagesRead: read?.messages ?? 0,
        notesRead: read?.notes ?? 0,
        calls: read?.calls ?? 0,
        ...sumProposals(outcomes.get(id) ?? []),
      },
    }
  })
}

const lookMilliseconds = 250
/** Each wait polls the store. */
const mostWaits = 10
const waits = new ConcurrencyLimit(
  mostWaits,
  `You have ${mostWaits} tabs waiting for an agent. Close one of them.`,
)

/** Waits for the first call, on any node; returns without one on timeout or when the client disconnects. */
export async function awaitFirstCall(
  spool: Spool,
  actor: SignedIn,
  tokenId: string,
  seconds: number,
  gone: AbortSignal,
): Promise<FirstCall> {
  using stack = new DisposableStack()
  let wait: Disposable | null = null
  for (const until = performance.now() + seconds * 1000; ;) {
    const { firstUsedAt, firstCall } = await findTokenOf(spool, spool.db, actor, tokenId)
    const left = until - performance.now()
    if (firstUsedAt !== null || left <= 0 || gone.aborted)
      return { calledAt: toTimeOrNull(firstUsedAt), tool: firstCall }
    wait ??= stack.use(waits.begin(actor.id))
    await sleep(Math.min(lookMilliseconds, left), undefined, { signal: gone }).catch(() => undefined)
  }
}
