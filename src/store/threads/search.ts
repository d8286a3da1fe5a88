import { beforeCommit } from '../database.ts'
import type { Tx } from '../db.ts'
import { textQuery, type Dialect } from '../statement.ts'

/** Stands before an inbox's number among the words; no text contains it, because it is neither letter nor digit. */
const inboxMark = '\uE000'

const insertTerms = {
  sqlite: 'INSERT INTO message_search (rowid, words) VALUES (?, ?)',
  postgres: `INSERT INTO message_search (message, words) VALUES (?, array_to_tsvector(string_to_array(?, ' ')))`,
}

const pending = new WeakMap<Tx, { message: number; terms: string }[]>()

/**
 * Written at the end of the transaction, all together: FTS5 otherwise makes a piece of its index of what it has so far
 * whenever another statement opens a savepoint, which is with nearly every one, and each piece has to be merged later.
 */
export function addSearchTerms(db: Tx, message: number, inbox: number, terms: string): void {
  let rows = pending.get(db)
  if (!rows) {
    const added: { message: number; terms: string }[] = (rows = [])
    pending.set(db, added)
    beforeCommit(db, 'search', async () => {
      for (const { message, terms } of added)
        await db.run(textQuery(insertTerms[db.dialect], [message, terms]))
    })
  }
  rows.push({ message, terms: `${inboxMark}${inbox} ${terms}` })
}

/** With `:scopedMatch` and `:match` for what `matchExpression` gives with inboxes and without. */
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

/** All words must stand in one message, of one of the inboxes where they are named. `terms` hold only letters and digits, so nothing is syntax. */
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
