import { z } from 'zod'
import { SignInProvider, SignInWay } from '../../model/mail/oauth.ts'
import { securities } from '../../model/mail/server.ts'
import { InboxSettings } from '../../model/settings.ts'
import { send, type RouteContract } from './route.ts'

const ServerAt = z.strictObject({ host: z.string().max(300), port: z.int(), security: z.enum(securities) })

export const mailboxSignInContract = {
  /** Returns the URL to send the browser to; a sign-in without a person completes at once and returns its inbox. */
  beginMailboxSignIn: send(
    'POST',
    '/settings/mailbox-sign-in',
    z.strictObject({
      provider: SignInProvider,
      way: SignInWay.default('delegated'),
      address: z.string().max(254),
      name: z.string().max(200).exactOptional(),
      inboxId: z.string().max(100).nullable().default(null),
      shared: z.boolean().default(false),
      graph: z.boolean().default(false),
      /** For the first sync; null: every thread starts open. */
      openDays: z.int().min(0).max(36_500).nullable().exactOptional(),
      client: z
        .strictObject({
          clientId: z.string().min(1).max(300),
          clientSecret: z.string().max(2000).exactOptional(),
          tenant: z.string().max(300).exactOptional(),
          issuer: z.string().max(500).exactOptional(),
          scopes: z.array(z.string().max(300)).max(20).exactOptional(),
        })
        .exactOptional(),
      imap: ServerAt.exactOptional(),
      smtp: ServerAt.exactOptional(),
    }),
    z.object({ url: z.string().nullable(), inbox: InboxSettings.nullable() }),
  ),
  /** The parameters with which the provider redirected the browser back. */
  finishMailboxSignIn: send(
    'POST',
    '/settings/mailbox-sign-in/finish',
    z.strictObject({
      state: z.string().max(200),
      code: z.string().max(5000).nullable(),
      iss: z.string().max(500).nullable(),
      error: z.string().max(200).nullable(),
    }),
    InboxSettings,
  ),
} as const satisfies Record<string, RouteContract>
