import type { Status } from '../../../src/model/thread.ts'

/** The statuses that can be chosen directly; snoozing needs a time. */
export const statusNames = ['open', 'waiting', 'closed', 'spam'] as const satisfies readonly Status[]
