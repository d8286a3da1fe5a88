import { beforeCommit } from '../database.ts'
import type { Db, Tx } from '../db.ts'
import { namedQuery, textQuery, type Dialect } from '../statement.ts'

/** Prefix of the inbox number among the terms. No term contains it, because it is neither a letter nor a digit. */
const inboxMark = '\uE000'

/** Each count up to this has its own prepared statement. */
const mostOnSqlite = 32
const insertTerms = {
  sqlite: Array.from(
    { length: mostOnSqlite + 1 },
    (_, count) =>
      `INSERT INTO message_search (rowid, words) VALUES ${Array(count).fill('(?, ?)').join(', ')}`,
  ),
  postgres: `INSERT INTO message_search (message, words)
    SELECT message, array_to_tsvector(string_to_array(terms, ' '))
    FROM unnest(CAST(? AS bigint[]), CAST(? AS text[])) AS added (message, terms)
    ON CONFLICT (message) DO UPDATE SET words = excluded.words`,
}

/** The index stores no texts, so a delete must name the terms to remove. */
const removeTerms = `INSERT INTO message_search (message_search, rowid, words) VALUES ('delete', ?, ?)`

export interface NewTerms {
  message: number
  inbox: number
  terms: string
  /** The terms indexed until now; null for a new message. */
  before: string | null
}

/** Indexing is slow: one statement with all words of a large batch could exceed the statement timeout. */
const mostAtOnce = 200

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

/** Writes the terms immediately, for transactions that write nothing else. */
export async function writeSearchTerms(db: Tx, rows: readonly NewTerms[]): Promise<void> {
  // Without terms a mail has only its inbox: PostgreSQL refuses the empty term that a space at the end would make.
  const scoped = (inbox: number, terms: string): string => `${inboxMark}${inbox} ${terms}`.trimEnd()
  if (db.dialect === 'postgres') {
    // One statement can write a row only once: the last terms win.
    const newest = [...new Map(rows.map((row) => [row.message, row])).values()]
    for (let at = 0; at < newest.length; at += mostAtOnce) {
      const some = newest.slice(at, at + mostAtOnce)
      const terms = some.map((row) => scoped(row.inbox, row.terms))
      await db.run(textQuery(insertTerms.postgres, [some.map(({ message }) => message), terms]))
    }
    return
  }
  // In ascending order: FTS5 begins another segment when a smaller number follows a larger one.
  const inOrder = rows.toSorted((a, b) => a.message - b.message)
  const together = inOrder.every(({ before }) => before === null) ? mostOnSqlite : 1
  for (let at = 0; at < inOrder.length; at += together) {
    const some = inOrder.slice(at, at + together)
    for (const { message, inbox, before } of some)
      if (before !== null) await db.queue(textQuery(removeTerms, [message, scoped(inbox, before)]))
    const values = some.flatMap(({ message, inbox, terms }) => [message, scoped(inbox, terms)])
    await db.queue(textQuery(insertTerms.sqlite[some.length]!, values))
  }
}

/** The criteria of a search. A single message must meet all of them. */
export interface MessageSearch {
  /** Words that the message must contain. */
  terms: readonly string[]
  /** Prefix of one more word that it must contain. */
  beginning: string | null
  /** Groups of words: the message must not contain all words of any group. */
  without: readonly (readonly string[])[]
  /** Time range: `since` is inclusive, `until` exclusive. */
  since: number | null
  until: number | null
  withFiles: boolean
  /** Criteria that no index can answer: tested on each remaining message. */
  test: MessageTest | null
}

export interface MessageTest {
  /** Which parts of the message the test needs. */
  reads: { text: boolean; files: boolean }
  passes(message: ReadMessage): boolean
}

export interface ReadMessage {
  number: number
  subject: string
  sender: string
  recipients: string
  text: string
  files: string[]
}

/** A query to the index. */
export interface IndexSearch {
  terms: readonly string[]
  /** The words that the prefix may stand for, or the prefix itself with `*`. */
  alternatives: readonly string[]
  without: readonly (readonly string[])[]
}

/** On SQLite, a prefix of up to this many words is looked up word by word. */
const mostAlternatives = 50

/** For few words, looking up each of them is faster than the index's own prefix search. Null: no word matches. */
export async function planIndexSearch(
  db: Db,
  { terms, beginning, without }: MessageSearch,
): Promise<IndexSearch | null> {
  if (beginning === null) return { terms, alternatives: [], without }
  if (db.dialect === 'postgres') return { terms, alternatives: [`${beginning}*`], without }
  const query = `SELECT term FROM message_words WHERE term >= ? AND term < ? LIMIT ${mostAlternatives + 1}`
  const rows = await db.all(textQuery<{ term: string }>(query, [beginning, `${beginning}\u{10ffff}`]))
  const words = rows.map(({ term }) => term)
  if (words.length === 0) return null
  return { terms, alternatives: words.length > mostAlternatives ? [`${beginning}*`] : words, without }
}

