import { signal } from '@preact/signals'
import { ask, type Counts } from '../api.ts'

export const counts = signal<Counts>({ views: {}, inboxes: {} })

let timer: ReturnType<typeof setTimeout> | null = null

/** Soon, and once for whatever happens meanwhile. */
export function refreshCounts(delay = 250): void {
  timer ??= setTimeout(() => {
    timer = null
    void ask<Counts>('GET', '/counts').then(
      (now) => {
        counts.value = now
      },
      () => undefined,
    )
  }, delay)
}
