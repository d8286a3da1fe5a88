import { beforeCommit } from '../database.ts'
import type { Tx } from '../db.ts'
import { textQuery, type Dialect } from '../statement.ts'

/** Prefix of the inbox number among the terms. No term contains it, because it is neither a letter nor a digit. */
const inboxMark = '\uE000'

const insertTerms = {
  sqlite: 'INSERT INTO message_search (rowid, words) VALUES (?, ?)',
  postgres: `INSERT INTO message_search (message, words)
    SELECT message, array_to_tsvector(string_to_array(terms, ' '))
    FROM unnest(CAST(? AS bigint[]), CAST(? AS text[])) AS added (message, terms)
    ON CONFLICT (message) DO UPDATE SET words = excluded.words`,
}

/** This index keeps no texts, so it has to be told what to take out. */
const removeTerms = `INSERT INTO message_search (message_search, rowid, words) VALUES ('delete', ?, ?)`

export interface NewTerms {
  message: number
  inbox: number
  terms: string
  /** Those it had. */
  before: string | null
}

const pending = new WeakMap<Tx, NewTerms[]>()

/**
 * Inserted together at the end of the transaction: otherwise FTS5 flushes an index segment whenever a statement opens a
 * savepoint, which nearly every one does, and the segments have to be merged later.
 */
export function addSearchTerms(
  db: Tx,
  message: number,
  inbox: number,
  terms: string,
  before: string | null = null,
): void {
  let rows = pending.get(db)
  if (!rows) {
    const added: NewTerms[] = (rows = [])
    pending.set(db, added)
    beforeCommit(db, 'search', () => writeSearchTerms(db, added))
  }
  rows.push({ message, inbox, terms, before })
}

/** At once, for those who write nothing else meanwhile. */
export async function writeSearchTerms(db: Tx, rows: readonly NewTerms[]): Promise<void> {
  const scoped = (inbox: number, terms: string): string => `${inboxMark}${inbox} ${terms}`
  if (db.dialect === 'postgres') {
    // One statement can write a row only once: the last counts.
    const newest = [...new Map(rows.map((row) => [row.message, row])).values()]
    const terms = newest.map((row) => scoped(row.inbox, row.terms))
    await db.run(textQuery(insertTerms.postgres, [newest.map(({ message }) => message), terms]))
    return
  }
  // In the order of the numbers: a smaller one after a larger one begins another segment.
  for (const { message, inbox, terms, before } of rows.toSorted((a, b) => a.message - b.message)) {
    if (before !== null) await db.run(textQuery(removeTerms, [message, scoped(inbox, before)]))
    await db.run(textQuery(insertTerms.sqlite, [message, scoped(inbox, terms)]))
  }
}

/** `:scopedMatch` and `:match` take a `matchExpression` with and without inboxes. */
export const searchSql = {
  sqlite: {
    /** A query of message numbers. */
    numbers: 'SELECT rowid AS number FROM message_search WHERE message_search MATCH :scopedMatch',
    /** A condition on one message `m`. */
    matches: 'EXISTS (SELECT 1 FROM message_search WHERE message_search MATCH :match AND rowid = m.number)',
  },
  postgres: {
    numbers: 'SELECT message AS number FROM message_search WHERE words @@ CAST(:scopedMatch AS tsquery)',
    matches:
      'EXISTS (SELECT 1 FROM message_search s WHERE s.words @@ CAST(:match AS tsquery) AND s.message = m.number)',
  },
}

/**
 * Matches a message that has all terms and, if given, is in one of the inboxes. Terms contain only letters and digits,
 * so nothing needs escaping.
 */
export function matchExpression(
  dialect: Dialect,
  terms: readonly string[],
  inboxes: readonly number[] = [],
): string {
  const [quote, and, or] = dialect === 'sqlite' ? ['"', ' AND ', ' OR '] : ["'", ' & ', ' | ']
  const quoted = (term: string): string => quote + term + quote
  const scope = inboxes.map((inbox) => quoted(inboxMark + inbox)).join(or)
  return `${scope === '' ? '' : `(${scope})${and}`}${terms.map(quoted).join(and)}`
}
