import { hash } from 'node:crypto'
import type { Spool } from '../../src/core/spool.ts'
import { textQuery } from '../../src/store/statement.ts'

/** SHA-256 of every stored source in an inbox, sorted. Shows what was received, byte for byte. */
export async function storedSources({ db }: Pick<Spool, 'db'>, inbox: number): Promise<string[]> {
  const sources: string[] = []
  for (let after = 0; ;) {
    const rows = await db.all(
      textQuery<{ number: number; source: Uint8Array }>(
        `SELECT number, source FROM messages JOIN message_sources ON message = number
          WHERE inbox = ? AND number > ? ORDER BY number LIMIT 500`,
        [inbox, after],
      ),
    )
    if (rows.length === 0) return sources.sort()
    sources.push(...rows.map(({ source }) => sum(source)))
    after = rows.at(-1)!.number
  }
}

export function sum(source: Uint8Array | string): string {
  return hash('sha256', Buffer.from(source), 'hex')
}

export async function countMessages({ db }: Pick<Spool, 'db'>, inbox: number): Promise<number> {
  const row = await db.first(
    textQuery<{ count: number }>('SELECT count(*) AS count FROM messages WHERE inbox = ?', [inbox]),
  )
  return row!.count
}
