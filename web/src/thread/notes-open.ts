import { signal } from '@preact/signals'

/** On narrow screens the notes open over the thread on demand. */
export const notesOpen = signal(false)
