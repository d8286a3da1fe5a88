import type { Mutant } from './mutant.ts'

/** Mail from before Spool: an import or a first sync. */
export const history: readonly Mutant[] = [
  {
    rule: 'of two threads of history that are one the newer counts',
    file: 'src/core/receiving/receive.ts',
    find: 'if (told.run) joinStatuses(told.run, known!, absorbed)',
    put: '',
    tests: ['test/stories/first-day.test.ts'],
    only: 'turn out to be one',
  },
  {
    rule: 'of two threads of history the newer counts, whichever was stored first',
    file: 'src/core/receiving/history-run.ts',
    find: 'absorbed.timestamp > survivor.timestamp',
    put: 'absorbed.timestamp < survivor.timestamp',
    tests: ['test/stories/first-day.test.ts'],
    only: 'turn out to be one',
  },
]
