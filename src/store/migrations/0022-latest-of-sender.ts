import type { Migration } from './migration.ts'

/** Finds the latest threads that a sender began in an inbox without a sort. */
export const latestOfSender: Migration = {
  name: '0022-latest-of-sender',
  statements: () => [
    `DROP INDEX threads_by_sender`,
    `CREATE INDEX threads_by_sender ON threads (
      lower(substr(sender_address, length(rtrim(sender_address, replace(sender_address, '@', ''))) + 1)),
      lower(sender_address), inbox, number)`,
  ],
}
