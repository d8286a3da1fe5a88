import { configureAgents } from '../../../core/tokens/agent-configurations.ts'
import { awaitFirstCall, listAgents } from '../../../core/tokens/agents.ts'
import { createToken } from '../../../core/tokens/tokens.ts'
import type { Role, Scope } from '../../../model/access.ts'
import { toTimeOrNull } from '../../../model/time.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'
import { lifetimeOf } from './tokens.ts'

export const agentRoutes = [
  defineAppRoute('listAgents', everyone, async ({ spool, actor }) => ({
    data: await listAgents(spool, actor),
  })),

  defineAppRoute(
    'makeAgent',
    everyone,
    async ({ spool, actor, body: { name, scopes, inboxes, expires } }) => {
      const { email, role } = actor.user
      const wanted = {
        email,
        name,
        scopes: scopes ?? scopesFor(role),
        inboxes: inboxes ?? [],
        lifetime: lifetimeOf[expires],
      }
      const { id, token, expiresAt } = await createToken(spool, wanted, actor)
      const configurations = configureAgents(spool.url, token, spool.bridge)
      return { tokenId: id, token, expiresAt: toTimeOrNull(expiresAt), configurations }
    },
  ),

  defineAppRoute('awaitFirstCall', everyone, ({ spool, actor, path, query, whenGone }) =>
    awaitFirstCall(spool, actor, path.tokenId, query.wait, whenGone()),
  ),
]

function scopesFor(role: Role): Scope[] {
  const reading: Scope[] = ['threads:read', 'notes:read']
  return role === 'viewer' ? reading : [...reading, 'drafts:propose']
}
