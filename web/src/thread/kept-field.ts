import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { OpenThread } from '../../../src/model/work.ts'

/** Mail that arrives above a draft, or gets its height late, does not move the field in which somebody is writing. */
export function useKeptField(body: RefObject<HTMLElement | null>, { history, drafts }: OpenThread): void {
  const kept = useRef<{ field: Element; at: number } | null>(null)
  useLayoutEffect(() => {
    const box = body.current!
    // Who has scrolled away from it reads something else.
    const isInSight = ({ clientHeight }: Element, at: number): boolean => {
      const top = at - box.scrollTop - box.getBoundingClientRect().top
      return top + clientHeight > 0 && top < box.clientHeight
    }
    const keep = (): void => {
      const field = box.querySelector('.draft :focus')
      const at = field ? field.getBoundingClientRect().top + box.scrollTop : 0
      if (field !== null && field === kept.current?.field && isInSight(field, kept.current.at))
        box.scrollTop += at - kept.current.at
      kept.current = field && { field, at }
    }
    keep()
    const growing = new ResizeObserver(keep)
    for (const each of box.querySelectorAll('.msg, .draft')) growing.observe(each)
    box.addEventListener('focusin', keep)
    return () => {
      growing.disconnect()
      box.removeEventListener('focusin', keep)
    }
  }, [history, drafts])
}
