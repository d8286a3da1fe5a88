import type { Migration } from './migration.ts'

/** So that a page costs the page on PostgreSQL, too, by whichever status and assignee. */
export const listIndexes: Migration = {
  name: '0011-list-indexes',
  statements: (sql) => sql.listIndexes,
}
