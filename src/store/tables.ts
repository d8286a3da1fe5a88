import type { Generated, ColumnType } from 'kysely'

/**
 * The tables of both databases. Rows refer to each other by `number`; the outside knows only the `id`.
 * Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: alike on SQLite and PostgreSQL.
 */
export interface Tables {
  settings: { name: string; value: string }
  versions: { scope: string; version: number }
  log: { only_row: number; last_seq: number; pruned_seq: number }
  inboxes: InboxTable
  users: UserTable
  user_inboxes: { user_id: string; inbox: number }
  tokens: TokenTable
  /** What a token has read: `day` counts from 1970, in UTC. */
  token_reads: {
    token_id: string
    day: number
    calls: number
    threads: number
    messages: number
    notes: number
  }
  threads: ThreadTable
  thread_summaries: ThreadSummaryTable
  /** How often threads were closed in a quarter of an hour, counted from 1970. */
  closings: { inbox: number; quarter: number; count: number }
  thread_aliases: { id: string; thread: number }
  thread_keys: { inbox: number; key: Uint8Array; thread: number }
  unread: { thread: number; user_id: string; inbox: number; timestamp: number; id: string }
  messages: MessageTable
  message_bodies: { message: number; text: string; new_text: string; html: string | null }
  message_sources: { message: number; source: Uint8Array }
  attachments: AttachmentTable
  attachment_pieces: { hash: Uint8Array; position: number; content: Uint8Array }
  history: HistoryTable
  notes: NoteTable
  drafts: DraftTable
  draft_revisions: DraftRevisionTable
  draft_attachments: DraftAttachmentTable
  outgoing: OutgoingTable
  sessions: SessionTable
  links: LinkTable
  correspondents: { inbox: number; word: string; address: string; name: string | null }
  signatures: { user_id: string; inbox: number; text: string }
  events: EventTable
  mail_servers: MailServerTable
  mail_folders: MailFolderTable
  mail_items: MailItemTable
  mail_sync: MailSyncTable
  webhooks: WebhookTable
  /** What a subscription's owner could see of its inboxes, for events after `after_seq` and up to the next row's. */
  webhook_views: { webhook_id: string; after_seq: number; inboxes: string }
  deliveries: DeliveryTable
  leases: { name: string; holder: string; ends_at: number }
}

interface InboxTable {
  number: Generated<number>
  id: string
  address: string
  name: string
  created_at: number
  removed_at: number | null
}

interface UserTable {
  id: string
  email: string
  name: string
  role: string
  password: string | null
  created_at: number
  removed_at: number | null
  /** Signed in, and not longer ago than a minute before that. */
  last_seen_at: number | null
}

interface TokenTable {
  id: string
  user_id: string
  name: string
  hash: Uint8Array
  scopes: string
  /** JSON array of inbox numbers, or null: all of the user's. */
  inboxes: string | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  first_used_at: number | null
  /** The first tool or route that was called, once there was one. */
  first_call: string | null
}

interface ThreadTable {
  number: Generated<number>
  id: string
  inbox: number
  subject: string
  sender_name: string | null
  sender_address: string
  timestamp: number
  status: string
  assignee_id: string | null
  assigned_at: number | null
  /** Copied from the user; renaming a person renews it. */
  assignee_name: string | null
  assignee_email: string | null
  snoozed_until: number | null
  preview: string
  message_count: number
  note_count: number
  attachment_count: number
  draft_count: number
  created_at: number
  updated_at: number
  revision: number
  /** Arrival of the newest mail from outside; 0 while there is none. */
  last_inbound: number
  /** The earliest mail from outside, and the first answer since: for the numbers. */
  asked_at: number | null
  answered_at: number | null
}

/** A thread's columns once more, as pieces of JSON (see thread-summary.ts). */
interface ThreadSummaryTable {
  thread: number
  subject: string
  sender_name: string
  sender_address: string
  state: string
  preview: string
  rest: string
}

interface MessageTable {
  number: Generated<number>
  id: string
  inbox: number
  thread: number
  /** The `seq` of its event: the order in which Spool committed. */
  arrival: number
  timestamp: number
  direction: string
  identity: Uint8Array
  message_id: string | null
  in_reply_to: string | null
  subject: string
  sender: string
  recipients: string
  preview: string
  attachment_count: number
  sent_by: string | null
  authentication: string | null
  hidden_text_removed: number
  warnings: string
  truncated: number
  kind: string
}

interface AttachmentTable {
  id: string
  message: number
  position: number
  filename: string
  content_type: string
  content_id: string | null
  inline: number
  size: number
  hash: Uint8Array
}

interface HistoryTable {
  id: string
  thread: number
  timestamp: number
  type: string
  data: string
}

