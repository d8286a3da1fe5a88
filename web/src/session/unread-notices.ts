import { effect, signal } from '@preact/signals'
import { title } from '../page/title.ts'
import { onNotices } from './live.ts'

/** The number of unread notices, updated by the server. */
export const unreadNotices = signal(0)
onNotices((unread) => (unreadNotices.value = unread))

effect(() => {
  const count = unreadNotices.value
  if (title.value !== '') document.title = count > 0 ? `(${count}) ${title.value}` : title.value
})
