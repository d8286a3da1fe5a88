import type { Migration } from './migration.ts'

/** The words of the search index, to look up those with a given prefix; and saved searches. */
export const search: Migration = {
  name: '0018-search',
  statements: ({ integer, id, searchWords }) => [
    ...searchWords,
    `CREATE TABLE saved_views (
      id ${id} PRIMARY KEY, user_id ${id} NOT NULL REFERENCES users, name TEXT NOT NULL, search TEXT NOT NULL,
      created_at ${integer} NOT NULL)`,
    `CREATE INDEX saved_views_of_user ON saved_views (user_id, created_at, id)`,
  ],
}
