import { computed, signal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import { get, sentenceOf } from '../page/api.ts'

/** Drafts by one kind of author, loaded page by page. `cursor` is null at the end and empty before the first page. */
interface AuthorDrafts {
  author: 'agent' | 'person'
  drafts: Draft[]
  cursor: string | null
}

const statuses = 'proposed,stale,editing,failed,unknown'
const size = 50
const beginning: AuthorDrafts[] = [
  { author: 'agent', drafts: [], cursor: '' },
  { author: 'person', drafts: [], cursor: '' },
]

const byAuthor = signal<AuthorDrafts[] | null>(null)
/** Open drafts: agents' proposals first, then people's drafts. Null until loaded. */
export const reviewList = computed(() => byAuthor.value?.flatMap(({ drafts }) => drafts) ?? null)
export const reviewProblem = signal<string | null>(null)
export const reviewHasMore = computed(() => byAuthor.value?.some(({ cursor }) => cursor !== null) ?? false)

/** Loads run one at a time, each continuing where the last ended. */
let reading: Promise<void> = Promise.resolve()
let timer: ReturnType<typeof setTimeout> | null = null

/** Reloads from the start, as far as the list was loaded before. */
export function loadReviewList(): Promise<void> {
  return read(() => readUpTo(beginning, Math.max(size, reviewList.value?.length ?? 0)))
}

export function loadMoreReview(): Promise<void> {
  return read(() => readUpTo(byAuthor.value ?? beginning, (reviewList.value?.length ?? 0) + size))
}

function read(work: () => Promise<AuthorDrafts[]>): Promise<void> {
  reading = reading.then(async () => {
    try {
      byAuthor.value = await work()
      reviewProblem.value = null
    } catch (error) {
      reviewProblem.value = sentenceOf(error)
    }
  })
  return reading
}

async function readUpTo(from: readonly AuthorDrafts[], wanted: number): Promise<AuthorDrafts[]> {
  const read = [...from]
  const known = new Set(read.flatMap(({ drafts }) => drafts.map(({ id }) => id)))
  for (const [index] of read.entries()) {
    for (let one = read[index]!; one.cursor !== null && known.size < wanted; one = read[index]!) {
      const { data, nextCursor } = await get('/drafts', {
        query: { status: statuses, author: one.author, limit: String(size), cursor: one.cursor || null },
      })
      const fresh = data.filter(({ id }) => !known.has(id))
      for (const { id } of fresh) known.add(id)
      read[index] = { ...one, drafts: [...one.drafts, ...fresh], cursor: nextCursor }
    }
  }
  return read
}

export function isProposal({ author }: Draft): boolean {
  return author.type === 'agent'
}

export function reviewChanged(): void {
  if (byAuthor.value === null) return
  timer ??= setTimeout(() => {
    timer = null
    void loadReviewList()
  }, 200)
}
