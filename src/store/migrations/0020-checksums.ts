import type { Migration } from './migration.ts'

/** Checksums that show whether a message source is still as stored. Older sources get theirs when they are checked. */
export const checksums: Migration = {
  name: '0020-checksums',
  statements: ({ bytes }) => [`ALTER TABLE message_sources ADD COLUMN checksum ${bytes}`],
}
