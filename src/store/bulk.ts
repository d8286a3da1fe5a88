import type { Insertable } from 'kysely'
import type { BoundStatement } from './statement.ts'
import { textQuery } from './statement.ts'
import type { Tables } from './tables.ts'

type ColumnType = 'bigint' | 'text' | 'bytea'

/**
 * A write that a batch of mail repeats many times. SQLite runs it row by row, which costs next to nothing; for
 * PostgreSQL the rows are collected into one statement, because every statement there is a round trip to the server.
 */
export interface Bulk<Row> {
  table: keyof Tables
  /** One row. */
  one(row: Row): BoundStatement<unknown>
  /** Many rows, as one array per column. */
  many(rows: readonly Row[]): BoundStatement<unknown>
  /** Of several rows with the same key, only the last is written; null: all rows are written. */
  keyOf: ((row: Row) => string) | null
}

type Columns<Row> = Readonly<Record<keyof Row & string, ColumnType>>
type NewRow<Name extends keyof Tables> = Required<Insertable<Tables[Name]>>

/** `conflict`: an `ON CONFLICT` clause, and its conflict columns if it updates. */
export function bulkInsert<Name extends keyof Tables>(
  table: Name,
  columns: Columns<NewRow<Name>>,
  conflict: { clause: string; key?: readonly (keyof NewRow<Name> & string)[] } = { clause: '' },
): Bulk<NewRow<Name>> {
  const names = Object.keys(columns) as (keyof NewRow<Name> & string)[]
  const into = `INSERT INTO ${table} (${names.join(', ')})`
  return define<NewRow<Name>>(table, columns, conflict.key ?? null, {
    one: `${into} VALUES (${names.map(() => '?').join(', ')}) ${conflict.clause}`,
    many: `${into} OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${arraysOf(columns)}) ${conflict.clause}`,
    order: names,
  })
}

/** Updates all `columns` except the first, which is the key. */
export function bulkUpdate<Name extends keyof Tables, Row extends object>(
  table: Name,
  columns: Columns<Row>,
): Bulk<Row> {
  const [key, ...changed] = Object.keys(columns) as (keyof Row & string)[]
  const set = (value: (name: string) => string): string =>
    changed.map((name) => `${name} = ${value(name)}`).join(', ')
  return define(table, columns, [key!], {
    one: `UPDATE ${table} SET ${set(() => '?')} WHERE ${key} = ?`,
    many: `UPDATE ${table} SET ${set((name) => `changed.${name}`)}
      FROM unnest(${arraysOf(columns)}) AS changed (${[key, ...changed].join(', ')}) WHERE ${table}.${key} = changed.${key}`,
    order: [...changed, key!],
  })
}

const arraysOf = (columns: object): string =>
  Object.values(columns)
    .map((type) => `CAST(? AS ${type}[])`)
    .join(', ')

function define<Row extends object>(
  table: keyof Tables,
  columns: Columns<Row>,
  key: readonly (keyof Row & string)[] | null,
  sql: { one: string; many: string; order: readonly (keyof Row & string)[] },
): Bulk<Row> {
  const names = Object.keys(columns) as (keyof Row & string)[]
  return {
    table,
    one: (row) =>
      textQuery(
        sql.one,
        sql.order.map((name) => row[name]),
      ),
    many: (rows) =>
      textQuery(
        sql.many,
        names.map((name) => rows.map((row) => row[name])),
      ),
    keyOf: key && ((row) => key.map((name) => String(row[name])).join(' ')),
  }
}
