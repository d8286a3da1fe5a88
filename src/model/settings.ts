import type { Role, Scope, User } from './access.ts'
import type { EventType } from './events.ts'
import type { Security } from './mail-server.ts'
import type { DeliveryState } from './webhooks.ts'

/** A server as a form shows it; what its address asks for beyond that is kept beside. */
export interface ServerSettings {
  host: string
  port: number
  security: Security
  username: string | null
}

export interface SyncView {
  state: 'starting' | 'syncing' | 'idle' | 'waiting' | 'failed'
  lastSyncAt: string | null
  error: { message: string; at: string; retryAt: string | null } | null
  /** Of the first sync, while it goes on. */
  progress: { done: number; total: number } | null
  folders: { path: string; role: 'inbox' | 'sent' | null; messages: number; total: number }[]
}

export interface InboxSettings {
  id: string
  address: string
  name: string
  markSeen: boolean
  imap: ServerSettings | null
  smtp: ServerSettings | null
  /** Null: the usual choice. */
  folders: string[] | null
  sync: SyncView | null
  /** Ids of everybody who sees it. */
  people: string[]
}

export type FolderRole = 'inbox' | 'sent' | 'drafts' | 'trash' | 'junk' | 'archive'

export interface FoundFolder {
  path: string
  role: FolderRole | null
  /** Whether its mail would be fetched, as the server's address asks. */
  chosen: boolean
}

/** What kind of trouble it is. */
export type MailProblem = 'name' | 'refused' | 'timeout' | 'tls' | 'certificate' | 'password' | 'other'

/** Somebody of the team, as an admin sees them. */
export interface Teammate extends User {
  /** Ids; null: all, as for every admin. */
  inboxes: string[] | null
  active: boolean
  lastSeenAt: string | null
  createdAt: string
}

export interface Invitation {
  email: string
  name: string
  role: Role
}

export interface OpenInvitation extends Invitation {
  id: string
  /** Ids; null: all, as for every admin. */
  inboxes: string[] | null
  createdAt: string
  expiresAt: string
}

/** A token as its owner sees it, without what only its program knows. */
export interface TokenView {
  id: string
  name: string
  scopes: Scope[]
  /** Ids; null: all that its owner sees. */
  inboxes: string[] | null
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  /** It ends within a week: time to make another. */
  expiresSoon: boolean
  expired: boolean
  user: { id: string; name: string }
}

/** What became of what agents proposed. */
export interface Proposals {
  proposed: number
  sentUnchanged: number
  sentEdited: number
  discarded: number
  withdrawn: number
  /** Nobody has decided yet. */
  open: number
}

export interface AgentView {
  tokenId: string
  name: string
  user: { id: string; name: string }
  scopes: Scope[]
  lastUsedAt: string | null
  expiresAt: string | null
  last30Days: Proposals & { threadsRead: number; messagesRead: number; notesRead: number; calls: number }
}

/** What acts in somebody's name without their password: asked about when they choose a new one. */
export interface StandingAccess {
  tokens: { id: string; name: string; createdAt: string; lastUsedAt: string | null }[]
  webhooks: { id: string; url: string; createdAt: string }[]
}

/** A subscription as its owner sees it, without its secrets. */
export interface WebhookSettings {
  id: string
  url: string
  /** Null: all kinds. */
  kinds: readonly EventType[] | null
  /** Ids; null: all that its owner sees. */
  inboxes: string[] | null
  state: 'enabled' | 'disabled'
  /** In words. */
  disabledReason: string | null
  disabledAt: string | null
  createdAt: string
  /** How many events it has yet to reach, and how many deliveries wait for another attempt. */
  behind: number
  waiting: number
  replaying: boolean
  failingSince: string | null
  user: { id: string; name: string }
}

/** A delivery as people look at it. */
export interface DeliveryView {
  /** The event's `seq`. */
  id: string
  eventId: string
  kind: EventType
  status: DeliveryState
  attempts: number
  attemptedAt: string | null
  nextAttemptAt: string | null
  lastAnswer: { status: number; body: string; durationMs: number } | null
  /** Why there was no answer. */
  error: string | null
}

export interface Numbers {
  from: string
  to: string
  zone: string
  days: { day: string; opened: number; closed: number }[]
  /** Of threads that began in the period and were answered, whenever. */
  firstReply: { count: number; medianSeconds: number | null; p90Seconds: number | null }
  /** As of now. `person` is null for what is nobody's. */
  openPerPerson: { person: { id: string; name: string } | null; open: number }[]
  proposals: Proposals
}

/** What a new Spool needs before it is of use. */
export const guideSteps = ['mailbox', 'people', 'agent'] as const
export type GuideStep = (typeof guideSteps)[number]

export interface Guide {
  steps: Record<GuideStep, 'open' | 'done' | 'skipped'>
  finished: boolean
}
