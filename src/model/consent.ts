import { z } from 'zod'
import type { Scope } from './access.ts'
import { Time } from './thread.ts'

/** What can be given by consent. What was hidden in a mail is in its source, so that is not among them. */
export const grantScopes = [
  'threads:read',
  'notes:read',
  'events:read',
  'drafts:propose',
] as const satisfies readonly Scope[]
export const GrantScope = z.enum(grantScopes)
export type GrantScope = z.infer<typeof GrantScope>

export const longestGrantDays = 365

/** What a person is asked to allow. */
export const Consent = z.object({
  client: z.object({
    /** Of its id; for a client whose id is no address: of where it is sent back to. */
    host: z.string(),
    /** As it calls itself. */
    name: z.string().nullable(),
    /** An admin entered it, so the name is theirs. */
    entered: z.boolean(),
    /** Where the browser goes next. */
    returnsTo: z.string(),
    /** A program on the person's own computer, which cannot be told from another. */
    local: z.boolean(),
  }),
  /** Why it can only be refused. */
  problem: z.string().nullable(),
  /** Goes back without access. */
  refuseUrl: z.string(),
  /** Proves to the server that this session was shown this request. */
  ticket: z.string(),
  asked: z.array(GrantScope),
  offered: z.array(GrantScope),
  /** The person's agents of the same client, the last used first. */
  existing: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      scopes: z.array(GrantScope),
      inboxes: z.array(z.string()),
      lastUsedAt: Time.nullable(),
    }),
  ),
})
export type Consent = z.infer<typeof Consent>

/** A client that an admin entered, for hosts that can neither describe nor register themselves. */
export const ClientView = z.object({
  id: z.string(),
  name: z.string().nullable(),
  redirectUris: z.array(z.string()),
  createdAt: Time,
})
export type ClientView = z.infer<typeof ClientView>
