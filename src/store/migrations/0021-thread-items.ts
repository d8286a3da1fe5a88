import type { Migration } from './migration.ts'

/** The JSON of a thread in lists becomes one text, which is cheaper to join than seven. */
export const threadItems: Migration = {
  name: '0021-thread-items',
  statements: ({ integer }) => [
    `ALTER TABLE thread_summaries RENAME TO thread_pieces`,
    `CREATE TABLE thread_summaries (thread ${integer} PRIMARY KEY REFERENCES threads, item TEXT NOT NULL)`,
    `INSERT INTO thread_summaries
      SELECT s.thread, concat('{"id":"', t.id, '","subject":', s.subject, ',"sender":{"name":', s.sender_name,
        ',"address":', s.sender_address, '},', s.state, ',"preview":', s.preview, ',', s.rest)
      FROM thread_pieces s JOIN threads t ON t.number = s.thread ORDER BY s.thread`,
    `DROP TABLE thread_pieces`,
  ],
}
