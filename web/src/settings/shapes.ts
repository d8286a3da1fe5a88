import type { Role, Scope } from '../../../src/model/access.ts'
import type { EventType } from '../../../src/model/events.ts'
import type { Security } from '../../../src/model/mail-server.ts'

/** What the private routes of the settings answer. */

export interface Server {
  host: string
  port: number
  security: Security
  username: string | null
}

export interface SyncState {
  state: 'starting' | 'syncing' | 'idle' | 'waiting' | 'failed' | 'off'
  lastSyncAt: string | null
  error: { message: string; at: string; retryAt: string | null } | null
  progress: { done: number; total: number } | null
  /** `messages` of `total` have come, of those that were there when Spool first looked. */
  folders: { path: string; role: string | null; messages: number; total: number }[]
}

export interface InboxSettings {
  id: string
  address: string
  name: string
  markSeen: boolean
  imap: Server | null
  smtp: Server | null
  folders: string[] | null
  sync: SyncState | null
  people: string[]
}

export interface Provider {
  name: string
  imap: Server
  smtp: Server
  passwordHint: string | null
  link: string | null
  /** False where a password opens neither server. */
  takesPasswords: boolean
  guessed: boolean
}

export interface FoundFolder {
  path: string
  role: 'inbox' | 'sent' | 'drafts' | 'trash' | 'junk' | 'archive' | null
  chosen: boolean
}

export type Problem = 'name' | 'refused' | 'timeout' | 'tls' | 'certificate' | 'password' | 'other'

export type Tried = { ok: true; folders?: FoundFolder[] } | { ok: false; problem: Problem; message: string }

export interface Person {
  id: string
  name: string
  email: string
  role: Role
  /** Null: all of them. */
  inboxes: string[] | null
  active: boolean
  lastSeenAt: string | null
  createdAt: string
}

export interface PendingInvitation {
  id: string
  email: string
  name: string
  role: Role
  inboxes: string[] | null
  createdAt: string
  expiresAt: string
}

export interface Token {
  id: string
  name: string
  scopes: Scope[]
  inboxes: string[] | null
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  expiresSoon: boolean
  user: { id: string; name: string }
}

export const lifetimes = ['7d', '30d', '90d', '365d', 'never'] as const
export type Lifetime = (typeof lifetimes)[number]

export interface Outcomes {
  proposed: number
  sentUnchanged: number
  sentEdited: number
  discarded: number
  withdrawn: number
  open: number
}

export interface Agent {
  tokenId: string
  name: string
  user: { id: string; name: string }
  lastUsedAt: string | null
  scopes: Scope[]
  expiresAt: string | null
  last30Days: Outcomes & { threadsRead: number; messagesRead: number; notesRead: number; calls: number }
}

export const clients = ['claudeDesktop', 'claudeCode', 'cursor', 'vscode', 'curl'] as const
export type Client = (typeof clients)[number]

export interface MadeAgent {
  token: string
  tokenId: string
  configurations: Record<Client, string>
}

export interface Webhook {
  id: string
  url: string
  /** Null: all kinds. */
  kinds: EventType[] | null
  inboxes: string[] | null
  state: 'enabled' | 'disabled'
  disabledReason: string | null
  disabledAt: string | null
  createdAt: string
  behind: number
  waiting: number
  replaying: boolean
  failingSince: string | null
  user: { id: string; name: string }
}

export interface Delivery {
  id: string
  eventId: string
  kind: EventType
  status: 'delivered' | 'waiting' | 'failed'
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
  days: { day: string; opened: number; closed: number }[]
  firstReply: { count: number; medianSeconds: number | null; p90Seconds: number | null }
  openPerPerson: { person: { id: string; name: string } | null; open: number }[]
  proposals: Outcomes
}

export const steps = ['mailbox', 'people', 'agent'] as const
export type Step = (typeof steps)[number]

export interface Guide {
  steps: Record<Step, 'open' | 'done' | 'skipped'>
  finished: boolean
}
