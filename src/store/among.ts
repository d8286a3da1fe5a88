import type { Db } from './db.ts'
import { textQuery } from './statement.ts'

/** On SQLite each count up to this has its own prepared statement. */
const mostAtOnce = 32
const lists = Array.from({ length: mostAtOnce + 1 }, (_, count) => Array(count).fill('?').join(', '))

/** Rows of an inbox whose column is one of the values; `select` ends with the column's name. */
export async function selectAmong<Row>(
  db: Db,
  select: string,
  inbox: number,
  values: readonly Uint8Array[],
): Promise<Row[]> {
  if (db.dialect === 'postgres')
    return db.all(textQuery<Row>(`${select} = ANY(CAST(? AS bytea[]))`, [inbox, values]))
  const rows: Row[] = []
  for (let at = 0; at < values.length; at += mostAtOnce) {
    const some = values.slice(at, at + mostAtOnce)
    rows.push(...(await db.all(textQuery<Row>(`${select} IN (${lists[some.length]})`, [inbox, ...some]))))
  }
  return rows
}
