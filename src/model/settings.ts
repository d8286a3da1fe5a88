import { z } from 'zod'
import { ActorReference, Role, Scope, User, UserReference } from './access.ts'
import { EventType } from './events.ts'
import { guideSteps } from './guide-steps.ts'
import { SignInProvider, SignInWay } from './mail/oauth.ts'
import { mailServerKinds, securities } from './mail/server.ts'
import { Time } from './thread.ts'
import { deliveryStates } from './webhooks.ts'

const amount = z.int().min(0)
/** Inbox ids; null: all. */
const inboxes = z.array(z.string()).nullable()

/** A server as the form shows it. Options from its address are stored separately. */
export const ServerSettings = z.object({
  host: z.string(),
  port: z.int(),
  security: z.enum(securities),
  username: z.string().nullable(),
})
export type ServerSettings = z.infer<typeof ServerSettings>

export const SyncView = z.object({
  state: z.enum(['starting', 'syncing', 'idle', 'waiting', 'failed']),
  lastSyncAt: Time.nullable(),
  error: z.object({ message: z.string(), at: Time, retryAt: Time.nullable() }).nullable(),
  /** Only while the first sync is running. */
  progress: z.object({ done: amount, total: amount }).nullable(),
  folders: z.array(
    z.object({
      path: z.string(),
      role: z.enum(['inbox', 'sent']).nullable(),
      messages: amount,
      total: amount,
    }),
  ),
})
export type SyncView = z.infer<typeof SyncView>

export const InboxSettings = z.object({
  id: z.string(),
  address: z.string(),
  /** Additional addresses. */
  aliases: z.array(z.string()),
  name: z.string(),
  markSeen: z.boolean(),
  imap: ServerSettings.nullable(),
  smtp: ServerSettings.nullable(),
  /** Sends through Microsoft Graph instead of SMTP. */
  sendsByGraph: z.boolean(),
  /** Null: the default choice. */
  folders: z.array(z.string()).nullable(),
  sync: SyncView.nullable(),
  /** Servers whose passwords were lost with the secret of the store. */
  passwordsLost: z.array(z.enum(mailServerKinds)),
  /** Set if the mailbox is opened by OAuth sign-in. */
  signIn: z
    .object({
      provider: SignInProvider,
      way: SignInWay,
      account: z.string(),
      /** Why the provider refuses it; null while it is accepted. */
      failure: z.string().nullable(),
    })
    .nullable(),
  /** Ids of everybody who can see it. */
  people: z.array(z.string()),
})
export type InboxSettings = z.infer<typeof InboxSettings>

export const AgentRules = z
  .object({
    version: z.int().min(1),
    text: z.string().meta({ description: 'Empty: there are none.' }),
    author: ActorReference,
    at: Time,
  })
  .meta({ id: 'AgentRules', description: 'What agents are told about an inbox, and who wrote it.' })
export type AgentRules = z.infer<typeof AgentRules>

export const FolderRole = z.enum(['inbox', 'sent', 'drafts', 'trash', 'junk', 'archive'])
export type FolderRole = z.infer<typeof FolderRole>

export const FoundFolder = z.object({
  path: z.string(),
  role: FolderRole.nullable(),
  /** Whether its mail is fetched, given the server's options. */
  chosen: z.boolean(),
})
export type FoundFolder = z.infer<typeof FoundFolder>

export const MailProblem = z.enum([
  'name',
  'refused',
  'timeout',
  'tls',
  'certificate',
  'password',
  'grant',
  'other',
])
export type MailProblem = z.infer<typeof MailProblem>

/** The result of a test sign-in. */
export const ServerTrial = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), folders: z.array(FoundFolder).optional() }),
  z.object({ ok: z.literal(false), problem: MailProblem, message: z.string() }),
])
export type ServerTrial = z.infer<typeof ServerTrial>

/** Suggested servers for an address, to fill in the form. */
export const ProviderView = z.object({
  name: z.string(),
  imap: ServerSettings,
  smtp: ServerSettings,
  /** False if neither server accepts a password. */
  takesPasswords: z.boolean(),
  passwordHint: z.string().nullable(),
  link: z.string().nullable(),
  guessed: z.boolean(),
  /** How to sign in instead of giving a password. */
  signIn: z.object({
    provider: SignInProvider,
    /** The client that is already configured, without its secret. */
    client: z
      .object({ clientId: z.string(), tenant: z.string().nullable(), issuer: z.string().nullable() })
      .nullable(),
    /** To be entered when the client is registered with the provider. */
    redirectUri: z.string(),
  }),
})
export type ProviderView = z.infer<typeof ProviderView>

/** A member of the team, as an admin sees them. */
export const Teammate = User.extend({
  /** Null for admins: they see all. */
  inboxes,
  active: z.boolean(),
  lastSeenAt: Time.nullable(),
  createdAt: Time,
})
export type Teammate = z.infer<typeof Teammate>

