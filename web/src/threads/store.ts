import { signal, type Signal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import type { OpenThread } from '../../../src/model/work.ts'
import { ApiError, get, sentenceOf } from '../page/api.ts'
import { threadId } from '../page/router.ts'

/** Opening a thread loads few entries, so that a long one opens as fast as a short one. Later pages are larger. */
const firstEntries = '20'
const furtherEntries = '100'

/** A thread as far as this page has loaded it. */
export interface KnownThread {
  thread: Signal<OpenThread | null>
  problem: Signal<string | null>
  gone: Signal<boolean>
  /** When it was last loaded; 0 if it has changed since the request, 1 while the request is running. */
  fresh: number
  /** Local changes since the last request, whose response may predate them. */
  changed: Partial<OpenThread>
  /** Number of changes that the server has not answered yet. */
  unsettled: number
  asking: Promise<void> | null
}

const changeable = ['status', 'snoozedUntil', 'assignment', 'unread'] as const

const most = 60
const known = new Map<string, KnownThread>()

/** The same object for the same thread, so that all components stay in sync. */
export function threadOf(id: string): KnownThread {
  const found = known.get(id) ?? {
    thread: signal(null),
    problem: signal(null),
    gone: signal(false),
    fresh: 0,
    changed: {},
    unsettled: 0,
    asking: null,
  }
  known.delete(id)
  known.set(id, found)
  // The open thread stays, however many others are prefetched.
  if (known.size > most) known.delete([...known.keys()].find((each) => each !== threadId.peek())!)
  return found
}

export function isKnown(id: string): boolean {
  return known.has(id)
}

/** Newest first from the server, oldest first on the page. */
export async function loadThread(id: string): Promise<void> {
  const entry = threadOf(id)
  // The pending response may be outdated.
  if (entry.asking) return entry.fresh === 0 ? entry.asking.then(() => loadThread(id)) : entry.asking
  if (entry.thread.value === null) {
    entry.problem.value = null
    entry.gone.value = false
  }
  entry.fresh = 1
  if (entry.unsettled === 0) entry.changed = {}
  entry.asking = get(`/threads/${encodeURIComponent(id)}`, {
    query: { historyOrder: 'desc', historyLimit: firstEntries },
  })
    .then((answer) => {
      const before = entry.thread.value
      const history = answer.history.toReversed()
      const ids = new Set(history.map((each) => each.id))
      // Keep earlier pages that were loaded, unless something is missing in between.
      const meets = before?.history.some((each) => ids.has(each.id)) ?? false
      const earlier = (meets ? before!.history : []).filter(
        (each) => !ids.has(each.id) && each.timestamp < history[0]!.timestamp,
      )
      entry.thread.value = {
        ...answer,
        ...entry.changed,
        history: [...earlier, ...history],
        historyNextCursor: earlier.length > 0 ? before!.historyNextCursor : answer.historyNextCursor,
      }
      if (Object.keys(entry.changed).length > 0) entry.fresh = 0
      if (entry.fresh > 0) entry.fresh = Date.now()
      entry.problem.value = null
      entry.gone.value = false
    })
    .catch((error: unknown) => {
      entry.gone.value = error instanceof ApiError && error.status === 404
      entry.problem.value = entry.gone.value ? null : sentenceOf(error)
    })
    .finally(() => {
      entry.asking = null
    })
  return entry.asking
}

/** `before` is called right before they are shown. */
export async function loadEarlier(id: string, before: () => void = () => undefined): Promise<void> {
  const { thread } = threadOf(id)
  const cursor = thread.value?.historyNextCursor
  if (!cursor) return
  const answer = await get(`/threads/${id}`, {
    query: { historyOrder: 'desc', historyCursor: cursor, historyLimit: furtherEntries },
  })
  const now = thread.value
  if (now?.historyNextCursor !== cursor) return
  before()
  thread.value = {
    ...now,
    history: [...answer.history.toReversed(), ...now.history],
    historyNextCursor: answer.historyNextCursor,
  }
}

/** Loads threads in advance, so that they open instantly. */
export function prefetch(ids: readonly string[]): void {
  for (const id of ids) if (threadOf(id).thread.value === null) void loadThread(id)
}

/** Marks it stale; it is reloaded when next opened. */
export function markOld(id: string): void {
  const entry = known.get(id)
  if (entry) entry.fresh = 0
}

/** `saved` settles when the server has applied or refused the change. */
export function changeThread(
  id: string,
  change: (thread: OpenThread) => OpenThread,
  saved?: Promise<unknown>,
): void {
  const entry = known.get(id)
  const before = entry?.thread.value
  if (!before) return
  const now = change(before)
  for (const field of changeable)
    if (now[field] !== before[field]) entry.changed = { ...entry.changed, [field]: now[field] }
  entry.thread.value = now
  if (!saved) return
  entry.unsettled++
  const settle = () => void entry.unsettled--
  saved.then(settle, settle)
}

export function putDraft(draft: Draft): void {
  if (draft.threadId === null) return
  const open = draft.outcome === null
  changeThread(draft.threadId, (thread) => {
    const others = thread.drafts.filter(({ id }) => id !== draft.id)
    const at = thread.drafts.findIndex(({ id }) => id === draft.id)
    const drafts = open ? others.toSpliced(at < 0 ? others.length : at, 0, draft) : others
    return { ...thread, drafts }
  })
}

export function forgetThreads(): void {
  for (const entry of known.values()) entry.fresh = 0
}
