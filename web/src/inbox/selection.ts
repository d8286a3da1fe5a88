import { signal } from '@preact/signals'
import { list } from './thread-list.ts'

/** Threads chosen for an action on all of them. */
export const selected = signal<ReadonlySet<string>>(new Set())
let anchor: string | null = null

export function toggle(id: string): void {
  const now = new Set(selected.value)
  if (!now.delete(id)) now.add(id)
  anchor = id
  selected.value = now
}

/** Everything from where the selection was begun to here; only what is in memory can be meant. */
export function extendTo(id: string): void {
  const from = anchor === null ? -1 : list.value.positionOf(anchor)
  const to = list.value.positionOf(id)
  if (from < 0 || to < 0) return toggle(id)
  const rows = list.value.between(Math.min(from, to), Math.max(from, to) + 1)
  const now = new Set(selected.value)
  for (const row of rows.slice(0, 100)) if (row) now.add(row.id)
  selected.value = now
}

export function clearSelection(): void {
  anchor = null
  if (selected.value.size > 0) selected.value = new Set()
}
