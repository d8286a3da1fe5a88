import type { Status } from '../../../src/model/thread.ts'
import type { User } from '../../../src/model/access.ts'
import type { Matching, ThreadRow } from '../../../src/model/work.ts'
import { ask, sentenceOf } from '../page/api.ts'
import type { AnswerOf, RouteAt } from '../page/contract.ts'
import { futureTime } from '../page/times.ts'
import { formatCount, refreshCounts } from './counts.ts'
import { allLists, changeRows, list, type ThreadList } from './list.ts'
import { showToast, showProblem } from '../page/toasts.ts'
import { go, place, placePath, threadId } from '../page/router.ts'
import { rowBeside } from './neighbours.ts'
import { texts } from '../page/texts.ts'
import { untilTyped } from '../page/typed-ahead.ts'
import { isDone, queryOf, searchQuery } from './query.ts'
import { untilRead } from './reading.ts'
import { changeThread, loadThread, markOld, threadOf } from './store.ts'
import { actionTexts } from './texts.ts'
import { doneActions, forget, offer, putBack, remember, say, type Leaving } from './undo.ts'

/** A change to one or more threads. */
export type ThreadAction =
  | { type: 'status'; status: Status; until?: string }
  | { type: 'assign'; to: User | null }
  | { type: 'read' }
  | { type: 'unread' }

/** Applies a change at once; it can be undone. What the server refuses is reverted, with a message. */
export async function act(ids: readonly string[], action: ThreadAction): Promise<void> {
  const set = new Set(ids)
  const before = allLists().map((each) => ({ list: each, rows: rowsOf(each, ids) }))
  const named = nameOf(ids)
  const open = threadId.value
  const leaves = open !== null && set.has(open) && leavesList(action)
  const left = leaves ? leavingOf(open, set) : null
  const settle = changeRows({ ids: set, change: (row) => apply(row, action), own: true })
  // Opening a thread marks it read, so leave an open one before marking it unread.
  if (action.type === 'unread' && open !== null && set.has(open)) go(placePath(place.value))
  const saved = tellServer(ids, action)
  for (const id of ids) changeThread(id, (thread) => ({ ...thread, ...apply(thread, action) }), saved)
  if (left) openNext(left)
  const done = remember({
    said: sayDone(action, named),
    before,
    left,
    stop: async () => (await saved).receipts,
  })
  const { receipts, refused, sentence } = await saved
  settle()
  if (refused.size > 0) {
    const all = refused.size === ids.length
    showToast(
      all ? texts.errors.undone(sentence!) : actionTexts.notChanged(formatCount(refused.size), sentence!),
      'problem',
    )
    // Keys that are queued were meant for the rows as they are.
    await untilTyped()
    putBack({
      before: before.map(({ list, rows }) => ({ list, rows: rows.filter(({ id }) => refused.has(id)) })),
    })
    for (const id of refused) {
      markOld(id)
      void loadThread(id)
    }
    void list.value.refresh()
  }
  if (receipts.length === 0) forget(done.key)
  else offer(done, sayDone(action, refused.size === 0 ? named : countOf(ids.length - refused.size)))
  refreshCounts()
}

