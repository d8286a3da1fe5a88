import { signal } from '@preact/signals'
import type { ThreadRow } from '../../../src/model/work.ts'
import { ApiError, ask } from '../page/api.ts'
import { showToast, showProblem } from '../page/toasts.ts'
import { go, place, placePath, threadId } from '../page/router.ts'
import { refreshCounts } from './counts.ts'
import { forgetOtherLists, list, type ThreadList } from './list.ts'
import { showUnread, untilRead } from './reading.ts'
import { changeThread, isKnown, loadThread, markOld, threadOf } from './store.ts'
import { actionTexts as texts } from './texts.ts'

/** The open thread that left the list, and the one that was opened instead. */
export interface Leaving {
  id: string
  next: string | null
  nextWasUnread: boolean
}

/** An action that can be undone. */
export interface Done {
  key: number
  at: number
  /** What was done, as shown in the bar. */
  said: string
  /** The rows as they were, by list. */
  before: readonly { list: ThreadList; rows: readonly ThreadRow[] }[]
  left: Leaving | null
  /** Cancels further steps and returns all undo receipts once the server has answered. */
  stop(): Promise<readonly string[]>
}

const offered = 30_000
const most = 20
let lastKey = 0

/** Newest last; the bar shows the newest. */
export const doneActions = signal<readonly Done[]>([])

export function remember(done: Omit<Done, 'key' | 'at'>): Done {
  const entry = { ...done, key: ++lastKey, at: Date.now() }
  doneActions.value = [...doneActions.value, entry].slice(-most)
  return entry
}

/** Called when the action has finished: starts the time for which undo is offered. */
export function offer({ key }: Done, said: string): void {
  say(key, said)
  setTimeout(() => forget(key), offered)
}

export function say(key: number, said: string): void {
  doneActions.value = doneActions.value.map((each) => (each.key === key ? { ...each, said } : each))
}

export function forget(key: number): void {
  doneActions.value = doneActions.value.filter((each) => each.key !== key)
}

/** The server decides which changes can still be undone and reverts those; the page shows it at once. */
export async function undo(done: Done): Promise<void> {
  forget(done.key)
  const saved = takeBack(done)
  const asBefore = keepShown(done)
  putBack(done, saved)
  const { left } = done
  const returned = left && threadId.value === left.next ? returnTo(left) : null
  try {
    const said = sayUndone(await saved)
    await returned
    showToast(said)
  } catch (error) {
    showProblem(error)
    asBefore()
    if (error instanceof ApiError && error.mayPass) offer(remember(done), done.said)
  }
  forgetOtherLists()
  // Threads that were not loaded may return anywhere in the list.
  if (done.before.length === 0) list.value.reset()
  await list.value.refresh()
  refreshCounts()
}

interface Undone {
  undone: number
  kept: number
  others: Set<string>
}

async function takeBack(done: Done): Promise<Undone> {
  const total: Undone = { undone: 0, kept: 0, others: new Set() }
  for (const receipt of (await done.stop()).toReversed()) {
    const { undone, kept, others } = await ask('POST', '/threads/undo', { receipt })
    total.undone += undone.length
    total.kept += kept.length
    for (const name of others) total.others.add(name)
    for (const id of [...undone, ...kept]) markOld(id)
  }
  return total
}

/** Returns to the thread, as the user has not moved on; the one opened instead was not meant to be read. */
export async function returnTo({ id, next, nextWasUnread }: Leaving): Promise<void> {
  go(placePath(place.value, id), { replace: true })
  if (next === null || !nextWasUnread) return
  const saved = untilRead().then(() => ask('POST', `/threads/${next}/unread`, {}).catch(() => undefined))
  await showUnread(next, true, saved)
}

export function putBack({ before }: Pick<Done, 'before'>, saved?: Promise<unknown>): void {
  for (const { list, rows } of before) {
    list.restore(rows)
    for (const { id, status, snoozedUntil, assignment, unread } of rows)
      changeThread(id, (thread) => ({ ...thread, status, snoozedUntil, assignment, unread }), saved)
  }
}

/** Returns a function that shows the threads again as they are shown now, for an undo that fails. */
function keepShown({ before }: Done): () => void {
  const lists = before.map(({ list, rows }) => ({
    list,
    rows: rows.flatMap(({ id }) => list.find(id) ?? []),
  }))
  const ids = new Set(before.flatMap(({ rows }) => rows.map(({ id }) => id)))
  const threads = [...ids].flatMap((id) => (isKnown(id) ? (threadOf(id).thread.peek() ?? []) : []))
  return () => {
    for (const { list, rows } of before) for (const { id } of rows) list.drop(id)
    putBack({ before: lists })
    for (const { id, status, snoozedUntil, assignment, unread } of threads) {
      changeThread(id, (thread) => ({ ...thread, status, snoozedUntil, assignment, unread }))
      markOld(id)
      if (id === threadId.value) void loadThread(id)
    }
  }
}

function sayUndone({ undone, kept, others }: Undone): string {
  const names = [...others].join(', ')
  if (kept > 0 && names) return texts.kept(names, kept, undone === 0)
  if (kept > 0 && undone === 0) return texts.changedSince
  if (undone === 0) return texts.nothingUndone
  return others.size > 0 ? texts.partStays(names) : texts.undone
}
