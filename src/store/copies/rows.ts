import type { Db, Tx } from '../db.ts'
import { textQuery, type Dialect } from '../statement.ts'
import type { Table } from './tables.ts'

export type Value = string | number | null | Uint8Array
export type Row = Record<string, Value>
type Key = Value[]

const quote = (name: string): string => `"${name}"`

const mostRows = 500
/** A batch is held in memory, so it ends with the row that exceeds this. */
const mostBytes = 4_000_000

/** Reads the table in key order, from the beginning or after a given key: each time the rows after `after` up to `last`. */
export async function* readBatches(db: Db, table: Table, begin: Key | null = null) {
  const { name, columns, key } = table
  const order = keyOrder(db.dialect, table)
  const sizes = columns.flatMap(({ name, type }) =>
    type === 'INTEGER' ? [] : `coalesce(octet_length(${quote(name)}), 0)`,
  )
  for (let after = begin; ;) {
    // Sizes first: five hundred sources could take anything from a megabyte to more than the available memory.
    const next: Row[] = await db.all(
      textQuery<Row>(
        `SELECT ${key.map(quote).join(', ')}, ${sizes.join(' + ') || '0'} AS bytes_of_row FROM ${quote(name)}
         ${after ? `WHERE (${order}) > (${after.map(() => '?').join(', ')})` : ''} ORDER BY ${order} LIMIT ${mostRows}`,
        after ?? [],
      ),
    )
    let bytes = 0
    const end = next.find((row) => (bytes += Number(row['bytes_of_row'])) > mostBytes) ?? next.at(-1)
    if (!end) return
    const last: Key = key.map((column) => end[column]!)
    yield { after, last, rows: await readRange(db, table, after, last) }
    after = last
  }
}

/** Rows after one key up to another, inclusive; without the second, to the end. */
export async function readRange(
  db: Db,
  table: Table,
  after: Key | null,
  last: Key | null,
  limit: number | null = null,
): Promise<Row[]> {
  const { name, columns } = table
  const order = keyOrder(db.dialect, table)
  const bound = (sign: string, key: Key | null): string[] =>
    key ? [`(${order}) ${sign} (${key.map(() => '?').join(', ')})`] : []
  const within = [...bound('>', after), ...bound('<=', last)].join(' AND ')
  return db.all(
    textQuery<Row>(
      `SELECT ${columns.map((column) => quote(column.name)).join(', ')} FROM ${quote(name)}
       ${within && `WHERE ${within}`} ORDER BY ${order} ${limit === null ? '' : `LIMIT ${limit}`}`,
      [...(after ?? []), ...(last ?? [])],
    ),
  )
}

/** SQLite compares text byte by byte; PostgreSQL uses a language's collation unless told otherwise. */
function keyOrder(dialect: Dialect, { key, columns }: Table): string {
  const isText = (column: string): boolean => columns.find(({ name }) => name === column)!.type === 'TEXT'
  return key
    .map((column) => quote(column) + (dialect === 'postgres' && isText(column) ? ' COLLATE "C"' : ''))
    .join(', ')
}

const arrays = { INTEGER: 'bigint[]', TEXT: 'text[]', BLOB: 'bytea[]' }

export async function insertRows(db: Tx, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const names = columns.map((column) => column.name)
  const into = `INSERT INTO ${quote(name)} (${names.map(quote).join(', ')})`
  if (db.dialect === 'postgres') {
    const values = columns.map(({ type }) => `CAST(? AS ${arrays[type]})`).join(', ')
    const parameters = names.map((column) => rows.map((row) => row[column]))
    await db.run(textQuery(`${into} OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${values})`, parameters))
    return
  }
  const insert = `${into} VALUES (${names.map(() => '?').join(', ')})`
  for (const row of rows) {
    const values = names.map((column) => row[column])
    await db.run(textQuery(insert, values))
  }
}

/** Tables and columns depend on them. */
export async function haveSameMigrations(one: Db, other: Db): Promise<boolean> {
  const names = textQuery<{ name: string }>('SELECT name FROM migrations')
  const [a, b] = [await one.all(names), await other.all(names)]
  const known = new Set(b.map(({ name }) => name))
  return a.length === b.length && a.every(({ name }) => known.has(name))
}

/** Whether the store was never set up: opening it writes a few rows that do not count. */
export async function isUnused(db: Db): Promise<boolean> {
  const used = textQuery('SELECT 1 AS used FROM inboxes UNION ALL SELECT 1 FROM users LIMIT 1')
  return (await db.first(used)) === undefined
}

/** For a store that contains nothing but what its migrations wrote. */
export async function emptyTables(db: Tx, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables.toReversed()) await db.run(textQuery(`DELETE FROM ${quote(name)}`))
}

/** Makes PostgreSQL's sequences continue after the largest copied number. SQLite does that by itself. */
export async function continueNumbers(db: Tx): Promise<void> {
  if (db.dialect === 'sqlite') return
  const counted = await db.all(
    textQuery<{ table: string; column: string }>(
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
       WHERE table_schema = current_schema() AND is_identity = 'YES'`,
    ),
  )
  for (const { table, column } of counted)
    await db.all(
      textQuery(
        `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), max(${quote(column)})) FROM ${quote(table)} HAVING count(*) > 0`,
      ),
    )
}

/** Describes where a table differs; null: identical to the last row and byte. Also counts the rows. */
export async function compareTable(from: Db, to: Db, table: Table) {
  let rows = 0
  let end: Key | null = null
  for await (const { after, last, rows: expected } of readBatches(from, table)) {
    const found = await readRange(to, table, after, last)
    const odd = expected.find((row, at) => !found[at] || !isSame(row, found[at], table))
    if (odd || found.length !== expected.length) {
      const key = table.key.map((column) => spell((odd ?? found.at(-1)!)[column]!)).join(', ')
      return { rows, difference: `the row ${key} of ${table.name}` }
    }
    rows += expected.length
    end = last
  }
  const [extra] = await readRange(to, table, end, null, 1)
  return { rows, difference: extra ? `a row too many in ${table.name}` : null }
}

function isSame(one: Row, other: Row, { columns }: Table): boolean {
  return columns.every(({ name }) => {
    const [a, b] = [one[name], other[name]]
    return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b
  })
}

const spell = (value: Value): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
