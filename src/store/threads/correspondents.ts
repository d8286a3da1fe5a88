import type { Address } from '../../model/mail/mail.ts'
import type { Db, Tx } from '../db.ts'
import { bulkInsert } from '../bulk.ts'
import { textQuery } from '../statement.ts'

/** Correspondents already stored in this transaction: a mailbox names the same people many times. */
const written = new WeakMap<Tx, Set<string>>()

const insert = bulkInsert(
  'correspondents',
  { inbox: 'bigint', word: 'text', address: 'text', name: 'text' },
  {
    clause: `ON CONFLICT (inbox, word, address) DO UPDATE SET name = excluded.name
      WHERE excluded.name IS NOT NULL AND correspondents.name IS DISTINCT FROM excluded.name`,
    key: ['inbox', 'word', 'address'],
  },
)

/** People are found by prefix of `keys`. The newest name wins; an unchanged row is not rewritten. */
export async function rememberCorrespondent(
  db: Tx,
  inbox: number,
  { address, name }: Address,
  keys: readonly string[],
): Promise<void> {
  let known = written.get(db)
  if (!known) written.set(db, (known = new Set()))
  const person = `${inbox} ${address}`
  const key = `${person} ${name}`
  // PostgreSQL writes only the last of the rows with one key, so one without a name would hide the name.
  if (known.has(key) || (name === null && known.has(person))) return
  known.add(key)
  if (name !== null) known.add(person)
  for (const word of keys) await db.add(insert, { inbox, word, address, name })
}

/** At most `limit` per inbox, in key order: one index range each. */
export async function findCorrespondents(
  db: Db,
  inboxes: readonly number[],
  beginning: string,
  limit: number,
): Promise<Address[]> {
  if (inboxes.length === 0) return []
  const end = `${beginning}\u{10ffff}`
  const range = `SELECT * FROM (SELECT word, address, name FROM correspondents WHERE inbox = ? AND word >= ? AND word < ? ORDER BY word, address LIMIT ${limit}) AS part`
  const found: (Address & { word: string })[] = []
  // SQLite allows at most 500 selects in one compound statement.
  for (let at = 0; at < inboxes.length; at += 200) {
    const some = inboxes.slice(at, at + 200)
    found.push(
      ...(await db.all(
        textQuery<Address & { word: string }>(
          some.map(() => range).join(' UNION ALL '),
          some.flatMap((inbox) => [inbox, beginning, end]),
        ),
      )),
    )
  }
  return found
    .sort((one, other) => (one.word < other.word ? -1 : one.word > other.word ? 1 : 0))
    .map(({ address, name }) => ({ address, name }))
}
