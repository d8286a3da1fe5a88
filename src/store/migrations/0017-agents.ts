import type { Migration } from './migration.ts'

/** Idempotency keys for proposals, and the rules that agents are given for an inbox, with all their versions. */
export const agents: Migration = {
  name: '0017-agents',
  statements: ({ integer, clustered }) => [
    `ALTER TABLE drafts ADD COLUMN idempotency_key TEXT`,
    `CREATE TABLE agent_rules (
      inbox ${integer} NOT NULL REFERENCES inboxes, version ${integer} NOT NULL, text TEXT NOT NULL,
      author TEXT NOT NULL, created_at ${integer} NOT NULL, PRIMARY KEY (inbox, version)) ${clustered}`,
  ],
}
