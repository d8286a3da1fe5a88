import { signal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import { ask, sentenceOf, type Page } from '../api.ts'

/** Open drafts of one's inboxes: what agents propose first, then what people are writing. */
export const reviewList = signal<Draft[] | null>(null)
export const reviewProblem = signal<string | null>(null)

const open = 'proposed,stale,editing,failed,unknown'
let watched = false
let timer: ReturnType<typeof setTimeout> | null = null

export async function loadReviewList(): Promise<void> {
  watched = true
  try {
    const { data } = await ask<Page<Draft>>('GET', `/drafts?status=${open}&limit=100`)
    const proposals = data.filter((draft) => isProposal(draft))
    reviewList.value = [...proposals, ...data.filter((draft) => !isProposal(draft))]
    reviewProblem.value = null
  } catch (error) {
    reviewProblem.value = sentenceOf(error)
  }
}

export function isProposal({ author }: Draft): boolean {
  return author.type === 'agent'
}

export function reviewChanged(): void {
  if (!watched) return
  timer ??= setTimeout(() => {
    timer = null
    void loadReviewList()
  }, 200)
}
