import type { ThreadRow } from '../../../src/model/work.ts'

/** A page of the list. Only pages near the visible rows keep their rows in memory. */
export interface ListPage {
  /** The cursor it was loaded with; null for the first. */
  cursor: string | null
  /** Null if dropped; `count` is still the number of rows. */
  rows: ThreadRow[] | null
  count: number
  /** The last row when it was loaded, where the next page begins. */
  end: { id: string; timestamp: string } | null
}

export function makePage(cursor: string | null, rows: ThreadRow[]): ListPage {
  const last = rows.at(-1)
  return { cursor, rows, count: rows.length, end: last ? { id: last.id, timestamp: last.timestamp } : null }
}

export function totalOf(pages: readonly ListPage[]): number {
  return pages.reduce((sum, { count }) => sum + count, 0)
}

/** The page that contains a position, and where the page starts. */
export function pageAt(
  pages: readonly ListPage[],
  position: number,
): { index: number; start: number } | null {
  let start = 0
  for (const [index, { count }] of pages.entries()) {
    if (position < start + count) return { index, start }
    start += count
  }
  return null
}

/** The rows between two positions; null for rows not in memory. */
export function rowsBetween(pages: readonly ListPage[], from: number, to: number): (ThreadRow | null)[] {
  const rows: (ThreadRow | null)[] = []
  let start = 0
  for (const page of pages) {
    if (start >= to) break
    for (let at = Math.max(from, start); at < Math.min(to, start + page.count); at++)
      rows.push(page.rows?.[at - start] ?? null)
    start += page.count
  }
  return rows
}

export function positionOf(pages: readonly ListPage[], id: string): number {
  let start = 0
  for (const { rows, count } of pages) {
    const at = rows?.findIndex((row) => row.id === id) ?? -1
    if (at >= 0) return start + at
    start += count
  }
  return -1
}

/** Maps each row; null removes it. */
export function mapRows(
  pages: readonly ListPage[],
  change: (row: ThreadRow) => ThreadRow | null,
): ListPage[] {
  return pages.map((page) => {
    if (page.rows === null) return page
    let same = true
    const rows = page.rows.flatMap((row) => {
      const now = change(row)
      if (now !== row) same = false
      return now === null ? [] : [now]
    })
    return same ? page : { ...page, rows, count: rows.length }
  })
}

/** Puts rows back where they were. Rows of pages that are not in memory return when their page is loaded. */
export function insertRows(pages: readonly ListPage[], rows: readonly ThreadRow[]): ListPage[] {
  const now = [...pages]
  for (const row of rows) {
    const at = now.findIndex(({ end }) => end === null || !isBefore(end, row))
    const page = now[at]
    if (!page?.rows || page.rows.some(({ id }) => id === row.id)) continue
    const next = page.rows.findIndex((each) => isBefore(row, each))
    const put = page.rows.toSpliced(next < 0 ? page.rows.length : next, 0, row)
    now[at] = { ...page, rows: put, count: put.length }
  }
  return now
}

/** Keeps rows that the server no longer lists: where they were, or at the end of what is loaded. */
export function keepRows(pages: readonly ListPage[], rows: readonly ThreadRow[]): ListPage[] {
  if (rows.length === 0) return [...pages]
  const now = insertRows(pages, rows)
  const lost = rows.filter(({ id }) => positionOf(now, id) < 0)
  if (lost.length === 0) return now
  const last = now.findLastIndex((page) => page.rows !== null)
  if (last < 0) return [makePage(null, lost)]
  const page = now[last]!
  const together = [...page.rows!, ...lost]
  return now.with(last, { ...page, rows: together, count: together.length })
}

/** Newest first, ties by id, as the server sorts. */
function isBefore(one: { id: string; timestamp: string }, other: { id: string; timestamp: string }): boolean {
  return one.timestamp === other.timestamp ? one.id > other.id : one.timestamp > other.timestamp
}

/** Cuts reloaded rows where the next page begins, so that new mail cannot show a row twice. */
export function cutAtEnd(rows: ThreadRow[], end: ListPage['end']): { rows: ThreadRow[]; met: boolean } {
  if (end === null) return { rows, met: true }
  const same = rows.findIndex(({ id, timestamp }) => id === end.id && timestamp === end.timestamp)
  if (same >= 0) return { rows: rows.slice(0, same + 1), met: true }
  const older = rows.findIndex(({ timestamp }) => timestamp < end.timestamp)
  return older >= 0 ? { rows: rows.slice(0, older), met: true } : { rows, met: false }
}

/** Drops the rows of pages farther than `keep` from the visible one, except pages with a selected row. */
export function dropFarRows(
  pages: readonly ListPage[],
  around: number,
  keep: number,
  selected: ReadonlySet<string>,
): ListPage[] {
  return pages.map((page, index) =>
    page.rows !== null &&
    index > 0 &&
    Math.abs(index - around) > keep &&
    !page.rows.some(({ id }) => selected.has(id))
      ? { ...page, rows: null }
      : page,
  )
}
