import type { Migration } from './migration.ts'

/** Webhooks, what their owners could see and since when, and deliveries. */
export const webhooks: Migration = {
  name: '0005-webhooks',
  statements: ({ integer, bytes, id, clustered }) => [
    // For events that belong to a person and to no inbox.
    `ALTER TABLE events ADD COLUMN user_id ${id}`,
    `CREATE INDEX events_of_user ON events (user_id, seq) WHERE user_id IS NOT NULL`,
    `CREATE TABLE webhooks (
      id ${id} PRIMARY KEY, user_id ${id} NOT NULL REFERENCES users, url TEXT NOT NULL, types TEXT, inboxes TEXT,
      state TEXT NOT NULL, disabled_reason TEXT, disabled_at ${integer}, created_at ${integer} NOT NULL,
      revision ${integer} NOT NULL, secret ${bytes} NOT NULL, old_secret ${bytes}, old_secret_until ${integer},
      position ${integer} NOT NULL, previous_seq ${integer}, skip_until ${integer} NOT NULL,
      replay_after ${integer}, replay_until ${integer}, replay_previous ${integer}, failing_since ${integer})`,
    `CREATE INDEX webhooks_of_user ON webhooks (user_id)`,
    `CREATE TABLE webhook_views (
      webhook_id ${id} NOT NULL REFERENCES webhooks, after_seq ${integer} NOT NULL, inboxes TEXT NOT NULL,
      PRIMARY KEY (webhook_id, after_seq)) ${clustered}`,
    `CREATE TABLE deliveries (
      webhook_id ${id} NOT NULL REFERENCES webhooks, seq ${integer} NOT NULL, previous_seq ${integer},
      event_id ${id} NOT NULL, type TEXT NOT NULL, state TEXT NOT NULL, attempts ${integer} NOT NULL,
      attempted_at ${integer}, next_attempt_at ${integer}, status ${integer}, milliseconds ${integer},
      answer TEXT, fault TEXT, PRIMARY KEY (webhook_id, seq)) ${clustered}`,
    `CREATE INDEX deliveries_to_retry ON deliveries (webhook_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL`,
  ],
}
