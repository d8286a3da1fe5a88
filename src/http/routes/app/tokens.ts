import { z } from 'zod'
import { createToken, revokeToken, viewTokens } from '../../../core/tokens.ts'
import { Scope } from '../../../model/access.ts'
import { toTimeOrNull } from '../../../model/time.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'

const none = z.strictObject({})
const day = 86_400_000

const lifetimes = { '7d': 7 * day, '30d': 30 * day, '90d': 90 * day, '365d': 365 * day, never: null }

/** What a person says of a token they want. */
export const NewToken = z.strictObject({
  name: z.string().max(200),
  scopes: z.array(Scope).min(1).max(10),
  inboxes: z.array(z.string().max(300)).min(1).max(1000).nullable().default(null),
  expires: z.enum(Object.keys(lifetimes) as (keyof typeof lifetimes)[]).transform((word) => lifetimes[word]),
})

export const tokenList = defineAppRoute({
  method: 'GET',
  path: '/tokens',
  operationId: 'listTokens',
  roles: everyone,
  query: z.strictObject({ all: z.enum(['0', '1'], 'must be 0 or 1').default('0') }),
  body: null,
  handle: async ({ spool, actor, query }) => ({
    body: { data: await viewTokens(spool, actor, query.all === '1') },
  }),
})

/** The only answer that ever holds it. */
export const tokenMake = defineAppRoute({
  method: 'POST',
  path: '/tokens',
  operationId: 'makeToken',
  roles: everyone,
  query: none,
  body: NewToken,
  async handle({ spool, actor, body: { inboxes, expires, ...wanted } }) {
    const { email } = actor.user
    const token = { ...wanted, email, inboxes: inboxes ?? [], lifetime: expires }
    const made = await createToken(spool, token, actor)
    return { body: { ...made, inboxes, expiresAt: toTimeOrNull(made.expiresAt) } }
  },
})

export const tokenRevoke = defineAppRoute({
  method: 'DELETE',
  path: '/tokens/{id}',
  operationId: 'revokeToken',
  roles: everyone,
  query: none,
  body: null,
  async handle({ spool, actor, path }) {
    await revokeToken(spool, path['id']!, actor)
    return { body: { revoked: path['id'] } }
  },
})
