import { signal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'

const page = signal<ComponentType | null>(null)

/** Not needed for the first view. */
export function LazyNotices(): JSX.Element | null {
  useEffect(() => {
    if (!page.value) void import('./notices.tsx').then(({ Notices }) => (page.value = Notices))
  }, [])
  return page.value && <page.value />
}
