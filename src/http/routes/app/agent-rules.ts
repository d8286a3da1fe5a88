import { listAgentRuleVersions, writeAgentRules } from '../../../core/inboxes/agent-rules.ts'
import { admins, defineAppRoute, everyone } from '../../app-route.ts'

export const agentRuleRoutes = [
  defineAppRoute('getAgentRules', everyone, async ({ spool, actor, path }) => ({
    body: { data: await listAgentRuleVersions(spool, actor, path.id) },
  })),

  defineAppRoute('writeAgentRules', admins, async ({ spool, actor, path, body }) => ({
    body: { data: await writeAgentRules(spool, actor, { inboxId: path.id, ...body }) },
  })),
]
