import { signal } from '@preact/signals'

/** On a narrow screen the left column opens on demand. */
export const railOpen = signal(false)
