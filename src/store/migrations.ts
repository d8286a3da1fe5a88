import { first } from './migrations/0001-first.ts'
import { mailServers } from './migrations/0002-mail-servers.ts'
import { mailSync } from './migrations/0003-mail-sync.ts'
import { drafts } from './migrations/0004-drafts.ts'
import { webhooks } from './migrations/0005-webhooks.ts'
import { attachmentPieces } from './migrations/0007-attachment-pieces.ts'
import { webInbox } from './migrations/0008-web-inbox.ts'
import { settings } from './migrations/0009-settings.ts'
import { slimThreads } from './migrations/0010-slim-threads.ts'
import type { Migration, Words } from './migrations/migration.ts'
import type { Dialect } from './statement.ts'

export const migrations: Migration[] = [
  first,
  mailServers,
  mailSync,
  drafts,
  webhooks,
  attachmentPieces,
  webInbox,
  settings,
  slimThreads,
]

export const words: Record<Dialect, Words> = {
  sqlite: {
    number: 'INTEGER PRIMARY KEY',
    integer: 'INTEGER',
    bytes: 'BLOB',
    id: 'TEXT',
    clustered: 'WITHOUT ROWID',
    searchTable: [
      // Spool splits and folds the words itself; `ascii` keeps every other character inside a word.
      `CREATE VIRTUAL TABLE message_search USING fts5(words, content='', detail=none, tokenize='ascii')`,
    ],
  },
  postgres: {
    number: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    integer: 'BIGINT',
    bytes: 'BYTEA',
    id: 'TEXT COLLATE "C"',
    clustered: '',
    searchTable: [
      `CREATE TABLE message_search (message BIGINT PRIMARY KEY REFERENCES messages, words TSVECTOR NOT NULL)`,
      `CREATE INDEX message_search_words ON message_search USING gin (words)`,
    ],
  },
}
