import type { Migration } from './migration.ts'

/** What only the summary tells stood beside it a second time: without, a page of the file holds more threads. */
export const slimThreads: Migration = {
  name: '0010-slim-threads',
  statements: () =>
    ['subject', 'sender_name', 'sender_address', 'preview'].map(
      (column) => `ALTER TABLE threads DROP COLUMN ${column}`,
    ),
}
