import { computed, effect } from '@preact/signals'
import { act, type ThreadAction } from './actions.ts'
import { list, type ThreadList } from './list.ts'

/** Threads selected for a bulk action: always rows of the current list. */
export const selected = computed(() => list.value.selected.value)
let anchor: string | null = null
let shown: ThreadList | null = null

// The selection is cleared when the view changes.
effect(() => {
  if (shown === list.value) return
  if (shown) clear(shown)
  shown = list.value
})

function clear(of: ThreadList): void {
  anchor = null
  if (of.selected.peek().size > 0) of.selected.value = new Set()
}

export function clearSelection(): void {
  clear(list.value)
}

/** What shortcuts act on: empty if the list is not visible. */
export function selectionInSight(): ReadonlySet<string> {
  const isShown = document.querySelector('.list')?.checkVisibility() ?? false
  return isShown ? selected.value : new Set()
}

/** Acts on all selected threads and clears the selection. */
export function actOnSelection(action: ThreadAction): void {
  const ids = [...selected.value]
  clearSelection()
  void act(ids, action)
}

export function toggle(id: string): void {
  const now = new Set(selected.value)
  if (!now.delete(id)) {
    if (list.value.positionOf(id) < 0) return
    now.add(id)
  }
  anchor = id
  list.value.selected.value = now
}

/** Extends the selection to this row; only rows in memory can be selected. */
export function extendTo(id: string): void {
  const from = anchor === null ? -1 : list.value.positionOf(anchor)
  const to = list.value.positionOf(id)
  if (from < 0 || to < 0) return toggle(id)
  const rows = list.value.between(Math.min(from, to), Math.max(from, to) + 1)
  const now = new Set(selected.value)
  for (const row of rows.slice(0, 100)) if (row) now.add(row.id)
  list.value.selected.value = now
}
