import type { Migration } from './migration.ts'

/** Drops columns that the summary duplicates: a database page then holds more threads. */
export const slimThreads: Migration = {
  name: '0010-slim-threads',
  statements: () =>
    ['subject', 'sender_name', 'sender_address', 'preview'].map(
      (column) => `ALTER TABLE threads DROP COLUMN ${column}`,
    ),
}
