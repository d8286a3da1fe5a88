/** Every text about notices; see ../page/texts.ts. */
export const texts = {
  title: 'Notices',
  unread: (count: number) => (count === 1 ? '1 unread' : `${count} unread`),
  readAll: 'Mark all read',
  settings: 'Notice settings',
  none: 'Nothing yet. You are told here when somebody mentions you, assigns you a thread, or mail arrives in a thread of yours.',
  more: 'Show earlier notices',
  again: 'Try again',
  isUnread: 'Unread',
  markRead: 'Mark read',
  back: 'Show views',
  noSubject: '(no subject)',
  about: (sender: string, subject: string) => `${sender}: ${subject}`,
}
