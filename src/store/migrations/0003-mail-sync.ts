import type { Migration } from './migration.ts'

/** What has been fetched from each mailbox folder, and the state of each sync. */
export const mailSync: Migration = {
  name: '0003-mail-sync',
  statements: ({ number, integer, bytes, clustered }) => [
    `CREATE TABLE mail_folders (
      number ${number}, inbox ${integer} NOT NULL REFERENCES inboxes, account TEXT NOT NULL, name TEXT NOT NULL,
      uid_validity ${integer} NOT NULL, history_below ${integer} NOT NULL, complete_below ${integer} NOT NULL, modseq TEXT,
      history_total ${integer} NOT NULL, history_done ${integer} NOT NULL, UNIQUE (inbox, account, name))`,
    `CREATE TABLE mail_items (
      folder ${integer} NOT NULL REFERENCES mail_folders, uid_validity ${integer} NOT NULL, uid ${integer} NOT NULL,
      inbox ${integer} NOT NULL, hash ${bytes}, PRIMARY KEY (folder, uid_validity, uid)) ${clustered}`,
    `CREATE INDEX mail_items_by_hash ON mail_items (inbox, hash)`,
    `CREATE TABLE mail_sync (
      inbox ${integer} PRIMARY KEY REFERENCES inboxes, state TEXT NOT NULL, failure TEXT, changed_at ${integer} NOT NULL)`,
  ],
}
