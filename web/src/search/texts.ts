import type { SearchOperator } from '../../../src/model/search/query.ts'

/** What an operator finds, as shown in suggestions. */
const operators: Record<SearchOperator, string> = {
  from: 'sender',
  to: 'recipient',
  cc: 'Cc recipient',
  subject: 'words in the subject',
  filename: 'name of an attachment',
  in: 'inbox',
  is: 'status, or unread',
  assignee: 'who it is assigned to',
  has: 'attachment',
  before: 'before a date',
  after: 'on or after a date',
  on: 'on a day, in a month or a year',
  older_than: 'older than, such as 30d',
  newer_than: 'newer than, such as 7d',
}

export const searchTexts = {
  operators,
  offers: 'Suggestions',
  parts: 'Search filters',
  remove: (part: string) => `Remove ${part}`,
  counting: 'Counting…',
  count: (count: number, isAll: boolean) =>
    `${count.toLocaleString()}${isAll ? '' : '+'} ${count === 1 && isAll ? 'thread' : 'threads'}`,
  save: 'Save view',
  name: 'View name',
  saveNow: 'Save',
  cancel: 'Cancel',
  removeView: 'Remove view',
  removed: (name: string) => `“${name}” was removed.`,
  saved: 'Saved views',
  hits: (at: number, count: number) => (at === 0 ? `${count} in this thread` : `${at} of ${count}`),
  hitsLabel: 'Matches in this thread',
  nextHit: 'Next match',
  previousHit: 'Previous match',
}
