import { z } from 'zod'
import { Role } from '../../model/access.ts'
import { guideSteps } from '../../model/guide-steps.ts'
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
import { listOf, none, type RouteContract } from './route.ts'

const address = z.string().max(254)
const password = z.string().min(1).max(1000)

const Server = z.strictObject({
  ...ServerSettings.shape,
  host: z.string().max(300),
  username: z.string().max(320).nullable(),
})
const ServerWithPassword = Server.extend({ password: password.exactOptional() })

const InboxWishes = z.strictObject({
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
  listTeam: {
    method: 'GET',
    path: '/settings/people',
    query: none,
    body: null,
    answer: z.object({ data: z.array(Teammate), invitations: z.array(OpenInvitation) }),
  },
  changeTeammate: {
    method: 'PATCH',
    path: '/settings/people/{id}',
    query: none,
    body: z.strictObject({
      name: z.string().max(200).exactOptional(),
      role: Role.exactOptional(),
      inboxes: z.array(z.string().max(300)).max(1000).exactOptional(),
    }),
    answer: Teammate,
  },
  removeTeammate: {
    method: 'DELETE',
    path: '/settings/people/{id}',
    query: none,
    body: null,
    answer: z.object({ removed: z.string() }),
  },
  offerReset: {
    method: 'POST',
    path: '/settings/people/{id}/reset',
    query: none,
    body: none,
    answer: z.object({ url: z.string(), endsAt: Time }),
  },
  takeBackInvitation: {
    method: 'DELETE',
    path: '/settings/invitations/{id}',
    query: none,
    body: null,
    answer: z.object({ takenBack: z.string() }),
  },
  listInboxSettings: {
    method: 'GET',
    path: '/settings/inboxes',
    query: none,
    body: null,
    answer: listOf(InboxSettings),
  },
  getInboxSettings: {
    method: 'GET',
    path: '/settings/inboxes/{id}',
    query: none,
    body: null,
    answer: InboxSettings,
  },
  /** The house rules for agents: every version, newest first. */
  getAgentRules: {
    method: 'GET',
    path: '/inboxes/{id}/agent-rules',
    query: none,
    body: null,
    answer: listOf(AgentRules),
  },
  writeAgentRules: {
    method: 'PUT',
    path: '/inboxes/{id}/agent-rules',
    query: none,
    body: z.strictObject({ text: z.string().max(20_000), version: z.int().min(0) }),
    answer: listOf(AgentRules),
  },
  /** Where the mail of an address is hosted: known, or guessed from its domain. */
  findProvider: {
    method: 'POST',
    path: '/settings/providers',
    query: none,
    body: z.strictObject({
      address: address
        .trim()
        .toLowerCase()
        .regex(/^[^\s@]+@[a-z0-9.-]+\.[a-z0-9-]+$/, 'must be an email address'),
    }),
    answer: z.object({ provider: ProviderView }),
  },
  /** Signs in as the workers would and reports what is wrong; changes nothing. */
  tryServer: {
    method: 'POST',
    path: '/settings/try',
    query: none,
    body: z.strictObject({
      kind: z.enum(mailServerKinds),
      server: Server,
      password: password.exactOptional(),
      inboxId: z.string().max(100).nullable().default(null),
    }),
    answer: ServerTrial,
  },
  createInbox: {
    method: 'POST',
    path: '/settings/inboxes',
    query: none,
    body: InboxWishes.extend({ address }),
    answer: InboxSettings,
  },
  changeInbox: {
    method: 'PATCH',
    path: '/settings/inboxes/{id}',
    query: none,
    body: InboxWishes,
    answer: InboxSettings,
  },
  /** Removes the inbox from every view; its mail is kept and reappears when the address is added again. */
  removeInbox: {
    method: 'DELETE',
    path: '/settings/inboxes/{id}',
    query: none,
    body: null,
    answer: z.object({ removed: z.string() }),
  },
  syncInbox: {
    method: 'POST',
    path: '/settings/inboxes/{id}/sync',
    query: none,
    body: none,
    answer: z.object({ started: z.literal(true) }),
  },
  getNumbers: {
    method: 'GET',
    path: '/numbers',
    query: z.strictObject({
      from: day,
      to: day,
      zone: z.string().max(100).default('UTC'),
      inbox: z.string().max(100).nullable().default(null),
    }),
    body: null,
    answer: Numbers,
  },
  getGuide: { method: 'GET', path: '/guide', query: none, body: null, answer: Guide },
  setGuideStep: {
    method: 'PUT',
    path: '/guide',
    query: none,
    body: z.strictObject({ step: z.enum(guideSteps), state: z.enum(['skipped', 'open']) }),
    answer: Guide,
  },
} as const satisfies Record<string, RouteContract>