/**
 * Matches messages; with inboxes, only those in one of them. Words are letters and digits, so nothing needs escaping.
 */
export function matchExpression(
  dialect: Dialect,
  { terms, alternatives, without }: IndexSearch,
  inboxes: readonly number[] = [],
): string {
  const [and, or] = dialect === 'sqlite' ? [' AND ', ' OR '] : [' & ', ' | ']
  const any = (words: readonly string[]): string =>
    words.length === 0 ? '' : `(${words.map((word) => quote(dialect, word)).join(or)})`
  const all = (words: readonly string[]): string => words.map((word) => quote(dialect, word)).join(and)
  const wanted = [any(inboxes.map((inbox) => inboxMark + inbox)), any(alternatives), all(terms)]
  const left = without.map((words) => `(${all(words)})`).join(or)
  const positive = wanted.filter((part) => part !== '').join(and)
  if (left === '') return positive
  if (dialect === 'sqlite') return `(${positive}) NOT (${left})`
  return positive === '' ? `!(${left})` : `${positive} & !(${left})`
}

function quote(dialect: Dialect, word: string): string {
  const [bare, prefix] = word.endsWith('*') ? [word.slice(0, -1), true] : [word, false]
  if (dialect === 'sqlite') return prefix ? `"${bare}"*` : `"${bare}"`
  return prefix ? `'${bare}':*` : `'${bare}'`
}

/** Selects the numbers of all matching messages. */
export const matchingNumbers = {
  sqlite: 'SELECT rowid AS number FROM message_search WHERE message_search MATCH :match',
  // For a subquery PostgreSQL expects few rows and uses the index, whatever its statistics say about the words. That is
  // right: common words are found by walking threads before all matches are queried.
  postgres: 'SELECT message AS number FROM message_search WHERE words @@ (SELECT CAST(:match AS tsquery))',
}

/**
 * Joined with messages `m` on PostgreSQL, keeps those that match. As a separate subquery it runs for each message by
 * its number, whatever the statistics say about the words.
 */
export const joinMatching = `CROSS JOIN LATERAL (SELECT 1 FROM message_search s
  WHERE s.message = m.number AND s.words @@ CAST(:match AS tsquery) OFFSET 0) AS found`

const matchingInRanges = namedQuery<{ number: number }>(
  `SELECT s.rowid AS number FROM json_each(:ranges) r CROSS JOIN message_search s
   WHERE s.message_search MATCH :match AND s.rowid BETWEEN r.value ->> 0 AND r.value ->> 1`,
)

/** For a prefix SQLite first merges the messages of all its words, so it is queried once, whatever the ranges. */
const matchingOfPrefix = namedQuery<{ number: number }>(
  `SELECT rowid AS number FROM message_search
   WHERE message_search MATCH :match AND +rowid IN (SELECT value FROM json_each(:numbers))`,
)

/**
 * SQLite only: those of the messages that match. For several words SQLite searches the whole index for the first
 * message with all of them, even within a range: for words that never occur together it would read all of the index. So
 * each word is queried separately.
 */
export async function matchesAmong(
  db: Db,
  { terms, alternatives, without }: IndexSearch,
  numbers: readonly number[],
): Promise<number[]> {
  const nothing: IndexSearch = { terms: [], alternatives: [], without: [] }
  let left = [...numbers]
  for (const term of terms) left = await askAmong(db, { ...nothing, terms: [term] }, left)
  if (alternatives.length > 0) left = await askAmong(db, { ...nothing, alternatives }, left)
  for (const words of without) {
    const bad = new Set(await matchesAmong(db, { ...nothing, terms: words }, left))
    left = left.filter((number) => !bad.has(number))
  }
  return left
}

async function askAmong(db: Db, search: IndexSearch, numbers: readonly number[]): Promise<number[]> {
  const match = matchExpression('sqlite', search)
  const isPrefix = search.alternatives.some((word) => word.endsWith('*'))
  const query = isPrefix
    ? matchingOfPrefix({ match, numbers: JSON.stringify(numbers) })
    : matchingInRanges({ match, ranges: JSON.stringify(rangesOf(numbers)) })
  const rows = await db.all(query)
  const matching = new Set(rows.map(({ number }) => number))
  return numbers.filter((number) => matching.has(number))
}

/** Looking up a word again takes SQLite as long as reading past this many messages. */
const nearby = 300

function rangesOf(numbers: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && number - last[1] <= nearby) last[1] = number
    else ranges.push([number, number])
  }
  return ranges
}
