import { SpoolError, StoreUnavailable } from '../../model/errors.ts'
import {
  compareTable,
  continueNumbers,
  emptyTables,
  haveSameMigrations,
  insertRows,
  readBatches,
} from '../../store/copies/rows.ts'
import { listTables } from '../../store/copies/tables.ts'
import type { Db, Tx } from '../../store/db.ts'
import { writeSearchTerms } from '../../store/threads/search.ts'
import { listTextsToIndex } from '../../store/threads/message-words.ts'
import { termsOf } from '../forms/forms.ts'

export interface Copied {
  messages: number
  /** Rows of all tables. */
  rows: number
}

/** Called after each batch with the number of rows so far. */
export type Progress = (doing: 'copied' | 'indexed' | 'compared', rows: number) => void

/** Where rows are written: all in one transaction, or each batch in its own. */
export interface CopyTarget {
  db: Db
  write(work: (db: Tx) => Promise<void>): Promise<void>
}

/**
 * Copies every row of one store into another that has only its tables, on the same or the other kind of database; one
 * of the two is SQLite. Finally compares every row, sources included, and throws if one differs.
 */
export async function copyStore(from: Db, to: CopyTarget, progress: Progress): Promise<Copied> {
  if (!(await haveSameMigrations(from, to.db)))
    throw new SpoolError(
      'conflict',
      'The store and the database it is copied to are of different versions of Spool. Run "spool serve" of this version on the store once, or name a database that is empty.',
    )
  const tables = await listTables(from.dialect === 'sqlite' ? from : to.db)
  await to.write((db) => emptyTables(db, tables))
  let rows = 0
  for (const table of tables)
    for await (const batch of readBatches(from, table)) {
      await to.write((db) => insertRows(db, table, batch.rows))
      progress('copied', (rows += batch.rows.length))
    }
  const hasForms = tables.some(
    ({ name, columns }) => name === 'messages' && columns.some(({ name }) => name === 'form'),
  )
  const messages = await indexWords(from, to, hasForms, progress)
  await to.write(continueNumbers)
  let compared = 0
  for (const table of tables) {
    const { rows: same, difference } = await compareTable(from, to.db, table)
    if (difference !== null)
      throw new StoreUnavailable(
        `The copy differs from the store in ${difference}, so it does not count. Run it again; if it differs again, a disk may be failing.`,
      )
    progress('compared', (compared += same))
  }
  return { messages, rows: compared }
}

/** Each database has its own search index format, so the index is rebuilt from the texts. */
async function indexWords(from: Db, to: CopyTarget, hasForms: boolean, progress: Progress): Promise<number> {
  let indexed = 0
  for (let after = 0; ;) {
    const messages = await listTextsToIndex(from, { after, limit: 100, hasForms })
    const last = messages.at(-1)
    if (!last) return indexed
    const rows = messages.map((row) => ({
      message: row.number,
      inbox: row.inbox,
      terms: termsOf(row),
      before: null,
    }))
    await to.write((db) => writeSearchTerms(db, rows))
    after = last.number
    progress('indexed', (indexed += messages.length))
  }
}
