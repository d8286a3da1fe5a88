import { signal } from '@preact/signals'

/** Set when the server no longer knows this browser; the sign-in page then comes up over what is open. */
export const sessionEnded = signal(false)
