import { z } from 'zod'

export const scopes = ['threads:read', 'notes:read', 'events:read', 'drafts:propose', 'sources:read'] as const
export const Scope = z
  .enum(scopes)
  .meta({ id: 'Scope', description: 'What a token may do; no scope can send.' })
export type Scope = z.infer<typeof Scope>

export const roles = ['admin', 'member', 'viewer'] as const
export const Role = z
  .enum(roles)
  .meta({ id: 'Role', description: 'An admin sees every inbox, a viewer only reads.' })
export type Role = z.infer<typeof Role>

export const User = z.object({ id: z.string(), email: z.string(), name: z.string(), role: Role })
export type User = z.infer<typeof User>

/** A person by id and name only. */
export const UserReference = User.pick({ id: true, name: true })
export type UserReference = z.infer<typeof UserReference>

export const Person = z
  .object({
    id: z
      .string()
      .meta({ description: 'As in events, notes and history.', example: 'usr_1k3c7d8fw0t2v4x6z8b' }),
    name: z.string().meta({ description: 'As colleagues see it.', example: 'Ada Lindqvist' }),
    email: z.string().meta({ description: 'The address they sign in with.', example: 'ada@shop.example' }),
    active: z.boolean().meta({ description: 'Whether they still have access to this Spool.', example: true }),
  })
  .meta({ id: 'User', description: 'A person of the team.' })
export type Person = z.infer<typeof Person>

export interface Inbox {
  number: number
  id: string
  address: string
  name: string
  /** Additional addresses. */
  aliases: readonly string[]
}

/** Who makes a change. Only a signed-in person has a `session`, and sending requires one. */
export type Actor =
  | { type: 'person'; id: string; name: string; user: User; session?: string }
  | { type: 'agent'; id: string; name: string; user: User; inboxes: readonly Inbox[] }
  | { type: 'system'; id: null; name: string }

export const system: Actor = { type: 'system', id: null, name: 'Spool' }

export function person(user: User): Actor {
  return { type: 'person', id: user.id, name: user.name, user }
}

export const ActorReference = z
  .object({
    type: z.enum(['person', 'agent', 'system']).meta({ example: 'person' }),
    id: z.string().nullable().meta({
      description: "A person's user id, an agent's token id; `null` for Spool itself.",
      example: 'usr_1k3c7d9h2j4m6p8r0t2',
    }),
    name: z.string().meta({ example: 'Tom Keller' }),
  })
  .meta({ id: 'Actor', description: 'Who did it.' })
export type ActorReference = z.infer<typeof ActorReference>

export function actorReference(actor: ActorReference): ActorReference {
  return { type: actor.type, id: actor.id, name: actor.name }
}

/** The user on whose behalf something is read, and the inboxes they can see. */
export interface View {
  user: User
  inboxes: readonly Inbox[]
}

export function numbersOf(inboxes: readonly Inbox[]): number[] {
  return inboxes.map(({ number }) => number)
}

/** A program's current token and what it can see: its user's inboxes, narrowed by the token's own list. */
export interface Caller extends View {
  token: {
    id: string
    name: string
    scopes: readonly Scope[]
    expiresAt: number | null
    /** When access ends for good, renewals included. For a personal access token, the same as `expiresAt`. */
    accessEndsAt: number | null
  }
}

/** A program acting through its token. */
export function agent({ token, user, inboxes }: View & { token: { id: string; name: string } }): Actor {
  return { type: 'agent', id: token.id, name: token.name, user, inboxes }
}
