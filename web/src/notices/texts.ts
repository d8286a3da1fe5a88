/** Every text about notices; see ../page/texts.ts. */
export const texts = {
  title: 'Notices',
  readAll: 'Mark all as read',
  settings: 'Notice settings',
  none: 'No notices yet. You’ll see one when someone mentions you, assigns you a thread, or replies in a thread assigned to you.',
  more: 'Show earlier notices',
  isUnread: 'Unread',
  markRead: 'Mark as read',
  noSubject: '(no subject)',
  about: (sender: string, subject: string) => `${sender}: ${subject}`,
}
