import { signal } from '@preact/signals'
import { sentenceOf } from './api.ts'

export interface Toast {
  id: number
  text: string
  kind: 'plain' | 'problem'
}

/** Short messages at the bottom of the page that disappear after a while. */
export const toasts = signal<Toast[]>([])
let last = 0

export function showToast(text: string, kind: Toast['kind'] = 'plain'): void {
  const id = ++last
  toasts.value = [...toasts.value.filter((toast) => toast.text !== text), { id, text, kind }].slice(-3)
  setTimeout(() => dismissToast(id), kind === 'problem' ? 8000 : 4000)
}

export function showProblem(error: unknown): void {
  showToast(sentenceOf(error), 'problem')
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}
