import type { OpenThread, ThreadRow } from '../../src/model/work.ts'
import { draftEnded, editorOf } from './draft/editors.ts'
import { sendingChanged } from './draft/sending.ts'
import { reviewChanged } from './threads/review-list.ts'
import { refreshCounts } from './threads/counts.ts'
import { allLists, forgetOtherLists, list } from './threads/list.ts'
import { onBeginning, onEvent, onResync } from './session/live.ts'
import { get } from './page/api.ts'
import { isComposing, threadId } from './page/router.ts'
import { untilTyped } from './page/typed-ahead.ts'
import { notesChanged } from './threads/notes.ts'
import { forgetThreads, loadThread, markOld, threadOf } from './threads/store.ts'

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
    const { draftId } = event.data
    if (draftId !== undefined) {
      reviewChanged()
      // A mail of its own has no thread to be loaded with.
      if (isComposing(draftId)) void get(`/drafts/${draftId}`).then(editorOf, () => undefined)
    }
    draftEnded(event)
    sendingChanged(event)
    timer ??= setTimeout(catchUp, event.data.threadId === threadId.value ? 30 : 200)
  })
  onBeginning(reload)
  onResync(() => {
    forgetThreads()
    reviewChanged()
    reload()
  })
}

function reload(): void {
  if (threadId.value) {
    changed.add(threadId.value)
    markOld(threadId.value)
    notesChanged(threadId.value)
  }
  void catchUp()
}

async function catchUp(): Promise<void> {
  timer = null
  const ids = [...changed]
  changed.clear()
  refreshCounts()
  const shown = list.value
  const open = ids.find((id) => id === threadId.value)
  const loading = [shown.refresh(), open && loadThread(open)]
  forgetOtherLists()
  // Rows below the first page are refreshed one by one; if there are many, only when scrolled to.
  const top = shown.pages.value[0]?.rows ?? []
  const below = ids.filter((id) => !top.some((row) => row.id === id) && shown.positionOf(id) >= 0)
  for (const id of below.slice(0, 10)) void refreshRow(id)
  await Promise.all(loading)
  // The answer no longer has the rows that merely stay.
  if (open) showRow(open)
  for (const id of ids.filter((id) => id !== open && shown.stayed.has(id)).slice(0, 10)) void refreshRow(id)
  // What could not be loaded is loaded later: there may be no further event.
  if (!shown.problem.value && !(open && threadOf(open).problem.value)) return
  for (const id of ids) changed.add(id)
  timer ??= setTimeout(catchUp, 2000)
}

/** A thread was merged into another: removes it from the lists and redirects if it is open. */
function forgetJoined(survivor: string, joined: unknown): void {
  if (typeof joined !== 'string') return
  void untilTyped().then(() => {
    for (const each of allLists()) each.drop(joined)
  })
  markOld(joined)
  notesChanged(survivor)
  if (threadId.value === joined) changed.add(joined)
}

async function refreshRow(id: string): Promise<void> {
  await loadThread(id)
  await untilTyped()
  showRow(id)
}

function showRow(id: string): void {
  const thread = threadOf(id).thread.value
  if (thread?.id === id) list.value.change({ ids: new Set([id]), change: () => rowOf(thread), own: false })
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