interface NoteTable {
  id: string
  thread: number
  timestamp: number
  author_id: string
  text: string
  mentions: string
  edited_at: number | null
}

interface DraftTable {
  id: string
  inbox: number
  /** Null for a conversation that begins when it is sent. */
  thread: number | null
  kind: string
  status: string
  revision: number
  author: string
  /** Whose draft it is, be it their own or their agent's. */
  user_id: string
  /** The token it came by; null for a person's. */
  token_id: string | null
  /** 1 once a person has written a revision. */
  edited: number
  answers: string | null
  newest_message: string | null
  created_at: number
  updated_at: number
  /** Fixed when a person sends it, and the same for every attempt. */
  message_id: string | null
  /** When something is to be done next: sending, another attempt, looking for the copy, or taking over from a dead node. */
  due_at: number | null
  /** How far sending has come; see core/outbox.ts. */
  phase: string | null
  attempts: number
  give_up_at: number | null
  /** JSON: who pressed send, and whether to close the thread. */
  sender: string | null
  problem: string | null
  outcome: string | null
}

interface DraftRevisionTable {
  draft: string
  revision: number
  actor: string
  created_at: number
  content: string
}

interface DraftAttachmentTable {
  id: string
  draft: string
  filename: string
  content_type: string
  size: number
  hash: Uint8Array
}

interface OutgoingTable {
  draft: string
  /** What the person was shown, as JSON. */
  letter: string
  /** The mail as it goes over the wire, once it was written. */
  source: Uint8Array | null
}

interface LinkTable {
  hash: Uint8Array
  kind: string
  email: string | null
  data: string
  created_at: number
  ends_at: number
}

interface SessionTable {
  id: string
  hash: Uint8Array
  /** What the browser says it is, so that its owner knows it again. */
  device: string | null
  user_id: string
  created_at: number
  last_seen_at: number
  ends_at: number
}

interface EventTable {
  seq: number
  id: string
  type: string
  inbox: number | null
  timestamp: number
  /** 1: history, told in the log and delivered to nobody. */
  quiet: number
  /** Whose it is, where it is no inbox's. */
  user_id: string | null
  data: ColumnType<string, string, never>
}

interface MailServerTable {
  inbox: number
  kind: string
  host: string
  port: number
  security: string
  user_name: string | null
  /** Encrypted. */
  password: Uint8Array | null
  options: string
  /** When a person last asked for another try at once. */
  asked_at: number | null
}

/** A folder of a mailbox on its server; `account` is user and host, so that another server's folder is another folder. */
interface MailFolderTable {
  number: Generated<number>
  inbox: number
  account: string
  name: string
  uid_validity: number
  /** UIDs below it were there when the folder was first seen: history. */
  history_below: number
  /** Everything below this UID has been dealt with. */
  complete_below: number
  /** HIGHESTMODSEQ when everything was last dealt with; where it is still the same, nothing has happened. */
  modseq: string | null
  history_total: number
  history_done: number
  /** Its mail is the team's own. */
  is_sent: number
}

interface MailSyncTable {
  inbox: number
  state: string
  /** What to mend, in words, and which kind of trouble that is. */
  failure: string | null
  problem: string | null
  retry_at: number | null
  changed_at: number
  /** When everything in the mailbox was last here, give or take a minute. */
  synced_at: number | null
}

/** What was fetched. No `hash`: passed over, as it was too large or could not be read. */
interface MailItemTable {
  folder: number
  uid_validity: number
  uid: number
  inbox: number
  hash: Uint8Array | null
}

interface WebhookTable {
  id: string
  user_id: string
  url: string
  /** JSON array of kinds, or null: all. */
  types: string | null
  /** JSON array of inbox numbers, or null: all of the owner's. */
  inboxes: string | null
  state: string
  disabled_reason: string | null
  disabled_at: number | null
  created_at: number
  /** Raised by every change that people make. */
  revision: number
  /** Encrypted, both. */
  secret: Uint8Array
  old_secret: Uint8Array | null
  old_secret_until: number | null
  /** Everything up to here in the log has had its first attempt, or was none of its business. */
  position: number
  /** The last event up to `position` that was its business. */
  previous_seq: number | null
  /** What happened while it was disabled: not delivered by itself. */
  skip_until: number
  replay_after: number | null
  replay_until: number | null
  replay_previous: number | null
  /** Nothing but failures since then. */
  failing_since: number | null
}

/** Events whose delivery was attempted; what lies beyond a subscription's position has no row. */
interface DeliveryTable {
  webhook_id: string
  seq: number
  previous_seq: number | null
  event_id: string
  type: string
  state: string
  attempts: number
  attempted_at: number | null
  next_attempt_at: number | null
  status: number | null
  milliseconds: number | null
  answer: string | null
  fault: string | null
}
