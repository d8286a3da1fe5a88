import { signal } from '@preact/signals'
import type { Notice } from '../../../src/model/notices/notices.ts'
import { ask, beginRequest, get, sentenceOf } from '../page/api.ts'
import { showProblem } from '../page/toasts.ts'
import { unreadNotices } from '../session/unread-notices.ts'

/** Newest first; null until loaded. */
export const notices = signal<Notice[] | null>(null)
export const problem = signal<string | null>(null)
export const nextCursor = signal<string | null>(null)

/** Reloads the first page and keeps what was loaded below it. */
export async function loadNotices(): Promise<void> {
  const isNew = beginRequest(notices)
  try {
    const { data, nextCursor: next, unread } = await get('/notices')
    if (!isNew()) return
    const known = notices.value ?? []
    const ids = new Set(data.map(({ id }) => id))
    // If none of the page was known, there are others in between: earlier ones are loaded again from its end.
    const meets = known.some(({ id }) => ids.has(id))
    const last = data.at(-1)
    const below =
      meets && last ? known.filter(({ id, timestamp }) => !ids.has(id) && timestamp <= last.timestamp) : []
    notices.value = [...data, ...below]
    if (below.length === 0) nextCursor.value = next
    unreadNotices.value = unread
    problem.value = null
  } catch (error) {
    problem.value = sentenceOf(error)
  }
}

export async function loadEarlier(): Promise<void> {
  try {
    const { data, nextCursor: next } = await get('/notices', { query: { cursor: nextCursor.value } })
    const ids = new Set(data.map(({ id }) => id))
    notices.value = [...(notices.value ?? []).filter(({ id }) => !ids.has(id)), ...data]
    nextCursor.value = next
  } catch (error) {
    showProblem(error)
  }
}

/** Null marks all. The change is shown before the server confirms it. */
export async function markRead(ids: string[] | null): Promise<void> {
  notices.value = (notices.value ?? []).map((each) =>
    ids === null || ids.includes(each.id) ? { ...each, read: true } : each,
  )
  try {
    const { unread } = await ask('POST', '/notices/read', { ids })
    unreadNotices.value = unread
  } catch (error) {
    showProblem(error)
    await loadNotices()
  }
}
