import { signal } from '@preact/signals'
import { sentenceOf } from './api.ts'

export interface Notice {
  id: number
  text: string
  kind: 'plain' | 'problem'
}

/** Short messages at the bottom of the page that disappear after a while. */
export const notices = signal<Notice[]>([])
let last = 0

export function tell(text: string, kind: Notice['kind'] = 'plain'): void {
  const id = ++last
  notices.value = [...notices.value.filter((notice) => notice.text !== text), { id, text, kind }].slice(-3)
  setTimeout(() => dismiss(id), kind === 'problem' ? 8000 : 4000)
}

export function tellProblem(error: unknown): void {
  tell(sentenceOf(error), 'problem')
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}
