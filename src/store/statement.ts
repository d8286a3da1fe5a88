import type { Compilable, Kysely as KyselyType } from 'kysely'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from './kysely.ts'
import type { Tables } from './tables.ts'

export type Dialect = 'sqlite' | 'postgres'

/** Kysely only builds typed SQL here; it never runs any. */
export type Build = KyselyType<Tables>

export const build: Record<Dialect, Build> = {
  sqlite: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
}

export interface CompiledSql {
  sql: string
  parameters: readonly unknown[]
}

/** A compiled `statement()` with its arguments; `Row` is the type of its result rows. */
export interface BoundStatement<Row> {
  compile(dialect: Dialect): CompiledSql
  readonly row?: Row
}

export type Query<Row> = Compilable<Row> | BoundStatement<Row>

/** Placeholder for an argument in a compiled statement. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement compiled once per dialect and prepared there, so that Kysely's cost is paid once. The arguments passed to
 * `write` are placeholders: they can be bound but not read.
 */
export function statement<Arguments extends object, Row>(
  write: (build: Build, arguments_: Arguments) => Compilable<Row>,
): (arguments_: Arguments) => BoundStatement<Row> {
  const written: Partial<Record<Dialect, Written>> = {}
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Arguments
  return (arguments_) => ({
    compile(dialect) {
      const { sql, fill } = (written[dialect] ??= prepare(write(build[dialect], slots).compile()))
      return { sql, parameters: fill(arguments_ as Values) }
    },
  })
}

interface Written {
  sql: string
  fill(values: Values): unknown[]
}

function prepare({ sql, parameters }: CompiledSql): Written {
  const names = parameters.map((parameter) => (parameter instanceof Slot ? parameter.name : null))
  const fill = (values: Values): unknown[] => {
    const filled: unknown[] = []
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!
      filled.push(name === null ? parameters[i] : values[name])
    }
    return filled
  }
  return { sql, fill }
}

/** SQL text with a `?` per parameter: for queries whose shape depends on their input. */
export function textQuery<Row>(sql: string, parameters: readonly unknown[] = []): BoundStatement<Row> {
  return {
    compile(dialect) {
      if (dialect === 'sqlite') return { sql, parameters }
      let count = 0
      return { sql: sql.replace(/\?/g, () => `$${++count}`), parameters }
    },
  }
}

export type Values = Readonly<Record<string, unknown>>

/** SQL text with a `:name` per value: for queries in a few shapes, each written once. */
export function namedQuery<Row>(text: string): (values: Values) => BoundStatement<Row> {
  const names: string[] = []
  const sqlite = text.replace(/:([a-z]\w*)/g, (_, name: string) => {
    names.push(name)
    return '?'
  })
  let count = 0
  const sql = { sqlite, postgres: sqlite.replace(/\?/g, () => `$${++count}`) }
  return (values) => ({
    compile: (dialect) => ({ sql: sql[dialect], parameters: names.map((name) => values[name]) }),
  })
}

export function compileQuery(dialect: Dialect, query: Query<unknown>): CompiledSql {
  return query.compile(dialect as never)
}

/** Condition on a column, and the value for its placeholder: lists of any length share one statement. */
export function oneOf(
  dialect: Dialect,
  values: readonly number[] | readonly string[],
  type: 'bigint' | 'text' = 'bigint',
): { test: string; value: unknown } {
  return dialect === 'sqlite'
    ? { test: 'IN (SELECT value FROM json_each(?))', value: JSON.stringify(values) }
    : { test: `= ANY(CAST(? AS ${type}[]))`, value: values }
}
