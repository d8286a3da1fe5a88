import type { Generated, ColumnType } from 'kysely'
import type { Role } from '../model/access.ts'
import type { DraftStatus } from '../model/draft.ts'
import type { EventType } from '../model/events.ts'
import type { Status } from '../model/thread.ts'
import type { DeliveryState, DisabledReason, Webhook } from '../model/webhooks.ts'
import type { GrantTables } from './tables/grants.ts'
import type { MailTables } from './tables/mail.ts'
import type { NoticeTables } from './tables/notices.ts'

/**
 * The tables of both databases. Rows refer to each other by `number`; only the `id` is public. Times are epoch
 * milliseconds, booleans 0 or 1, structured values JSON text: the same on SQLite and PostgreSQL.
 */
export interface Tables extends GrantTables, MailTables, NoticeTables {
  settings: { name: string; value: string }
  versions: { scope: string; version: number }
  log: { only_row: number; last_seq: number; pruned_seq: number }
  inboxes: {
    number: Generated<number>
    id: string
    address: string
    name: string
    created_at: number
    removed_at: number | null
    /** JSON array of its additional addresses. */
    aliases: Generated<string>
  }
  users: {
    id: string
    email: string
    name: string
    role: Role
    password: string | null
    created_at: number
    removed_at: number | null
    /** Last request while signed in, accurate to a minute. */
    last_seen_at: number | null
  }
  user_inboxes: { user_id: string; inbox: number }
  tokens: {
    id: string
    user_id: string
    name: string
    hash: Uint8Array
    scopes: string
    /** JSON array of inbox numbers; null: all of the user's. */
    inboxes: string | null
    created_at: number
    expires_at: number | null
    revoked_at: number | null
    last_used_at: number | null
    first_used_at: number | null
    /** The first tool or route that was called. */
    first_call: string | null
    /** For a grant: the OAuth client, and the address it is valid for. Null for a personal access token. */
    client_id: string | null
    resource: string | null
  }
  /** What a token has read per day; `day` counts UTC days since 1970. */
  token_reads: {
    token_id: string
    day: number
    calls: number
    threads: number
    messages: number
    notes: number
  }
  threads: {
    number: Generated<number>
    id: string
    inbox: number
    subject: string
    sender_name: string | null
    sender_address: string
    timestamp: number
    status: Status
    assignee_id: string | null
    assigned_at: number | null
    /** Copied from the user; updated when the person is renamed. */
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
    /** Arrival of the newest inbound mail; 0 if there is none. */
    last_inbound: number
    /** The earliest inbound mail and the first reply to it, for the numbers page. */
    asked_at: number | null
    answered_at: number | null
    /** The first sync or import in which the thread began; null once anything else sets its status. */
    history_run: number | null
  }
  /** See store/threads/summary.ts. */
  thread_summaries: { thread: number; item: string }
  /** Threads closed per quarter of an hour; `quarter` counts from 1970. */
  closings: { inbox: number; quarter: number; count: number }
  thread_aliases: { id: string; thread: number }
  thread_keys: { inbox: number; key: Uint8Array; thread: number }
  unread: { thread: number; user_id: string; inbox: number; timestamp: number; id: string }
  messages: {
    number: Generated<number>
    id: string
    inbox: number
    thread: number
    /** The `seq` of its event: commit order. */
    arrival: number
    timestamp: number
    direction: 'inbound' | 'outbound'
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
    /** Version of the rules that its texts were derived by (see model/mail/form.ts). */
    form: number
    /** 1: has the header `Auto-Submitted: auto-generated`, so nobody is notified of it. */
    auto_generated: Generated<number>
  }
  /** `links`: JSON; null if there are none. */
  message_bodies: {
    message: number
    text: string
    new_text: string
    html: string | null
    links: string | null
  }
  /** `checksum` is null if an earlier version stored the source and it has not been checked since. */
  message_sources: { message: number; source: Uint8Array; checksum: Uint8Array | null }
  attachments: {
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
  attachment_pieces: { hash: Uint8Array; position: number; content: Uint8Array }
  history: {
    id: string
    thread: number
    timestamp: number
    type: string
    data: string
  }
  notes: {
    id: string
    thread: number
    timestamp: number
    author_id: string
    text: string
    mentions: string
    edited_at: number | null
  }
  drafts: {
    id: string
    inbox: number
    /** Null for a new conversation until it is sent. */
    thread: number | null
    kind: string
    status: DraftStatus
    revision: number
    author: string
    /** The owner, whether they or their agent wrote it. */
    user_id: string
    /** The token of the agent that wrote it; null for a person's draft. */
    token_id: string | null
    /** 1 once a person has written a revision. */
    edited: number
    answers: string | null
    newest_message: string | null
    /** Lets an agent repeat its proposal without creating a second draft. */
    idempotency_key: string | null
    created_at: number
    updated_at: number
    /** Fixed when a person sends it; every attempt uses the same. */
    message_id: string | null
    /** When the next step is due: sending, a retry, looking for the copy, or taking over from a dead node. */
    due_at: number | null
    /** How far sending has come; see core/sending/outbox.ts. */
    phase: string | null
    attempts: number
    give_up_at: number | null
    /** JSON: who pressed send, and whether to close the thread. */
    sender: string | null
    problem: string | null
    outcome: string | null
  }
  draft_revisions: {
    draft: string
    revision: number
    actor: string
    created_at: number
    content: string
  }
  draft_attachments: {
    id: string
    draft: string
    filename: string
    content_type: string
    size: number
    hash: Uint8Array
  }
  outgoing: {
    draft: string
    /** What the person was shown, as JSON. */
    letter: string
    /** The mail as sent over the wire, once composed. */
    source: Uint8Array | null
  }
  sessions: {
    id: string
    hash: Uint8Array
    /** The browser's description, so that its owner recognises it. */
    device: string | null
    user_id: string
    created_at: number
    last_seen_at: number
    ends_at: number
  }
  links: {
    hash: Uint8Array
    kind: 'setup' | 'invitation' | 'reset' | 'mailbox'
    /** The recipient, if known. */
    email: string | null
    data: string
    created_at: number
    ends_at: number
  }
  correspondents: { inbox: number; word: string; address: string; name: string | null }
  /** Searches that a person has saved; shown in the left column. */
  saved_views: { id: string; user_id: string; name: string; search: string; created_at: number }
  signatures: { user_id: string; inbox: number; text: string }
  /** Rules that agents are given for an inbox; the newest version applies. */
  agent_rules: { inbox: number; version: number; text: string; author: string; created_at: number }
  events: {
    seq: number
    id: string
    type: EventType
    inbox: number | null
    timestamp: number
    /** 1: imported history; logged, but not delivered to subscribers. */
    quiet: number
    /** The owner, for events that belong to no inbox. */
    user_id: string | null
    data: ColumnType<string, string, never>
  }
  webhooks: {
    id: string
    user_id: string
    url: string
    /** JSON array of event types; null: all. */
    types: string | null
    /** JSON array of inbox numbers; null: all of the owner's. */
    inboxes: string | null
    state: Webhook['state']
    disabled_reason: DisabledReason | null
    disabled_at: number | null
    created_at: number
    /** Raised by every change a person makes. */
    revision: number
    /** Both secrets are encrypted. */
    secret: Uint8Array
    old_secret: Uint8Array | null
    old_secret_until: number | null
    /** Every event up to here has had its first attempt or did not match. */
    position: number
    /** The last matching event up to `position`. */
    previous_seq: number | null
    /** Events up to here happened while it was disabled and are not delivered automatically. */
    skip_until: number
    replay_after: number | null
    replay_until: number | null
    replay_previous: number | null
    /** Set while every attempt since then has failed. */
    failing_since: number | null
  }
  /** Which inboxes a webhook's owner could see, for events after `after_seq` up to the next row's. */
  webhook_views: { webhook_id: string; after_seq: number; inboxes: string }
  /** Events with at least one delivery attempt; events beyond the webhook's position have no row. */
  deliveries: {
    webhook_id: string
    seq: number
    previous_seq: number | null
    event_id: string
    type: EventType
    state: DeliveryState
    attempts: number
    attempted_at: number | null
    next_attempt_at: number | null
    status: number | null
    milliseconds: number | null
    answer: string | null
    fault: string | null
  }
  leases: { name: string; holder: string; ends_at: number }
}
