import { signal } from '@preact/signals'

/** What the window is called, without the number of unread notices. */
export const title = signal('')
