import { computed, effect, untracked } from '@preact/signals'
import type { Matching, ThreadRow } from '../../../src/model/work.ts'
import { get } from '../page/api.ts'
import { threadId, type Place } from '../page/router.ts'
import { showToast } from '../page/toasts.ts'
import { act, actOnMatching, type ThreadAction } from './actions.ts'
import { list, type ThreadList } from './list.ts'
import { queryOf, searchQuery } from './query.ts'
import { actionTexts } from './texts.ts'

/** Threads selected for a bulk action: always rows of the current list. */
export const selected = computed(() => list.value.selected.value)
/** The number of selected threads, including those that are not loaded. */
export const selectedCount = computed(() => {
  const { allSelected, counted } = list.value
  return allSelected.value ? counted.value!.count : selected.value.size
})
/** All matching threads, offered after *Select all* until the selection is changed by hand. */
export const offeredToo = computed(() => {
  const { allSelected, counted } = list.value
  return !allSelected.value && counted.value && counted.value.count > selected.value.size
    ? counted.value
    : null
})
/** Whether every loaded row is selected, or was at *Select all*; more rows may have been loaded since. */
export const allLoadedSelected = computed(() => {
  const { loadedIds, allSelected } = list.value
  if (allSelected.value || offeredToo.value) return true
  return selected.value.size > 0 && selected.value.size === loadedIds.value.length
})
let anchor: string | null = null
let counting: Promise<Matching | null> | null = null
let shown: ThreadList | null = null

// The selection is cleared when the view changes. Rows that were opened stay until the user goes back to the list.
effect(() => {
  const now = list.value
  const open = threadId.value
  untracked(() => {
    if (shown && shown !== now) {
      clear(shown)
      shown.leave()
    }
    shown = now
    if (open === null) now.leave()
    else now.kept.add(open)
  })
})

// The next key would otherwise be for the open thread, without a word.
effect(() => {
  if (list.value.selectionLost.value) untracked(() => showToast(actionTexts.selectionLost, 'problem'))
})

/** Whether the key was meant for selected threads that have left the list: then it does nothing. */
export function wasForLostSelection(): boolean {
  if (!list.value.selectionLost.value) return false
  list.value.selectionLost.value = false
  showToast(actionTexts.nothingChanged, 'problem')
  return true
}

function clear(of: ThreadList): void {
  anchor = null
  counting = null
  of.selectionLost.value = false
  of.allSelected.value = false
  of.counted.value = null
  if (of.selected.peek().size > 0) of.selected.value = new Set()
}

export function clearSelection(): void {
  clear(list.value)
}

/** If all matching threads are selected, this excludes rows that changed since the count. */
export function isSelected({ id, updatedAt }: ThreadRow): boolean {
  const { allSelected, counted } = list.value
  return allSelected.value ? updatedAt <= counted.value!.asOf : selected.value.has(id)
}

/** What shortcuts act on: empty if the list is not visible. */
export function selectionInSight(): ReadonlySet<string> {
  const isShown = document.querySelector('.list')?.checkVisibility() ?? false
  return isShown ? selected.value : new Set()
}

/** Acts on all selected threads and clears the selection. */
export function actOnSelection(action: ThreadAction): void {
  const { allSelected, counted } = list.value
  const ids = [...selected.value]
  const matching = allSelected.value ? counted.value : null
  clearSelection()
  void (matching ? actOnMatching(matching, action) : act(ids, action))
}

export function toggle(id: string): void {
  const now = new Set(list.value.allSelected.value ? list.value.loadedIds.value : selected.value)
  if (!now.delete(id)) {
    if (list.value.positionOf(id) < 0) return
    now.add(id)
  }
  anchor = id
  select(now)
}

function select(ids: ReadonlySet<string>): void {
  counting = null
  list.value.allSelected.value = false
  list.value.counted.value = null
  list.value.selectionLost.value = false
  for (const id of ids) list.value.kept.add(id)
  list.value.selected.value = ids
}

/** Extends the selection to this row; rows dropped from memory are loaded first. */
export async function extendTo(id: string): Promise<void> {
  const shown = list.value
  const range = (): [number, number] | null => {
    const [one, other] = [anchor === null ? -1 : shown.positionOf(anchor), shown.positionOf(id)]
    return one < 0 || other < 0 ? null : [Math.min(one, other), Math.max(one, other) + 1]
  }
  const missing = range()
  if (!missing) return toggle(id)
  if (shown.between(...missing).includes(null)) await shown.loadBetween(...missing)
  const now = range()
  if (list.value !== shown || !now) return
  select(new Set([...selected.value, ...shown.between(...now).flatMap((row) => row?.id ?? [])]))
}

/** Selects all loaded rows; the second time all threads of the list, or none if all rows were loaded. */
export async function selectAll(): Promise<void> {
  const shown = list.value
  // More rows may be loaded while the count is running.
  if (!counting && !allLoadedSelected.value) {
    select(new Set(shown.loadedIds.value))
    if (!shown.isWhole.value) await offerAll(shown)
    return
  }
  await counting
  if (offeredToo.value) selectMatching()
  else clearSelection()
}

async function offerAll(shown: ThreadList): Promise<void> {
  const mine = (counting = countMatching(shown.place).catch(() => null))
  const counted = await mine
  if (counting === mine) shown.counted.value = counted
}

function countMatching(at: Place): Promise<Matching> {
  return at.type === 'search'
    ? get('/search/count', { query: searchQuery(at.q) })
    : get('/threads/count', { query: queryOf(at) })
}

export function selectMatching(): void {
  if (offeredToo.value) list.value.allSelected.value = true
}