/** Acts in steps on all threads of the list, including those that are not loaded. */
export async function actOnMatching({ count, asOf }: Matching, action: ThreadAction): Promise<void> {
  const acted = list.value
  acted.leave()
  const receipts: string[] = []
  const stop = new AbortController()
  let changed = 0
  let left = 0
  const run = async (): Promise<void> => {
    for (let cursor: string | null | undefined; cursor !== null && !stop.signal.aborted;) {
      const wish = { asOf, cursor: cursor ?? null, action: wishOf(action) }
      const step: AnswerOf<RouteAt<'POST', '/threads/bulk/matching'>> =
        acted.place.type === 'search'
          ? await ask('POST', '/search/bulk', { ...searchQuery(acted.place.q), ...wish })
          : await ask('POST', '/threads/bulk/matching', { ...queryOf(acted.place), ...wish })
      cursor = step.nextCursor
      changed += step.done.length
      left += step.left
      if (step.receipt) receipts.push(step.receipt)
      say(done.key, actionTexts.progress(formatCount(changed), formatCount(count)))
      if (step.failed.length > 0)
        showToast(actionTexts.notChanged(formatCount(step.failed.length), step.failed[0]!.message), 'problem')
    }
  }
  const done = remember({
    said: actionTexts.progress(formatCount(0), formatCount(count)),
    before: [],
    left: null,
    stop: async () => {
      stop.abort()
      await ran
      return receipts
    },
  })
  const ran = run().catch(showProblem)
  await ran
  if (receipts.length === 0) forget(done.key)
  else offer(done, sayDone(action, actionTexts.threads(formatCount(changed))))
  if (left > 0) showToast(actionTexts.left(formatCount(left)))
  for (const each of allLists()) each.loaded.value = false
  if (list.value === acted) acted.reset()
  refreshCounts()
}

function rowsOf(each: ThreadList, ids: readonly string[]): ThreadRow[] {
  return ids.flatMap((id) => each.find(id) ?? [])
}

/** The name of the threads in the bar; a single one is named by its subject. */
function nameOf(ids: readonly string[]): string {
  if (ids.length > 1) return countOf(ids.length)
  const { subject } = list.value.find(ids[0]!) ?? threadOf(ids[0]!).thread.value ?? { subject: '' }
  return actionTexts.subject(subject || texts.list.noSubject)
}

function countOf(count: number): string {
  return actionTexts.threads(formatCount(count))
}

function sayDone(action: ThreadAction, what: string): string {
  const said = actionTexts.done
  switch (action.type) {
    case 'status':
      return action.status === 'snoozed'
        ? said.snoozed(what, futureTime(action.until!))
        : said[action.status](what)
    case 'assign':
      return action.to ? said.assigned(what, action.to.name) : said.unassigned(what)
    default:
      return said[action.type](what)
  }
}

function leavesList(action: ThreadAction): boolean {
  return action.type === 'status' && isDone(action)
}

/** `others` leave with it. The next one is none of those, nor one that this page has closed just before. */
export function leavingOf(id: string, others: ReadonlySet<string> = new Set()): Leaving {
  const changed = new Set(
    doneActions.value.flatMap(({ before }) => before.flatMap(({ rows }) => rows.map((row) => row.id))),
  )
  const next = rowBeside(id, (row) => !others.has(row.id) && !(changed.has(row.id) && isDone(row)))
  return { id, next: next?.id ?? null, nextWasUnread: next?.unread ?? false }
}

export function openNext({ next }: Leaving): void {
  go(placePath(place.value, next), { replace: true })
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

function wishOf(action: ThreadAction) {
  return action.type === 'assign' ? { type: action.type, to: action.to?.id ?? null } : action
}

interface Outcome {
  receipts: string[]
  refused: Set<string>
  /** Why the first one was refused. */
  sentence: string | null
}

async function tellServer(ids: readonly string[], action: ThreadAction): Promise<Outcome> {
  const saved: Outcome = { receipts: [], refused: new Set(), sentence: null }
  const refuse = (refused: readonly string[], sentence: string): void => {
    for (const id of refused) saved.refused.add(id)
    saved.sentence ??= sentence
  }
  // If a thread is opened and marked unread right after, the latter must win.
  if (action.type === 'unread') await untilRead()
  for (let at = 0; at < ids.length; at += 100) {
    try {
      const some = ids.slice(at, at + 100)
      const { receipt, failed } = await ask('POST', '/threads/bulk', { ids: some, action: wishOf(action) })
      if (receipt) saved.receipts.push(receipt)
      for (const { id, message } of failed) refuse([id], message)
    } catch (error) {
      refuse(ids.slice(at), sentenceOf(error))
      break
    }
  }
  return saved
}
