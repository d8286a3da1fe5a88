import { signal } from '@preact/signals'

/** Where there is no room beside the thread, the notes come over it when asked for. */
export const notesOpen = signal(false)