export const Invitation = z.object({ email: z.string(), name: z.string(), role: Role })
export type Invitation = z.infer<typeof Invitation>

export const OpenInvitation = Invitation.extend({
  id: z.string(),
  /** Null for admins: they see all. */
  inboxes,
  createdAt: Time,
  expiresAt: Time,
})
export type OpenInvitation = z.infer<typeof OpenInvitation>

/** A token as its owner sees it, without the secret. */
export const TokenView = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  /** Null: everything its owner sees. */
  inboxes,
  createdAt: Time,
  expiresAt: Time.nullable(),
  lastUsedAt: Time.nullable(),
  /** Expires within a week. */
  expiresSoon: z.boolean(),
  expired: z.boolean(),
  user: UserReference,
})
export type TokenView = z.infer<typeof TokenView>

/** What happened to agents' proposals. */
export const Proposals = z.object({
  proposed: amount,
  sentUnchanged: amount,
  sentEdited: amount,
  discarded: amount,
  withdrawn: amount,
  /** Still undecided. */
  open: amount,
})
export type Proposals = z.infer<typeof Proposals>

export const AgentView = z.object({
  /** Id of its token or grant. */
  tokenId: z.string(),
  name: z.string(),
  user: UserReference,
  /** Connected on the consent page, not by a pasted token. */
  byConsent: z.boolean(),
  scopes: z.array(Scope),
  lastUsedAt: Time.nullable(),
  expiresAt: Time.nullable(),
  last30Days: Proposals.extend({
    threadsRead: amount,
    messagesRead: amount,
    notesRead: amount,
    calls: amount,
  }),
})
export type AgentView = z.infer<typeof AgentView>

/** Ready to paste. */
export const AgentConfigurations = z.object({
  claudeDesktop: z.string(),
  claudeCode: z.string(),
  cursor: z.string(),
  vscode: z.string(),
  curl: z.string(),
})
export type AgentConfigurations = z.infer<typeof AgentConfigurations>

export const FirstCall = z.object({
  calledAt: Time.nullable(),
  /** The first tool or route that was called; null if the client has only connected so far. */
  tool: z.string().nullable(),
})
export type FirstCall = z.infer<typeof FirstCall>

/** Access that works without a password: offered for revocation when someone sets a new one. */
export const StandingAccess = z.object({
  tokens: z.array(
    z.object({ id: z.string(), name: z.string(), createdAt: Time, lastUsedAt: Time.nullable() }),
  ),
  webhooks: z.array(z.object({ id: z.string(), url: z.string(), createdAt: Time })),
})
export type StandingAccess = z.infer<typeof StandingAccess>

/** How much a new password revoked. */
export const Revoked = z.object({ tokens: amount, webhooks: amount })
export type Revoked = z.infer<typeof Revoked>

/** A subscription as its owner sees it, without its secrets. */
export const WebhookSettings = z.object({
  id: z.string(),
  url: z.string(),
  /** Null: all kinds. */
  kinds: z.array(EventType).readonly().nullable(),
  /** Null: everything its owner sees. */
  inboxes,
  state: z.enum(['enabled', 'disabled']),
  /** Human-readable. */
  disabledReason: z.string().nullable(),
  disabledAt: Time.nullable(),
  createdAt: Time,
  /** Events it has not reached yet, and deliveries waiting for a retry. */
  behind: amount,
  waiting: amount,
  replaying: z.boolean(),
  failingSince: Time.nullable(),
  user: UserReference,
})
export type WebhookSettings = z.infer<typeof WebhookSettings>

/** A delivery as people see it. */
export const DeliveryView = z.object({
  /** The event's `seq`. */
  id: z.string(),
  eventId: z.string(),
  kind: EventType,
  status: z.enum(deliveryStates),
  attempts: amount,
  attemptedAt: Time.nullable(),
  nextAttemptAt: Time.nullable(),
  lastAnswer: z.object({ status: z.int(), body: z.string(), durationMs: z.number() }).nullable(),
  /** Why there was no answer. */
  error: z.string().nullable(),
})
export type DeliveryView = z.infer<typeof DeliveryView>

export const Numbers = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  zone: z.string(),
  days: z.array(z.object({ day: z.iso.date(), opened: amount, closed: amount })),
  /** For threads that began in the period, whenever they were answered. */
  firstReply: z.object({
    count: amount,
    medianSeconds: z.number().nullable(),
    p90Seconds: z.number().nullable(),
  }),
  /** As of now. `person` is null for unassigned threads. */
  openPerPerson: z.array(z.object({ person: UserReference.nullable(), open: amount })),
  proposals: Proposals,
})
export type Numbers = z.infer<typeof Numbers>

export const Guide = z.object({
  steps: z.record(z.enum(guideSteps), z.enum(['open', 'done', 'skipped'])),
  finished: z.boolean(),
})
export type Guide = z.infer<typeof Guide>
