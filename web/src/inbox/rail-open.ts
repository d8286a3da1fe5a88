import { signal } from '@preact/signals'

/** On a narrow page the left column comes out when asked for. */
export const railOpen = signal(false)
