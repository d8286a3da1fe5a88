import type { Migration } from './migration.ts'

/** Keeps the cost of a list page proportional to the page on PostgreSQL too, for every status and assignee. */
export const listIndexes: Migration = {
  name: '0011-list-indexes',
  statements: (sql) => sql.listIndexes,
}
