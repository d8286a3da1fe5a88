import type { Mutant } from './mutant.ts'

/** Mail from before Spool, by an import or a first sync, and earlier mail in quotes. */
export const history: readonly Mutant[] = [
  {
    rule: 'of two threads of history that are one the newer counts',
    file: 'src/core/receiving/receive.ts',
    find: 'if (original.run) joinStatuses(original.run, known!, absorbed)',
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
  {
    rule: 'an answer in a quote is one that no earlier message contains',
    file: 'src/core/forms/quoted-answers.ts',
    find: 'if (said.has(run)) known.fill(1,',
    put: 'if (said.has(run)) known.fill(0,',
    tests: ['test/threading/quoted-answers.test.ts'],
  },
  {
    rule: 'only the outermost quote is searched for answers',
    file: 'src/core/forms/quoted-answers.ts',
    find: '(?!\\s{0,3}>)(.*)/',
    put: '(.*)/',
    tests: ['test/threading/quoted-answers.test.ts'],
  },
  {
    rule: 'what stands in place of deleted words is no answer if it resembles them',
    file: 'src/core/forms/quoted-answers.ts',
    find: 'return 2 * added.filter((word) => deleted.has(word)).length < added.length',
    put: 'return added.length > 0 || deleted.size > 0',
    tests: ['test/threading/quoted-answers.test.ts'],
  },
]
