import type { Migration } from './migration.ts'

/** What the settings page shows and counts: read through an index, or counted as it happens. */
export const settings: Migration = {
  name: '0009-settings',
  statements: ({ integer, id, clustered }) => [
    `ALTER TABLE users ADD COLUMN last_seen_at ${integer}`,
    `UPDATE users SET last_seen_at = (SELECT max(last_seen_at) FROM sessions WHERE user_id = users.id)`,

    `ALTER TABLE tokens ADD COLUMN first_used_at ${integer}`,
    `ALTER TABLE tokens ADD COLUMN first_call TEXT`,
    `UPDATE tokens SET first_used_at = last_used_at`,
    // One row per token and day of use: a few thousand a year.
    `CREATE TABLE token_reads (
      token_id ${id} NOT NULL REFERENCES tokens, day ${integer} NOT NULL, calls ${integer} NOT NULL,
      threads ${integer} NOT NULL, messages ${integer} NOT NULL, notes ${integer} NOT NULL,
      PRIMARY KEY (token_id, day)) ${clustered}`,
    `CREATE INDEX drafts_of_token ON drafts (token_id, created_at) WHERE token_id IS NOT NULL`,
    `CREATE INDEX drafts_proposed ON drafts (inbox, created_at) WHERE token_id IS NOT NULL`,

    `ALTER TABLE mail_servers ADD COLUMN asked_at ${integer}`,
    `ALTER TABLE mail_folders ADD COLUMN is_sent ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE mail_sync ADD COLUMN problem TEXT`,
    `ALTER TABLE mail_sync ADD COLUMN retry_at ${integer}`,
    `ALTER TABLE mail_sync ADD COLUMN synced_at ${integer}`,
    `UPDATE mail_sync SET synced_at = changed_at WHERE state = 'following'`,

    `ALTER TABLE threads ADD COLUMN asked_at ${integer}`,
    `ALTER TABLE threads ADD COLUMN answered_at ${integer}`,
    `UPDATE threads SET asked_at =
      (SELECT min(timestamp) FROM messages WHERE thread = threads.number AND direction = 'inbound')`,
    `UPDATE threads SET answered_at =
      (SELECT min(timestamp) FROM messages WHERE thread = threads.number AND direction = 'outbound' AND timestamp >= threads.asked_at)`,
    `CREATE INDEX threads_by_beginning ON threads (inbox, created_at, asked_at, answered_at)`,
    `CREATE TABLE closings (
      inbox ${integer} NOT NULL REFERENCES inboxes, quarter ${integer} NOT NULL, count ${integer} NOT NULL,
      PRIMARY KEY (inbox, quarter)) ${clustered}`,
    `INSERT INTO closings (inbox, quarter, count)
      SELECT threads.inbox, history.timestamp / 900000, count(*) FROM history JOIN threads ON threads.number = history.thread
      WHERE history.type = 'status_changed' AND history.data LIKE '%"to":"closed"%'
      GROUP BY threads.inbox, history.timestamp / 900000`,
  ],
}
