import type { Migration } from './migration.ts'

/** Several addresses per inbox, mailboxes opened by OAuth, and the first sync or import that a thread came from. */
export const mailboxSignIn: Migration = {
  name: '0014-mailbox-sign-in',
  statements: ({ integer, bytes }) => [
    `ALTER TABLE inboxes ADD COLUMN aliases TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE threads ADD COLUMN history_run ${integer}`,
    `CREATE TABLE mail_grants (
      inbox ${integer} PRIMARY KEY REFERENCES inboxes, provider TEXT NOT NULL, way TEXT NOT NULL, account TEXT NOT NULL,
      client TEXT NOT NULL, secrets ${bytes} NOT NULL, access ${bytes}, ends_at ${integer}, version ${integer} NOT NULL,
      failure TEXT, failed_at ${integer}, granted_at ${integer} NOT NULL)`,
  ],
}
