import type { ThreadRow } from '../../../src/model/work.ts'

/** A stretch of the list. Only those near what is looked at have their rows in memory. */
export interface Stretch {
  /** What it was asked for with; null for the first. */
  cursor: string | null
  /** Null when they were let go; `count` still says how many. */
  rows: ThreadRow[] | null
  count: number
  /** The last row when it was loaded: where the next stretch begins. */
  end: { id: string; timestamp: string } | null
}

export function makeStretch(cursor: string | null, rows: ThreadRow[]): Stretch {
  const last = rows.at(-1)
  return { cursor, rows, count: rows.length, end: last ? { id: last.id, timestamp: last.timestamp } : null }
}

export function totalOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { count }) => sum + count, 0)
}

/** The stretch in which a position lies, and where it begins. */
export function stretchAt(
  stretches: readonly Stretch[],
  position: number,
): { index: number; start: number } | null {
  let start = 0
  for (const [index, { count }] of stretches.entries()) {
    if (position < start + count) return { index, start }
    start += count
  }
  return null
}

/** What lies between two positions; null for rows that are not in memory. */
export function rowsBetween(stretches: readonly Stretch[], from: number, to: number): (ThreadRow | null)[] {
  const rows: (ThreadRow | null)[] = []
  let start = 0
  for (const stretch of stretches) {
    if (start >= to) break
    for (let at = Math.max(from, start); at < Math.min(to, start + stretch.count); at++)
      rows.push(stretch.rows?.[at - start] ?? null)
    start += stretch.count
  }
  return rows
}

export function positionOf(stretches: readonly Stretch[], id: string): number {
  let start = 0
  for (const { rows, count } of stretches) {
    const at = rows?.findIndex((row) => row.id === id) ?? -1
    if (at >= 0) return start + at
    start += count
  }
  return -1
}

/** Each row changed by `change`, or left out where it says null. */
export function mapRows(
  stretches: readonly Stretch[],
  change: (row: ThreadRow) => ThreadRow | null,
): Stretch[] {
  return stretches.map((stretch) => {
    if (stretch.rows === null) return stretch
    let same = true
    const rows = stretch.rows.flatMap((row) => {
      const now = change(row)
      if (now !== row) same = false
      return now === null ? [] : [now]
    })
    return same ? stretch : { ...stretch, rows, count: rows.length }
  })
}

/** Rows fetched again end where the next stretch begins: mail that came meanwhile makes no row stand twice. */
export function cutAtEnd(rows: ThreadRow[], end: Stretch['end']): { rows: ThreadRow[]; met: boolean } {
  if (end === null) return { rows, met: true }
  const same = rows.findIndex(({ id, timestamp }) => id === end.id && timestamp === end.timestamp)
  if (same >= 0) return { rows: rows.slice(0, same + 1), met: true }
  const older = rows.findIndex(({ timestamp }) => timestamp < end.timestamp)
  return older >= 0 ? { rows: rows.slice(0, older), met: true } : { rows, met: false }
}

/** Only stretches within `keep` of the one looked at stay in memory, and those with a row that is selected. */
export function letGo(
  stretches: readonly Stretch[],
  around: number,
  keep: number,
  selected: ReadonlySet<string>,
): Stretch[] {
  return stretches.map((stretch, index) =>
    stretch.rows !== null &&
    index > 0 &&
    Math.abs(index - around) > keep &&
    !stretch.rows.some(({ id }) => selected.has(id))
      ? { ...stretch, rows: null }
      : stretch,
  )
}
