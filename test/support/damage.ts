import { randomBytes } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** Kinds of pages in a SQLite file, each as a condition on SQLite's `dbstat` table. None is read when a server starts. */
export const pageKinds = {
  'rows of a table': `name = 'message_bodies' AND pagetype = 'leaf'`,
  'the upper part of a table': `name = 'message_sources' AND pagetype = 'internal'`,
  'an index': `name = 'messages_of_thread' AND pagetype = 'leaf'`,
  'the rest of a large row': `name = 'message_sources' AND pagetype = 'overflow'`,
  'the index of words': `name = 'message_search_data' AND pagetype = 'leaf'`,
}
export type PageKind = keyof typeof pageKinds

/** Overwrites one page of each given kind, as a failing disk would. The store must not be open. */
export function damagePages(file: string, kinds: readonly PageKind[]): void {
  const sqlite = new Sqlite(file)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const size = sqlite.pragma('page_size', { simple: true }) as number
  const pages = kinds.map((kind) => {
    const page = sqlite.prepare(`SELECT pageno FROM dbstat WHERE ${pageKinds[kind]} LIMIT 1`).pluck().get()
    if (page === undefined) throw new Error(`The store has no page with ${kind}.`)
    return page as number
  })
  sqlite.close()
  const disk = openSync(file, 'r+')
  for (const page of pages) writeSync(disk, randomBytes(size), 0, size, (page - 1) * size)
  closeSync(disk)
}
