import { createToken, revokeToken, viewTokens } from '../../../core/tokens/tokens.ts'
import { toTimeOrNull } from '../../../model/time.ts'
import type { Lifetime } from '../../../model/token-lifetimes.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'

const day = 86_400_000

/** In milliseconds. */
export const lifetimeOf: Record<Lifetime, number | null> = {
  '7d': 7 * day,
  '30d': 30 * day,
  '90d': 90 * day,
  '365d': 365 * day,
  never: null,
}

export const tokenRoutes = [
  defineAppRoute('listTokens', everyone, async ({ spool, actor, query }) => ({
    data: await viewTokens(spool, actor, 'pasted', query.all === '1'),
  })),

  defineAppRoute('makeToken', everyone, async ({ spool, actor, body: { inboxes, expires, ...wanted } }) => {
    const { email } = actor.user
    const token = { ...wanted, email, inboxes: inboxes ?? [], lifetime: lifetimeOf[expires] }
    const made = await createToken(spool, token, actor)
    return { ...made, inboxes, expiresAt: toTimeOrNull(made.expiresAt) }
  }),

  defineAppRoute('revokeToken', everyone, async ({ spool, actor, path }) => {
    await revokeToken(spool, path.id, actor)
    return { revoked: path.id }
  }),
]
