import type { Bulk } from '../bulk.ts'
import type { BoundStatement } from '../statement.ts'
import type { Tables } from '../tables.ts'

/** Write order: each table comes after those it references. All other tables reference none of these. */
const order: (keyof Tables)[] = [
  'threads',
  'thread_summaries',
  'thread_keys',
  'messages',
  'message_bodies',
  'message_sources',
  'attachments',
  'unread',
]
const rank = ({ table }: Bulk<never>): number => order.indexOf(table)
/** Enough to make a round trip worthwhile, little enough to hold in memory. */
const mostBytes = 4_000_000

/** Rows of a transaction that have not been sent to PostgreSQL yet. */
export class PendingRows {
  readonly #rows = new Map<Bulk<never>, Map<string | number, object>>()
  #bytes = 0

  /** Returns whether the rows should be flushed now. */
  add<Row extends object>(bulk: Bulk<Row>, row: Row): boolean {
    let rows = this.#rows.get(bulk as Bulk<never>)
    if (!rows) this.#rows.set(bulk as Bulk<never>, (rows = new Map()))
    rows.set(bulk.keyOf?.(row) ?? rows.size, row)
    for (const value of Object.values(row))
      this.#bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
    return this.#bytes > mostBytes
  }

  /** Whether a query may read any of the pending rows. */
  concerns(sql: string): boolean {
    for (const { table } of this.#rows.keys()) if (sql.includes(table)) return true
    return false
  }

  /** Returns the statements that write the pending rows, and clears them. */
  take(): BoundStatement<unknown>[] {
    const all = [...this.#rows].toSorted(([one], [other]) => rank(one) - rank(other))
    this.#rows.clear()
    this.#bytes = 0
    return all.map(([bulk, rows]) => bulk.many([...rows.values()] as never[]))
  }
}
