import type { Status } from '../../../src/model/thread.ts'

/** Those one can choose without saying more; snoozing needs a time. */
export const statusNames = ['open', 'waiting', 'closed', 'spam'] as const satisfies readonly Status[]
