import { z } from 'zod'
import { Role } from '../../model/access.ts'
import { guideSteps } from '../../model/guide-steps.ts'
import { SignInProvider, SignInWay } from '../../model/mail/oauth.ts'
import { mailServerKinds } from '../../model/mail/server.ts'
import {
  AgentRules,
  Guide,
  InboxSettings,
  Numbers,
  OpenInvitation,
  ProviderView,
  ServerSettings,
  ServerTrial,
  Teammate,
} from '../../model/settings.ts'
import { Time } from '../../model/thread.ts'
import { get, listOf, none, patch, post, put, remove, type RouteContract } from './route.ts'

const address = z.string().max(254)
const password = z.string().min(1).max(1000)

const Server = z.strictObject({
  ...ServerSettings.shape,
  host: z.string().max(300),
  username: z.string().max(320).nullable(),
})
const ServerWithPassword = Server.extend({ password: password.exactOptional() })

const InboxChanges = z.strictObject({
  name: z.string().max(200).exactOptional(),
  aliases: z.array(address).max(50).exactOptional(),
  imap: ServerWithPassword.nullable().exactOptional(),
  smtp: ServerWithPassword.nullable().exactOptional(),
  folders: z.array(z.string().min(1).max(500)).min(1).max(100).nullable().exactOptional(),
  markSeen: z.boolean().exactOptional(),
  openDays: z.int().min(0).max(36_500).nullable().exactOptional(),
})

const day = z
  .string()
  .regex(/^(19[7-9]|20\d)\d-\d\d-\d\d$/, 'must be a day such as 2026-11-14')
  .refine((text) => new Date(text).toJSON()?.slice(0, 10) === text, 'must be a day such as 2026-11-14')
  .nullable()
  .default(null)

export const settingsContract = {
  listTeam: get(
    '/settings/people',
    none,
    z.object({ data: z.array(Teammate), invitations: z.array(OpenInvitation) }),
  ),
  changeTeammate: patch(
    '/settings/people/{id}',
    z.strictObject({
      name: z.string().max(200).exactOptional(),
      role: Role.exactOptional(),
      inboxes: z.array(z.string().max(300)).max(1000).exactOptional(),
    }),
    Teammate,
  ),
  removeTeammate: remove('/settings/people/{id}', z.object({ removed: z.string() })),
  offerReset: post(
    '/settings/people/{id}/reset',
    none,
    z.object({ url: z.string(), endsAt: Time, canMail: z.boolean() }),
  ),
  /** Mails a link that was just made to the person it is for. */
  mailLink: post(
    '/settings/links/mail',
    z.strictObject({ kind: z.enum(['invitation', 'reset']), token: z.string().max(200) }),
    z.object({ mailedTo: z.string() }),
  ),
  takeBackInvitation: remove('/settings/invitations/{id}', z.object({ takenBack: z.string() })),
  listInboxSettings: get('/settings/inboxes', none, listOf(InboxSettings)),
  getInboxSettings: get('/settings/inboxes/{id}', none, InboxSettings),
  /** The house rules for agents: every version, newest first. */
  getAgentRules: get('/inboxes/{id}/agent-rules', none, listOf(AgentRules)),
  writeAgentRules: put(
    '/inboxes/{id}/agent-rules',
    z.strictObject({ text: z.string().max(20_000), version: z.int().min(0) }),
    listOf(AgentRules),
  ),
  /** Where the mail of an address is hosted: known, or guessed from its domain. */
  findProvider: post(
    '/settings/providers',
    z.strictObject({
      address: address
        .trim()
        .toLowerCase()
        .regex(/^[^\s@]+@[a-z0-9.-]+\.[a-z0-9-]+$/, 'must be an email address'),
    }),
    z.object({ provider: ProviderView }),
  ),
  /** Signs in as the workers would and reports what is wrong; changes nothing. */
  tryServer: post(
    '/settings/try',
    z.strictObject({
      kind: z.enum(mailServerKinds),
      server: Server,
      password: password.exactOptional(),
      inboxId: z.string().max(100).nullable().default(null),
    }),
    ServerTrial,
  ),
  createInbox: post('/settings/inboxes', InboxChanges.extend({ address }), InboxSettings),
  changeInbox: patch('/settings/inboxes/{id}', InboxChanges, InboxSettings),
  /** Removes the inbox from every view; its mail is kept and reappears when the address is added again. */
  removeInbox: remove('/settings/inboxes/{id}', z.object({ removed: z.string() })),
  syncInbox: post('/settings/inboxes/{id}/sync', none, z.object({ started: z.literal(true) })),
  getNumbers: get(
    '/numbers',
    z.strictObject({
      from: day,
      to: day,
      zone: z.string().max(100).default('UTC'),
      inbox: z.string().max(100).nullable().default(null),
    }),
    Numbers,
  ),
  getGuide: get('/guide', none, Guide),
  setGuideStep: put(
    '/guide',
    z.strictObject({ step: z.enum(guideSteps), state: z.enum(['skipped', 'open']) }),
    Guide,
  ),
  /** Returns the URL to send the browser to; a sign-in without a person completes at once and returns its inbox. */
  beginMailboxSignIn: post(
    '/settings/mailbox-sign-in',
    z.strictObject({
      provider: SignInProvider,
      way: SignInWay.default('delegated'),
      address,
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
      imap: Server.omit({ username: true }).exactOptional(),
      smtp: Server.omit({ username: true }).exactOptional(),
    }),
    z.object({ url: z.string().nullable(), inbox: InboxSettings.nullable() }),
  ),
  /** The parameters with which the provider redirected the browser back. */
  finishMailboxSignIn: post(
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
