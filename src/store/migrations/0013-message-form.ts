import type { Migration } from './migration.ts'

/** Stores links with the message, and in each message the version of the rules that its texts were derived by. */
export const messageForm: Migration = {
  name: '0013-message-form',
  statements: ({ integer }) => [
    `ALTER TABLE message_bodies ADD COLUMN links TEXT`,
    `ALTER TABLE messages ADD COLUMN form ${integer} NOT NULL DEFAULT 0`,
    `CREATE INDEX messages_by_form ON messages (form, number)`,
  ],
}
