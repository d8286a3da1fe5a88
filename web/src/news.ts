import type { OpenThread, ThreadRow } from '../../src/model/work.ts'
import { sendingChanged } from './draft/sending.ts'
import { reviewChanged } from './threads/review-list.ts'
import { refreshCounts } from './threads/counts.ts'
import { allLists, list } from './threads/list.ts'
import { onBeginning, onEvent, onResync } from './session/live.ts'
import { threadId } from './page/router.ts'
import { notesChanged } from './threads/notes.ts'
import { forgetThreads, isKnown, loadThread, markOld, threadOf } from './threads/store.ts'

const changed = new Set<string>()
let timer: ReturnType<typeof setTimeout> | null = null

/** Applies live events to what is on the screen. */
export function followNews(): void {
  onEvent((event) => {
    const id = event.data.threadId
    if (id !== null) {
      changed.add(id)
      markOld(id)
      if (event.type.startsWith('note.')) notesChanged(id)
      if (event.type === 'thread.merged') forgetJoined(id, event.data.changes?.['threadId']?.from)
    }
    if (event.data.draftId !== undefined) reviewChanged()
    sendingChanged(event)
    timer ??= setTimeout(catchUp, event.data.threadId === threadId.value ? 30 : 200)
  })
  onBeginning(() => {
    if (threadId.value) {
      changed.add(threadId.value)
      markOld(threadId.value)
    }
    catchUp()
  })
  onResync(() => {
    forgetThreads()
    refreshCounts(0)
    reviewChanged()
    for (const each of allLists()) if (each !== list.value) each.loaded.value = false
    void list.value.refresh()
    if (threadId.value) void loadThread(threadId.value)
  })
}

function catchUp(): void {
  timer = null
  const ids = [...changed]
  changed.clear()
  refreshCounts()
  const open = threadId.value
  if (open !== null && ids.includes(open)) void loadThread(open)
  void list.value.refresh()
  for (const each of allLists()) if (each !== list.value) each.loaded.value = false
  // Rows below the first page are refreshed one by one; if there are many, only when scrolled to.
  const top = list.value.pages.value[0]?.rows ?? []
  const below = ids.filter((id) => !top.some((row) => row.id === id) && list.value.positionOf(id) >= 0)
  for (const id of below.slice(0, 10)) void refreshRow(id)
}

/** A thread was merged into another: removes it from the lists and redirects if it is open. */
function forgetJoined(survivor: string, joined: unknown): void {
  if (typeof joined !== 'string') return
  for (const each of allLists()) each.drop(joined)
  markOld(joined)
  notesChanged(survivor)
  if (threadId.value === joined) changed.add(joined)
}

async function refreshRow(id: string): Promise<void> {
  if (!isKnown(id)) threadOf(id)
  await loadThread(id)
  const thread = threadOf(id).thread.value
  if (!thread) return
  list.value.change({ ids: new Set([id]), change: () => rowOf(thread), keep: threadId.value })
}

function rowOf({
  history: _,
  historyNextCursor: __,
  people: ___,
  drafts,
  ...summary
}: OpenThread): ThreadRow {
  return {
    ...summary,
    openDrafts: drafts.map(({ id, status, author }) => ({ id, status, author })),
  }
}
