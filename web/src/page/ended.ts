import { signal } from '@preact/signals'

/** Set when the server no longer accepts the session; the sign-in dialog then opens over the page. */
export const sessionEnded = signal(false)

/** Whom the page acts for; the server refuses a request if somebody else has signed in in another tab. */
export const actsFor = signal<string | null>(null)
