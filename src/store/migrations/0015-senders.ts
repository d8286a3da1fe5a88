import type { Migration } from './migration.ts'

/** Finds threads by the domain or address of the sender who started them, across all inboxes. */
export const senders: Migration = {
  name: '0015-senders',
  statements: () => [
    `CREATE INDEX threads_by_sender ON threads (
      lower(substr(sender_address, length(rtrim(sender_address, replace(sender_address, '@', ''))) + 1)),
      lower(sender_address))`,
    `CREATE INDEX threads_to_export ON threads (inbox, updated_at, id)`,
    `DROP INDEX threads_by_change`,
  ],
}
