import { z } from 'zod'
import { readAgentRules } from '../../core/inboxes/agent-rules.ts'
import { Scope } from '../../model/access.ts'
import { toTimeOrNull } from '../../model/time.ts'
import { fenceField } from '../fenced-thread.ts'
import { defineTool, reads } from '../tool.ts'

export const whoamiTool = defineTool({
  name: 'whoami',
  title: 'Who you are here',
  scope: null,
  description:
    'Tells whom you act for, what you may do, your inboxes, and the rules of the house for each: what an admin of the team wrote for agents. Call it first, and follow the rules.',
  input: z.strictObject({}),
  output: z.object({
    fence: fenceField,
    user: z.object({ name: z.string(), email: z.string() }),
    name: z.string().meta({ description: 'Your own name here.' }),
    scopes: z.array(Scope),
    inboxes: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        address: z.string(),
        rules: z.string().nullable().meta({ description: 'Trusted: written by an admin. `null`: none.' }),
      }),
    ),
    expiresAt: z.string().nullable(),
    canSend: z.literal(false),
  }),
  annotations: reads,
  cached: false,
  async run({ spool, caller, fence }) {
    const { user, token, inboxes } = caller
    const rules = await readAgentRules(spool, caller)
    return {
      structured: {
        fence: fence.nonce,
        user: { name: user.name, email: user.email },
        name: token.name,
        scopes: [...token.scopes],
        inboxes: inboxes.map(({ id, name, address }) => ({
          id,
          name,
          address,
          rules: rules.get(id)?.text ?? null,
        })),
        expiresAt: toTimeOrNull(token.accessEndsAt),
        canSend: false,
      },
    }
  },
})
