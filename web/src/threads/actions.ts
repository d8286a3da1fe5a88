import type { Status } from '../../../src/model/thread.ts'
import type { User } from '../../../src/model/access.ts'
import type { ThreadRow } from '../../../src/model/work.ts'
import { ask, sentenceOf } from '../page/api.ts'
import type { AnswerOf, RouteAt } from '../page/contract.ts'
import { refreshCounts } from './counts.ts'
import { allLists, list } from './list.ts'
import { tell } from '../page/notices.ts'
import { go, place, placePath, threadId } from '../page/router.ts'
import { texts } from '../page/texts.ts'
import { changeThread, loadThread } from './store.ts'

/** A change to one or more threads. */
export type ThreadAction =
  | { type: 'status'; status: Status; until?: string }
  | { type: 'assign'; to: User | null }
  | { type: 'read' }
  | { type: 'unread' }

/** Applied at once; undone with a message if the server refuses. */
export async function act(ids: readonly string[], action: ThreadAction): Promise<void> {
  const set = new Set(ids)
  const before = new Map(ids.map((id) => [id, list.value.find(id)]))
  const open = threadId.value
  const leaves = open !== null && set.has(open) && leavesList(action)
  const next = leaves ? neighbour(open) : null
  // An open thread is marked read, so leave it before marking it unread.
  if (action.type === 'unread' && open !== null && set.has(open)) go(placePath(place.value))
  for (const each of allLists()) each.change(set, (row) => apply(row, action))
  for (const id of ids) changeThread(id, (thread) => ({ ...thread, ...apply(thread, action) }))
  if (leaves) go(placePath(place.value, next), { replace: true })
  try {
    const failed = await tellServer(ids, action)
    if (failed.length > 0) throw new Error(failed[0]!.message)
  } catch (error) {
    const sentence = error instanceof Error && error.name === 'Error' ? error.message : sentenceOf(error)
    tell(texts.errors.undone(sentence), 'problem')
    for (const [id, row] of before) {
      if (row) for (const each of allLists()) each.change(new Set([id]), () => row, id)
      void loadThread(id)
    }
    void list.value.refresh()
  }
  refreshCounts()
}

function leavesList(action: ThreadAction): boolean {
  return action.type === 'status' && action.status !== 'open' && action.status !== 'waiting'
}

/** Where to go when the open thread leaves the list: the next one below, otherwise above. */
function neighbour(id: string): string | null {
  const at = list.value.positionOf(id)
  if (at < 0) return null
  return (list.value.at(at + 1) ?? (at > 0 ? list.value.at(at - 1) : null))?.id ?? null
}

function apply<Row extends Omit<ThreadRow, 'openDrafts'>>(row: Row, action: ThreadAction): Row {
  switch (action.type) {
    case 'status':
      return { ...row, status: action.status, snoozedUntil: action.until ?? null }
    case 'assign':
      return {
        ...row,
        assignment: action.to && {
          id: action.to.id,
          name: action.to.name,
          email: action.to.email,
          assignedAt: new Date().toISOString(),
        },
      }
    default:
      return { ...row, unread: action.type === 'unread' }
  }
}

type Failed = AnswerOf<RouteAt<'POST', '/threads/bulk'>>['failed']

async function tellServer(ids: readonly string[], action: ThreadAction): Promise<Failed> {
  if (ids.length === 1) {
    await tellOfOne(ids[0]!, action)
    return []
  }
  const wish = action.type === 'assign' ? { type: action.type, to: action.to?.id ?? null } : action
  const failed: Failed = []
  for (let at = 0; at < ids.length; at += 100) {
    const answer = await ask('POST', '/threads/bulk', { ids: ids.slice(at, at + 100), action: wish })
    failed.push(...answer.failed)
  }
  return failed
}

function tellOfOne(id: string, action: ThreadAction): Promise<unknown> {
  switch (action.type) {
    case 'status':
      return ask('POST', `/threads/${id}/status`, { status: action.status, until: action.until })
    case 'assign':
      return ask('POST', `/threads/${id}/assign`, { to: action.to?.id ?? null })
    default:
      return ask('POST', `/threads/${id}/${action.type}`, {})
  }
}

/** Opening a thread marks it read. */
export function markRead(id: string): void {
  for (const each of allLists()) each.change(new Set([id]), (row) => ({ ...row, unread: false }), id)
  changeThread(id, (thread) => ({ ...thread, unread: false }))
  ask('POST', `/threads/${id}/read`, {}).then(
    () => refreshCounts(),
    () => undefined,
  )
}
