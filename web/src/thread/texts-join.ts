export const joinTexts = {
  title: 'Merge with another thread',
  text: 'Choose another thread in this inbox. The two become one, with all their messages, notes and drafts.',
  search: 'Search threads',
  none: 'No other threads found in this inbox.',
  sure: {
    title: 'Merge these two threads?',
    text: "All messages, notes and drafts will be in one thread. This can't be undone.",
    merge: 'Merge',
    back: 'Choose another',
    messages: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
  },
}
