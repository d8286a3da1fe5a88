import { usualSettings } from '../../src/model/notices/notices.ts'

const own = 'own' as const
const absent = 404 as const

/** Routes for notices; see private-routes.ts. */
export const noticeExamples = {
  listNotices: { path: () => '/notices', stranger: own },
  readNotices: { path: () => '/notices/read', body: () => ({ ids: null }), stranger: own },
  followThread: {
    path: ({ thread }: { thread: string }) => `/threads/${thread}/following`,
    body: () => ({ following: 'follow' }),
    stranger: absent,
  },
  getNoticeSettings: { path: () => '/notices/settings', stranger: own },
  changeNoticeSettings: {
    path: () => '/notices/settings',
    body: () => usualSettings,
    stranger: own,
  },
  // No browser is subscribed to push, and no server sends notices.
  testNotices: {
    path: () => '/notices/test',
    body: () => ({ way: 'push' }),
    statuses: [409],
    stranger: own,
  },
  addNoticeBrowser: {
    path: () => '/notices/browsers',
    body: () => ({
      endpoint: 'https://push.example/1',
      keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
    }),
    stranger: own,
  },
  removeNoticeBrowser: { path: () => '/notices/browsers/psh_1', statuses: [404], stranger: absent },
  // There is no such link.
  mailLink: {
    path: () => '/settings/links/mail',
    body: () => ({ kind: 'invitation', token: 'x'.repeat(43) }),
    statuses: [404],
    stranger: own,
  },
  chooseNoticeSender: { path: () => '/notices/sender', body: () => ({ inbox: null }), stranger: own },
}
