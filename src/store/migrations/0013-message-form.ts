import type { Migration } from './migration.ts'

/** Links are kept with the message, and each message says by which rules its texts were made. */
export const messageForm: Migration = {
  name: '0013-message-form',
  statements: ({ integer }) => [
    `ALTER TABLE message_bodies ADD COLUMN links TEXT`,
    `ALTER TABLE messages ADD COLUMN form ${integer} NOT NULL DEFAULT 0`,
    `CREATE INDEX messages_by_form ON messages (form, number)`,
  ],
}
