import { signal } from '@preact/signals'

/** Set when the server no longer accepts the session; the sign-in dialog then opens over the page. */
export const sessionEnded = signal(false)
