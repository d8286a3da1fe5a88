import { reviewList } from './review-list.ts'
import { place, route } from '../page/router.ts'
import { list } from './list.ts'

/** IDs in display order, whichever list the column shows. */
export function neighbourIds(
  id: string | null,
  step: 1 | -1,
  many = 1,
): { thread: string; draft: string | null }[] {
  if (place.value.type === 'view' && place.value.view === 'review') {
    const drafts = (reviewList.value ?? []).flatMap(({ id, threadId }) =>
      threadId === null ? [] : [{ thread: threadId, draft: id }],
    )
    // A thread may have several drafts; the one in the URL is open.
    const named = route.value.name === 'inbox' ? route.value.draft : null
    const here = drafts.findIndex(({ thread, draft }) => thread === id && draft === named)
    const at = here >= 0 ? here : drafts.findIndex(({ thread }) => thread === id)
    return pick(drafts.length, at, step, many).map((index) => drafts[index]!)
  }
  const at = id === null ? -1 : list.value.positionOf(id)
  return pick(list.value.total.value, at, step, many).flatMap((index) => {
    const row = list.value.at(index)
    return row ? [{ thread: row.id, draft: null }] : []
  })
}

function pick(length: number, at: number, step: 1 | -1, many: number): number[] {
  const first = at < 0 ? 0 : at + step
  return Array.from({ length: many }, (_, index) => first + index * step).filter(
    (index) => index >= 0 && index < length,
  )
}
