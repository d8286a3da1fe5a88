import { computed, signal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import { get, sentenceOf } from '../page/api.ts'

/** One kind of draft, read page by page. `cursor` is null at the end, and empty before the beginning. */
interface Lane {
  author: 'agent' | 'person'
  drafts: Draft[]
  cursor: string | null
}

const statuses = 'proposed,stale,editing,failed,unknown'
const size = 50
const beginning: Lane[] = [
  { author: 'agent', drafts: [], cursor: '' },
  { author: 'person', drafts: [], cursor: '' },
]

const lanes = signal<Lane[] | null>(null)
/** Open drafts of one's inboxes: what agents propose first, then what people are writing. Null before the first answer. */
export const reviewList = computed(() => lanes.value?.flatMap(({ drafts }) => drafts) ?? null)
export const reviewProblem = signal<string | null>(null)
export const reviewHasMore = computed(() => lanes.value?.some(({ cursor }) => cursor !== null) ?? false)

/** One reading after the other: each goes on where the one before ended. */
let reading: Promise<void> = Promise.resolve()
let timer: ReturnType<typeof setTimeout> | null = null

/** From the beginning, as far as it was read before. */
export function loadReviewList(): Promise<void> {
  return read(() => readUpTo(beginning, Math.max(size, reviewList.value?.length ?? 0)))
}

export function loadMoreReview(): Promise<void> {
  return read(() => readUpTo(lanes.value ?? beginning, (reviewList.value?.length ?? 0) + size))
}

function read(work: () => Promise<Lane[]>): Promise<void> {
  reading = reading.then(async () => {
    try {
      lanes.value = await work()
      reviewProblem.value = null
    } catch (error) {
      reviewProblem.value = sentenceOf(error)
    }
  })
  return reading
}

async function readUpTo(from: readonly Lane[], wanted: number): Promise<Lane[]> {
  const read = [...from]
  const known = new Set(read.flatMap(({ drafts }) => drafts.map(({ id }) => id)))
  for (const [index] of read.entries()) {
    for (let lane = read[index]!; lane.cursor !== null && known.size < wanted; lane = read[index]!) {
      const { data, nextCursor } = await get('/drafts', {
        query: { status: statuses, author: lane.author, limit: String(size), cursor: lane.cursor || null },
      })
      const fresh = data.filter(({ id }) => !known.has(id))
      for (const { id } of fresh) known.add(id)
      read[index] = { ...lane, drafts: [...lane.drafts, ...fresh], cursor: nextCursor }
    }
  }
  return read
}

export function isProposal({ author }: Draft): boolean {
  return author.type === 'agent'
}

export function reviewChanged(): void {
  if (lanes.value === null) return
  timer ??= setTimeout(() => {
    timer = null
    void loadReviewList()
  }, 200)
}
