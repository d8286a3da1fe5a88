import type { Migration } from './migration.ts'

/** Agents authorised by OAuth: a grant is a row of `tokens` with a client; its secrets are in `grant_secrets`. */
export const grants: Migration = {
  name: '0016-grants',
  statements: ({ integer, bytes, id, clustered }) => [
    `ALTER TABLE tokens ADD COLUMN client_id TEXT`,
    `ALTER TABLE tokens ADD COLUMN resource TEXT`,
    `CREATE INDEX tokens_of_client ON tokens (client_id) WHERE client_id IS NOT NULL`,
    `CREATE TABLE grant_secrets (
      hash ${bytes} PRIMARY KEY, grant_id ${id} NOT NULL REFERENCES tokens, kind TEXT NOT NULL,
      expires_at ${integer} NOT NULL, used_at ${integer}, challenge TEXT, redirect_uri TEXT) ${clustered}`,
    `CREATE INDEX grant_secrets_of_grant ON grant_secrets (grant_id, expires_at)`,
    `CREATE INDEX grant_secrets_by_end ON grant_secrets (expires_at)`,
    `CREATE TABLE oauth_clients (
      id ${id} PRIMARY KEY, kind TEXT NOT NULL, name TEXT, redirect_uris TEXT NOT NULL,
      created_at ${integer} NOT NULL, unused_since ${integer} NOT NULL)`,
    `CREATE INDEX oauth_clients_by_use ON oauth_clients (kind, unused_since)`,
  ],
}
