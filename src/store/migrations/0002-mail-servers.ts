import type { Migration } from './migration.ts'

/** Mail servers of each inbox, and leases that decide which node does a piece of work. */
export const mailServers: Migration = {
  name: '0002-mail-servers',
  statements: ({ integer, bytes, clustered }) => [
    `CREATE TABLE mail_servers (
      inbox ${integer} NOT NULL REFERENCES inboxes, kind TEXT NOT NULL, host TEXT NOT NULL, port ${integer} NOT NULL,
      security TEXT NOT NULL, user_name TEXT, password ${bytes}, options TEXT NOT NULL, PRIMARY KEY (inbox, kind)) ${clustered}`,
    `CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, ends_at ${integer} NOT NULL) ${clustered}`,
  ],
}
