import { computed, effect } from '@preact/signals'
import { act, type ThreadAction } from './actions.ts'
import { list, type ThreadList } from './list.ts'

/** Threads chosen for an action on all of them: the rows that are marked in the list on the screen, and no others. */
export const selected = computed(() => list.value.selected.value)
let anchor: string | null = null
let shown: ThreadList | null = null

// It does not outlive the view it was made in.
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

/** What keys mean: nothing, where the list is not on the screen. */
export function selectionInSight(): ReadonlySet<string> {
  const isShown = document.querySelector('.list')?.checkVisibility() ?? false
  return isShown ? selected.value : new Set()
}

/** Done to all of them, and then they are no longer selected. */
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

/** Everything from where the selection was begun to here; only what is in memory can be meant. */
export function extendTo(id: string): void {
  const from = anchor === null ? -1 : list.value.positionOf(anchor)
  const to = list.value.positionOf(id)
  if (from < 0 || to < 0) return toggle(id)
  const rows = list.value.between(Math.min(from, to), Math.max(from, to) + 1)
  const now = new Set(selected.value)
  for (const row of rows.slice(0, 100)) if (row) now.add(row.id)
  list.value.selected.value = now
}
