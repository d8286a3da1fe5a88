import { signal } from '@preact/signals'

/** The window title, without the number of unread notices. */
export const title = signal('')
