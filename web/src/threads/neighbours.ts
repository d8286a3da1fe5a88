import type { ThreadRow } from '../../../src/model/work.ts'
import { reviewList } from './review-list.ts'
import { isReview, route } from '../page/router.ts'
import { list } from './list.ts'

/** Where the open thread was last seen in the list, and what followed it: it may leave the list while it is open. */
let last: { id: string; at: number; next: string | undefined } = { id: '', at: 0, next: undefined }

interface Order {
  idAt(position: number): string | undefined
  positionOf(id: string): number
}

const rows: Order = {
  idAt: (position) => list.value.at(position)?.id,
  positionOf: (id) => list.value.positionOf(id),
}

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
    const order: Order = {
      idAt: (position) => drafts[position]?.draft,
      positionOf: (id) => drafts.findIndex(({ draft }) => draft === id),
    }
    return pick(drafts.length, firstFrom(id, at, step, order), step, many).map((index) => drafts[index]!)
  }
  const at = id === null ? -1 : list.value.positionOf(id)
  return pick(list.value.total.value, firstFrom(id, at, step, rows), step, many).flatMap((index) => {
    const row = list.value.at(index)
    return row ? [{ thread: row.id, draft: null }] : []
  })
}

/** Where to go when this thread leaves the list: the next row below that will do, otherwise above. */
export function rowBeside(id: string, willDo: (row: ThreadRow) => boolean): ThreadRow | null {
  const at = list.value.positionOf(id)
  if (at < 0 && id !== last.id) return null
  for (const step of [1, -1] as const)
    for (let near = firstFrom(id, at, step, rows); near >= 0; near += step) {
      const row = list.value.at(near)
      if (row === null) break
      if (willDo(row)) return row
    }
  return null
}

function firstFrom(id: string | null, at: number, step: 1 | -1, { idAt, positionOf }: Order): number {
  if (id !== null && at >= 0) last = { id, at, next: idAt(at + 1) }
  if (at >= 0) return at + step
  if (id !== last.id) return 0
  // The row after the one that left: in its place, unless others came or went above.
  const next = last.next === undefined ? -1 : positionOf(last.next)
  const below = next < 0 ? last.at : next
  return step > 0 ? below : below - 1
}

function pick(length: number, first: number, step: 1 | -1, many: number): number[] {
  return Array.from({ length: many }, (_, index) => first + index * step).filter(
    (index) => index >= 0 && index < length,
  )
}
