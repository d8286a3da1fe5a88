import { reviewList } from './review-list.ts'
import { isReview, route } from '../page/router.ts'
import { list } from './list.ts'

/** Where the open thread was last seen in the list: it may leave the list while it is open. */
let last = { id: '', at: 0 }

/** IDs in display order, whichever list the column shows. */
export function neighbourIds(
  id: string | null,
  step: 1 | -1,
  many = 1,
): { thread: string; draft: string | null }[] {
  if (isReview.value) {
    const drafts = (reviewList.value ?? []).flatMap(({ id, threadId }) =>
      threadId === null ? [] : [{ thread: threadId, draft: id }],
    )
    // A thread may have several drafts; the one in the URL is open.
    const named = route.value.name === 'inbox' ? route.value.draft : null
    const here = drafts.findIndex(({ thread, draft }) => thread === id && draft === named)
    const at = here >= 0 ? here : drafts.findIndex(({ thread }) => thread === id)
    return pick(drafts.length, firstFrom(id, at, step), step, many).map((index) => drafts[index]!)
  }
  const at = id === null ? -1 : list.value.positionOf(id)
  return pick(list.value.total.value, firstFrom(id, at, step), step, many).flatMap((index) => {
    const row = list.value.at(index)
    return row ? [{ thread: row.id, draft: null }] : []
  })
}

function firstFrom(id: string | null, at: number, step: 1 | -1): number {
  if (id !== null && at >= 0) last = { id, at }
  if (at >= 0) return at + step
  // The row after the one that left is now in its place.
  return id !== last.id ? 0 : step > 0 ? last.at : last.at - 1
}

function pick(length: number, first: number, step: 1 | -1, many: number): number[] {
  return Array.from({ length: many }, (_, index) => first + index * step).filter(
    (index) => index >= 0 && index < length,
  )
}
