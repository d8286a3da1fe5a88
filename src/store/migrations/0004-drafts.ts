import type { Migration } from './migration.ts'

/** Drafts, the outgoing mail they become, and the sessions of the people who may send them. */
export const drafts: Migration = {
  name: '0004-drafts',
  statements: ({ integer, bytes, id, clustered }) => [
    // The table of 0001 was never written to.
    `DROP TABLE drafts`,
    `CREATE TABLE drafts (
      id ${id} PRIMARY KEY, inbox ${integer} NOT NULL REFERENCES inboxes, thread ${integer} REFERENCES threads,
      kind TEXT NOT NULL, status TEXT NOT NULL, revision ${integer} NOT NULL,
      author TEXT NOT NULL, user_id ${id} NOT NULL REFERENCES users, token_id ${id} REFERENCES tokens, edited ${integer} NOT NULL,
      answers ${id}, newest_message ${id}, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL,
      message_id TEXT, due_at ${integer}, phase TEXT, attempts ${integer} NOT NULL, give_up_at ${integer}, sender TEXT,
      problem TEXT, outcome TEXT)`,
    `CREATE INDEX drafts_of_thread ON drafts (thread)`,
    `CREATE INDEX drafts_of_inbox ON drafts (inbox, status, updated_at, id)`,
    `CREATE UNIQUE INDEX drafts_by_message_id ON drafts (message_id) WHERE message_id IS NOT NULL`,
    `CREATE INDEX drafts_due ON drafts (due_at) WHERE due_at IS NOT NULL`,
    `CREATE TABLE draft_revisions (
      draft ${id} NOT NULL REFERENCES drafts, revision ${integer} NOT NULL, actor TEXT NOT NULL, created_at ${integer} NOT NULL,
      content TEXT NOT NULL, PRIMARY KEY (draft, revision)) ${clustered}`,
    `CREATE TABLE draft_attachments (
      id ${id} PRIMARY KEY, draft ${id} NOT NULL REFERENCES drafts, filename TEXT NOT NULL, content_type TEXT NOT NULL,
      size ${integer} NOT NULL, hash ${bytes} NOT NULL)`,
    `CREATE INDEX attachments_of_draft ON draft_attachments (draft)`,
    `CREATE TABLE outgoing (
      draft ${id} PRIMARY KEY REFERENCES drafts, letter TEXT NOT NULL, source ${bytes})`,
    `CREATE TABLE sessions (
      id ${id} PRIMARY KEY, hash ${bytes} NOT NULL UNIQUE, user_id ${id} NOT NULL REFERENCES users,
      created_at ${integer} NOT NULL, last_seen_at ${integer} NOT NULL, ends_at ${integer} NOT NULL)`,
    `CREATE INDEX sessions_of_user ON sessions (user_id)`,
    `CREATE TABLE signatures (
      user_id ${id} NOT NULL REFERENCES users, inbox ${integer} NOT NULL REFERENCES inboxes, text TEXT NOT NULL,
      PRIMARY KEY (user_id, inbox)) ${clustered}`,
  ],
}
