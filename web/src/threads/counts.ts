import { signal } from '@preact/signals'
import { mostCounted } from '../../../src/model/thread-views.ts'
import type { Counts } from '../../../src/model/work.ts'
import { beginRequest, get } from '../page/api.ts'
import { texts } from '../page/texts.ts'
import { actionTexts } from './texts.ts'

export const counts = signal<{ views: Partial<Counts['views']>; inboxes: Counts['inboxes'] }>({
  views: {},
  inboxes: {},
})

const numbers = new Intl.NumberFormat(texts.language)

/** Exact up to the limit to which the server counts. */
export function formatCount(count: number): string {
  return count >= mostCounted ? actionTexts.more : numbers.format(count)
}

let timer: ReturnType<typeof setTimeout> | null = null
let asked = 0

/** Several changes cause one request, with at most one per second. */
export function refreshCounts(delay = 250): void {
  timer ??= setTimeout(
    () => {
      timer = null
      asked = Date.now()
      const isNew = beginRequest(counts)
      void get('/counts').then(
        (now) => {
          if (isNew()) counts.value = now
        },
        () => undefined,
      )
    },
    Math.max(delay, asked + 1000 - Date.now()),
  )
}
