import type { Migration } from './migration.ts'

/** Sign-in links, the device of a session, and the correspondents of an inbox. */
export const webInbox: Migration = {
  name: '0008-web-inbox',
  statements: ({ integer, bytes, id, clustered }) => [
    `CREATE TABLE links (
      hash ${bytes} PRIMARY KEY, kind TEXT NOT NULL, email TEXT, data TEXT NOT NULL,
      created_at ${integer} NOT NULL, ends_at ${integer} NOT NULL)`,
    `ALTER TABLE sessions ADD COLUMN device TEXT`,
    // Looked up by prefix of `word`: the address, the name, and the name from each later part on.
    `CREATE TABLE correspondents (
      inbox ${integer} NOT NULL REFERENCES inboxes, word ${id} NOT NULL, address ${id} NOT NULL, name TEXT,
      PRIMARY KEY (inbox, word, address)) ${clustered}`,
    `INSERT INTO correspondents (inbox, word, address, name)
      SELECT inbox, lower(sender_address), lower(sender_address), max(sender_name) FROM threads
      WHERE sender_address <> '' GROUP BY inbox, lower(sender_address)`,
    `INSERT INTO correspondents (inbox, word, address, name)
      SELECT inbox, lower(sender_name), lower(sender_address), max(sender_name) FROM threads
      WHERE sender_address <> '' AND sender_name <> '' AND lower(sender_name) <> lower(sender_address)
      GROUP BY inbox, lower(sender_name), lower(sender_address)`,
  ],
}
