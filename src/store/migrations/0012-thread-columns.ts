import type { Migration } from './migration.ts'

/**
 * Subject, sender and preview become columns again. The JSON that lists are built from moves to its own table, where a
 * database page holds more of it.
 */
export const threadColumns: Migration = {
  name: '0012-thread-columns',
  statements: ({ integer, jsonMember, textMember }) => {
    const whole = `'{' || summary || '}'`
    const members = (names: string[]): string =>
      names.map((name) => `'"${name}":' || ${jsonMember(whole, name)}`).join(` || ',' || `)
    return [
      `CREATE TABLE thread_summaries (
        thread ${integer} PRIMARY KEY REFERENCES threads, subject TEXT NOT NULL, sender_name TEXT NOT NULL,
        sender_address TEXT NOT NULL, state TEXT NOT NULL, preview TEXT NOT NULL, rest TEXT NOT NULL)`,
      `INSERT INTO thread_summaries
        SELECT number, ${jsonMember(whole, 'subject')}, ${jsonMember(whole, 'sender', 'name')},
          ${jsonMember(whole, 'sender', 'address')}, ${members(['timestamp', 'status', 'assignment'])}, ${jsonMember(whole, 'preview')},
          ${members(['messageCount', 'noteCount', 'attachmentCount', 'draftCount', 'snoozedUntil', 'createdAt', 'updatedAt', 'revision'])}
        FROM threads ORDER BY number`,
      `ALTER TABLE threads ADD COLUMN subject TEXT NOT NULL DEFAULT ''`,
      `ALTER TABLE threads ADD COLUMN sender_name TEXT`,
      `ALTER TABLE threads ADD COLUMN sender_address TEXT NOT NULL DEFAULT ''`,
      `ALTER TABLE threads ADD COLUMN preview TEXT NOT NULL DEFAULT ''`,
      `UPDATE threads SET
        subject = ${textMember(whole, 'subject')}, sender_name = ${textMember(whole, 'sender', 'name')},
        sender_address = ${textMember(whole, 'sender', 'address')}, preview = ${textMember(whole, 'preview')}`,
      `ALTER TABLE threads DROP COLUMN summary`,
    ]
  },
}
