import type { Db } from '../db.ts'
import { textQuery } from '../statement.ts'

/** A table of both databases, as SQLite's catalog describes it. */
export interface Table {
  name: string
  columns: { name: string; type: 'INTEGER' | 'TEXT' | 'BLOB' }[]
  /** The columns of its primary key, in order. */
  key: string[]
}

/**
 * Every table that holds data, each after those it references. Read from the catalog, so that no list has to be
 * maintained. The search index is left out: each database keeps it in its own form.
 */
export async function listTables(sqlite: Db): Promise<Table[]> {
  const isTable = `l.schema = 'main' AND l.type = 'table' AND l.name <> 'migrations' AND l.name NOT LIKE 'sqlite!_%' ESCAPE '!'`
  const columns = await sqlite.all(
    textQuery<{ table: string; name: string; type: Table['columns'][number]['type']; pk: number }>(
      `SELECT l.name AS "table", c.name, c.type, c.pk FROM pragma_table_list l JOIN pragma_table_info(l.name) c
       WHERE ${isTable} ORDER BY l.name, c.cid`,
    ),
  )
  const references = await sqlite.all(
    textQuery<{ child: string; parent: string }>(
      `SELECT l.name AS child, f."table" AS parent FROM pragma_table_list l JOIN pragma_foreign_key_list(l.name) f
       WHERE ${isTable}`,
    ),
  )
  const tables = Map.groupBy(columns, ({ table }) => table)
  const sorted = new Set<string>()
  const visit = (name: string): void => {
    if (sorted.has(name)) return
    for (const { child, parent } of references) if (child === name && parent !== name) visit(parent)
    sorted.add(name)
  }
  for (const name of tables.keys()) visit(name)
  return [...sorted].map((name) => {
    const own = tables.get(name)!
    const key = own.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    return {
      name,
      columns: own.map((column) => ({ name: column.name, type: column.type })),
      key: key.map((column) => column.name),
    }
  })
}
