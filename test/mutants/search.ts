import type { Mutant } from './mutant.ts'

/** What a search finds, and searches that people keep. */
export const search: readonly Mutant[] = [
  {
    rule: 'a search that the newest threads do not answer is asked of the index',
    file: 'src/store/threads/found.ts',
    find: 'collects ||= left === null',
    put: 'collects ||= false',
    tests: ['test/stories/search-pages.test.ts'],
  },
  {
    rule: 'a search walks on where all matches would take longer',
    file: 'src/store/threads/found.ts',
    find: 'matches * walkedPerMatch',
    put: '3_000',
    tests: ['test/stories/search-pages.test.ts'],
    only: 'walks on',
  },
  {
    rule: 'excluded words exclude among the newest threads',
    file: 'src/store/threads/search.ts',
    find: '!bad.has(number)',
    put: 'bad.size >= 0',
    tests: ['test/stories/search-operators.test.ts'],
  },
  {
    rule: 'a beginning with many words stands for all of them',
    file: 'src/store/threads/search.ts',
    find: 'words.length > mostAlternatives ? [`${beginning}*`] : words',
    put: 'words',
    tests: ['test/stories/search-operators.test.ts'],
  },
  {
    rule: 'excluded words exclude in the whole index',
    file: 'src/store/threads/search.ts',
    find: "if (left === '') return positive",
    put: 'if (left.length >= 0) return positive',
    tests: ['test/stories/search-pages.test.ts'],
  },
  {
    rule: 'what is in one field is not found by another',
    file: 'src/core/search/search.ts',
    find: 'tests.every((passes) => passes(message))',
    put: 'tests.length > 0',
    tests: ['test/stories/search-operators.test.ts'],
  },
  {
    rule: "a person's saved views are theirs alone",
    file: 'src/store/people/saved-views.ts',
    find: '{ id, user_id: userId }',
    put: '{ id }',
    tests: ['test/stories/search-operators.test.ts'],
  },
]
