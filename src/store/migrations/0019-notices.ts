import type { Migration } from './migration.ts'

/** Notices, each person's notice settings, the threads they follow or mute, and the browsers that receive pushes. */
export const notices: Migration = {
  name: '0019-notices',
  statements: ({ integer, id, clustered }) => [
    `ALTER TABLE messages ADD COLUMN auto_generated ${integer} NOT NULL DEFAULT 0`,
    `CREATE TABLE notices (
      id ${id} PRIMARY KEY, user_id ${id} NOT NULL REFERENCES users, about TEXT NOT NULL, kind TEXT NOT NULL,
      inbox ${integer}, thread ${integer}, data TEXT NOT NULL, count ${integer} NOT NULL,
      rung_at ${integer} NOT NULL, read_at ${integer}, on_page ${integer} NOT NULL, page_at ${integer},
      push_at ${integer}, pushed_at ${integer}, push_tries ${integer} NOT NULL,
      mail_at ${integer}, mailed_at ${integer}, mail_tries ${integer} NOT NULL)`,
    `CREATE UNIQUE INDEX notices_about ON notices (user_id, about)`,
    `CREATE INDEX notices_of_user ON notices (user_id, rung_at, id)`,
    `CREATE INDEX notices_of_thread ON notices (thread) WHERE thread IS NOT NULL`,
    `CREATE INDEX notices_by_age ON notices (rung_at)`,
    `CREATE INDEX notices_to_show ON notices (page_at) WHERE page_at IS NOT NULL`,
    `CREATE INDEX notices_to_push ON notices (push_at) WHERE push_at IS NOT NULL`,
    `CREATE INDEX notices_to_mail ON notices (mail_at) WHERE mail_at IS NOT NULL`,
    `CREATE TABLE notice_settings (
      user_id ${id} PRIMARY KEY REFERENCES users, settings TEXT, mailed_at ${integer}, mail_problem TEXT)`,
    `CREATE TABLE follows (
      thread ${integer} NOT NULL, user_id ${id} NOT NULL REFERENCES users, state TEXT NOT NULL,
      PRIMARY KEY (thread, user_id)) ${clustered}`,
    `CREATE TABLE push_browsers (
      id ${id} PRIMARY KEY, user_id ${id} NOT NULL REFERENCES users, session_id ${id} NOT NULL,
      endpoint TEXT NOT NULL UNIQUE, p256dh TEXT NOT NULL, auth TEXT NOT NULL, device TEXT,
      created_at ${integer} NOT NULL, last_used_at ${integer}, problem TEXT)`,
    `CREATE INDEX push_browsers_of_user ON push_browsers (user_id)`,
    // Events from before this migration cause no notices.
    `INSERT INTO settings (name, value) SELECT 'notices_position', CAST(last_seq AS TEXT) FROM log`,
  ],
}
