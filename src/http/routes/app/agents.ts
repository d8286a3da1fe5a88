import { z } from 'zod'
import { configureAgents } from '../../../core/agent-configurations.ts'
import { awaitFirstCall, listAgents } from '../../../core/agents.ts'
import { createToken } from '../../../core/tokens.ts'
import type { Role, Scope } from '../../../model/access.ts'
import { toTimeOrNull } from '../../../model/time.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'
import { NewToken } from './tokens.ts'

const none = z.strictObject({})

export const agentList = defineAppRoute({
  method: 'GET',
  path: '/agents',
  operationId: 'listAgents',
  roles: everyone,
  query: none,
  body: null,
  handle: async ({ spool, actor }) => ({ body: { data: await listAgents(spool, actor) } }),
})

const usualScopes: Record<'writer' | 'viewer', Scope[]> = {
  writer: ['threads:read', 'notes:read', 'drafts:propose'],
  viewer: ['threads:read', 'notes:read'],
}

function scopesFor(role: Role): Scope[] {
  return usualScopes[role === 'viewer' ? 'viewer' : 'writer']
}

/** A token with what has to be pasted where. */
export const agentMake = defineAppRoute({
  method: 'POST',
  path: '/agents',
  operationId: 'makeAgent',
  roles: everyone,
  query: none,
  body: NewToken.extend({ scopes: NewToken.shape.scopes.optional() }),
  async handle({ spool, actor, body: { name, scopes, inboxes, expires } }) {
    const { email, role } = actor.user
    const wanted = {
      email,
      name,
      scopes: scopes ?? scopesFor(role),
      inboxes: inboxes ?? [],
      lifetime: expires,
    }
    const { id, token, expiresAt } = await createToken(spool, wanted, actor)
    const configurations = configureAgents(spool.url, token, spool.bridge)
    return { body: { tokenId: id, token, expiresAt: toTimeOrNull(expiresAt), configurations } }
  },
})

export const firstCallGet = defineAppRoute({
  method: 'GET',
  path: '/agents/{tokenId}/first-call',
  operationId: 'awaitFirstCall',
  roles: everyone,
  query: z.strictObject({
    wait: z
      .string()
      .regex(/^([0-9]|1[0-9]|2[0-5])$/, 'must be a number of seconds from 0 to 25')
      .transform(Number)
      .default(0),
  }),
  body: null,
  handle: async ({ spool, actor, path, query, whenGone }) => ({
    body: await awaitFirstCall(spool, actor, path['tokenId']!, query.wait, whenGone()),
  }),
})
