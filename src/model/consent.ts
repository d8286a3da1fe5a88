import { z } from 'zod'
import type { Scope } from './access.ts'
import { Time } from './thread.ts'

/** Scopes that can be granted by consent. Not `sources:read`: a mail's source contains the text hidden in it. */
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
    /** Host of the client id if that is a URL; otherwise the same as `returnsTo`. */
    host: z.string(),
    /** The name it gives itself. */
    name: z.string().nullable(),
    /** An admin entered the client, so the admin chose the name. */
    entered: z.boolean(),
    /** The host, or custom URL scheme, that the browser is redirected to. */
    returnsTo: z.string(),
    /** A program on the person's own computer; its identity cannot be verified. */
    local: z.boolean(),
  }),
  /** Why the request can only be refused; null if it can be allowed. */
  problem: z.string().nullable(),
  /** Redirects back to the client without granting access. */
  refuseUrl: z.string(),
  /** Proves to the server that this session was shown this request. */
  ticket: z.string(),
  asked: z.array(GrantScope),
  offered: z.array(GrantScope),
  /** The person's existing agents for the same client, most recently used first. */
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

/** A client that an admin entered, for hosts that support neither metadata documents nor registration. */
export const ClientView = z.object({
  id: z.string(),
  name: z.string().nullable(),
  redirectUris: z.array(z.string()),
  createdAt: Time,
})
export type ClientView = z.infer<typeof ClientView>
