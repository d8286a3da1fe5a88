import type { Migration } from './migration.ts'

/** By which the source of a message can be told to be as it was stored. Those stored before get theirs when checked. */
export const checksums: Migration = {
  name: '0020-checksums',
  statements: ({ bytes }) => [`ALTER TABLE message_sources ADD COLUMN checksum ${bytes}`],
}
