import { z } from 'zod'
import { Role, Scope } from '../../../model/access.ts'
import { InboxReference, Time } from '../../../model/thread.ts'
import { toTimeOrNull } from '../../../model/time.ts'
import { defineRoute, json } from '../../route.ts'

const Me = z
  .object({
    user: z
      .object({
        id: z.string().meta({ example: 'usr_1k3c7d8fw0t2v4x6z8b' }),
        name: z.string().meta({ example: 'Ada Lindqvist' }),
        email: z.string().meta({ example: 'ada@shop.example' }),
        role: Role.meta({ example: 'member' }),
      })
      .meta({ description: 'Whose token it is; it never sees more than they do.' }),
    token: z.object({
      id: z.string().meta({ example: 'tok_1k9t5v6w7x8y9z0a1b2' }),
      name: z.string().meta({ description: 'As it was named when it was made.', example: 'Weekly report' }),
    }),
    scopes: z
      .array(Scope)
      .meta({ description: 'What the token may do.', example: ['threads:read', 'notes:read'] }),
    inboxes: z.array(InboxReference).meta({ description: 'What the token sees.' }),
    expiresAt: Time.nullable().meta({ description: '`null`: never.', example: '2027-02-12T08:00:00.000Z' }),
    canSend: z.literal(false).meta({ description: 'Always false: only a person sends, in the web inbox.' }),
  })
  .meta({ id: 'Me', description: 'A token and what it may see.' })

export const me = defineRoute({
  path: '/me',
  scope: null,
  operationId: 'getMe',
  tag: 'Token',
  summary: 'Who this token is',
  description: 'Its user, scopes, inboxes and expiry. Any valid token may ask.',
  answer: Me,
  taggedBy: null,
  async handle({ caller: { token, user, inboxes } }) {
    return json({
      user: { id: user.id, name: user.name, email: user.email, role: user.role },
      token: { id: token.id, name: token.name },
      scopes: [...token.scopes],
      inboxes: inboxes.map(({ id, name, address }) => ({ id, name, address })),
      expiresAt: toTimeOrNull(token.expiresAt),
      canSend: false,
    } satisfies z.infer<typeof Me>)
  },
})
