import type { Migration } from './migration.ts'

/** Everything the Threads API needs. */
export const first: Migration = {
  name: '0001-first',
  statements: ({ number, integer, bytes, id, clustered, searchTable }) => [
    `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
    `CREATE TABLE versions (scope TEXT PRIMARY KEY, version ${integer} NOT NULL)`,
    `CREATE TABLE log (only_row ${integer} PRIMARY KEY, last_seq ${integer} NOT NULL, pruned_seq ${integer} NOT NULL)`,
    `INSERT INTO log VALUES (1, 0, 0)`,

    `CREATE TABLE inboxes (
      number ${number}, id ${id} NOT NULL UNIQUE, address TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      created_at ${integer} NOT NULL, removed_at ${integer})`,
    `CREATE TABLE users (
      id ${id} PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, role TEXT NOT NULL, password TEXT,
      created_at ${integer} NOT NULL, removed_at ${integer})`,
    `CREATE TABLE user_inboxes (
      user_id ${id} NOT NULL REFERENCES users, inbox ${integer} NOT NULL REFERENCES inboxes, PRIMARY KEY (user_id, inbox)) ${clustered}`,
    `CREATE TABLE tokens (
      id ${id} PRIMARY KEY, user_id ${id} NOT NULL REFERENCES users, name TEXT NOT NULL, hash ${bytes} NOT NULL UNIQUE,
      scopes TEXT NOT NULL, inboxes TEXT, created_at ${integer} NOT NULL, expires_at ${integer},
      revoked_at ${integer}, last_used_at ${integer})`,
    `CREATE INDEX tokens_of_user ON tokens (user_id)`,

    `CREATE TABLE threads (
      number ${number}, id ${id} NOT NULL UNIQUE, inbox ${integer} NOT NULL REFERENCES inboxes,
      subject TEXT NOT NULL, sender_name TEXT, sender_address TEXT NOT NULL, timestamp ${integer} NOT NULL,
      status TEXT NOT NULL, assignee_id ${id} REFERENCES users, assigned_at ${integer}, assignee_name TEXT, assignee_email TEXT, snoozed_until ${integer},
      preview TEXT NOT NULL, message_count ${integer} NOT NULL, note_count ${integer} NOT NULL,
      attachment_count ${integer} NOT NULL, draft_count ${integer} NOT NULL,
      created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL, revision ${integer} NOT NULL,
      last_inbound ${integer} NOT NULL, summary TEXT NOT NULL)`,
    // One index per kind of list, each in list order: newest first, ties by id.
    `CREATE INDEX threads_by_time ON threads (timestamp, id)`,
    `CREATE INDEX threads_of_inbox ON threads (inbox, timestamp, id)`,
    `CREATE INDEX threads_by_status ON threads (inbox, status, timestamp, id)`,
    `CREATE INDEX threads_of_assignee ON threads (inbox, assignee_id, status, timestamp, id)`,
    `CREATE INDEX threads_by_change ON threads (inbox, updated_at)`,
    `CREATE INDEX threads_to_wake ON threads (snoozed_until) WHERE snoozed_until IS NOT NULL`,
    `CREATE INDEX threads_assigned ON threads (assignee_id, number) WHERE assignee_id IS NOT NULL`,
    `CREATE TABLE thread_aliases (id ${id} PRIMARY KEY, thread ${integer} NOT NULL REFERENCES threads)`,
    `CREATE INDEX aliases_of_thread ON thread_aliases (thread)`,
    `CREATE TABLE thread_keys (
      inbox ${integer} NOT NULL, key ${bytes} NOT NULL, thread ${integer} NOT NULL REFERENCES threads,
      PRIMARY KEY (inbox, key)) ${clustered}`,
    `CREATE INDEX keys_of_thread ON thread_keys (thread)`,
    `CREATE TABLE unread (
      thread ${integer} NOT NULL REFERENCES threads, user_id ${id} NOT NULL REFERENCES users, inbox ${integer} NOT NULL,
      timestamp ${integer} NOT NULL, id ${id} NOT NULL, PRIMARY KEY (thread, user_id)) ${clustered}`,
    `CREATE INDEX unread_of_user ON unread (user_id, inbox, timestamp, id)`,

    `CREATE TABLE messages (
      number ${number}, id ${id} NOT NULL UNIQUE, inbox ${integer} NOT NULL REFERENCES inboxes,
      thread ${integer} NOT NULL REFERENCES threads, arrival ${integer} NOT NULL, timestamp ${integer} NOT NULL,
      direction TEXT NOT NULL, identity ${bytes} NOT NULL, message_id TEXT, in_reply_to TEXT, subject TEXT NOT NULL,
      sender TEXT NOT NULL, recipients TEXT NOT NULL, preview TEXT NOT NULL, attachment_count ${integer} NOT NULL,
      sent_by TEXT, authentication TEXT, hidden_text_removed ${integer} NOT NULL, warnings TEXT NOT NULL,
      truncated ${integer} NOT NULL, kind TEXT NOT NULL)`,
    `CREATE UNIQUE INDEX messages_by_identity ON messages (inbox, identity)`,
    `CREATE INDEX messages_of_thread ON messages (thread, timestamp, id)`,
    `CREATE TABLE message_bodies (message ${integer} PRIMARY KEY REFERENCES messages, text TEXT NOT NULL, new_text TEXT NOT NULL, html TEXT)`,
    `CREATE TABLE message_sources (message ${integer} PRIMARY KEY REFERENCES messages, source ${bytes} NOT NULL)`,
    `CREATE TABLE attachments (
      id ${id} PRIMARY KEY, message ${integer} NOT NULL REFERENCES messages, position ${integer} NOT NULL,
      filename TEXT NOT NULL, content_type TEXT NOT NULL, content_id TEXT, inline ${integer} NOT NULL,
      size ${integer} NOT NULL, hash ${bytes} NOT NULL)`,
    `CREATE INDEX attachments_of_message ON attachments (message, position)`,
    `CREATE TABLE attachment_contents (hash ${bytes} PRIMARY KEY, content ${bytes} NOT NULL)`,
    ...searchTable,

    `CREATE TABLE history (
      id ${id} PRIMARY KEY, thread ${integer} NOT NULL REFERENCES threads, timestamp ${integer} NOT NULL,
      type TEXT NOT NULL, data TEXT NOT NULL)`,
    `CREATE INDEX history_of_thread ON history (thread, timestamp, id)`,
    `CREATE TABLE notes (
      id ${id} PRIMARY KEY, thread ${integer} NOT NULL REFERENCES threads, timestamp ${integer} NOT NULL,
      author_id ${id} NOT NULL REFERENCES users, text TEXT NOT NULL, mentions TEXT NOT NULL, edited_at ${integer})`,
    `CREATE INDEX notes_of_thread ON notes (thread, timestamp, id)`,
    `CREATE TABLE drafts (
      id ${id} PRIMARY KEY, thread ${integer} NOT NULL REFERENCES threads, status TEXT NOT NULL, revision ${integer} NOT NULL,
      created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL, data TEXT NOT NULL)`,
    `CREATE INDEX drafts_of_thread ON drafts (thread)`,
    `CREATE TABLE events (
      seq ${integer} PRIMARY KEY, id ${id} NOT NULL UNIQUE, type TEXT NOT NULL, inbox ${integer},
      timestamp ${integer} NOT NULL, quiet ${integer} NOT NULL, data TEXT NOT NULL)`,
    `CREATE INDEX events_of_inbox ON events (inbox, seq)`,
    `CREATE INDEX events_by_time ON events (timestamp)`,
  ],
}
