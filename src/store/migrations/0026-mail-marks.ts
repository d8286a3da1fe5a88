import type { Migration } from './migration.ts'

/** Mail that somebody has opened and that is to be marked as read in its mailbox. */
export const mailMarks: Migration = {
  name: '0026-mail-marks',
  statements: ({ integer, clustered }) => [
    `CREATE TABLE mail_marks (
      inbox ${integer} NOT NULL REFERENCES inboxes, message ${integer} NOT NULL REFERENCES messages,
      PRIMARY KEY (inbox, message)) ${clustered}`,
  ],
}
