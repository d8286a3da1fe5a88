import { signal } from '@preact/signals'
import type { Counts } from '../../../src/model/work.ts'
import { get } from '../page/api.ts'

export const counts = signal<{ views: Partial<Counts['views']>; inboxes: Counts['inboxes'] }>({
  views: {},
  inboxes: {},
})

let timer: ReturnType<typeof setTimeout> | null = null

/** Debounced: several changes cause one request. */
export function refreshCounts(delay = 250): void {
  timer ??= setTimeout(() => {
    timer = null
    void get('/counts').then(
      (now) => {
        counts.value = now
      },
      () => undefined,
    )
  }, delay)
}
