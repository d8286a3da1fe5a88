import { z } from 'zod'
import { followings, Notice, NoticeBrowser, NoticeSettings } from '../../model/notices/notices.ts'
import { cursor, limit, pageOf } from './paging.ts'
import { none, type RouteContract } from './route.ts'

const id = z.string().max(100)
/** Base64url, as provided by browsers. */
const key = z.string().regex(/^[A-Za-z0-9_-]{16,120}=*$/)
const Inbox = z.object({ id: z.string(), name: z.string() })

const NoticeSettingsView = z.object({
  settings: NoticeSettings,
  isChanged: z.boolean(),
  pushKey: z.string(),
  browsers: z.array(NoticeBrowser),
  mail: z.object({
    isPossible: z.boolean(),
    problem: z.string().nullable(),
    sender: z.object({ inbox: z.string().nullable(), inboxes: z.array(Inbox) }).nullable(),
  }),
})

export const noticeContract = {
  listNotices: {
    method: 'GET',
    path: '/notices',
    query: z.strictObject({ limit, cursor }),
    body: null,
    answer: pageOf(Notice).extend({ unread: z.int() }),
  },
  readNotices: {
    method: 'POST',
    path: '/notices/read',
    query: none,
    /** `ids: null` marks all of them as read. */
    body: z.strictObject({ ids: z.array(id).min(1).max(100).nullable() }),
    answer: z.object({ unread: z.int() }),
  },
  followThread: {
    method: 'PUT',
    path: '/threads/{id}/following',
    query: none,
    body: z.strictObject({ following: z.enum(followings).nullable() }),
    answer: z.object({ following: z.enum(followings).nullable() }),
  },
  getNoticeSettings: {
    method: 'GET',
    path: '/notices/settings',
    query: none,
    body: null,
    answer: NoticeSettingsView,
  },
  changeNoticeSettings: {
    method: 'PUT',
    path: '/notices/settings',
    query: none,
    body: NoticeSettings,
    answer: NoticeSettingsView,
  },
  testNotices: {
    method: 'POST',
    path: '/notices/test',
    query: none,
    body: z.strictObject({ way: z.enum(['push', 'mail']) }),
    answer: z.object({ sent: z.literal(true) }),
  },
  addNoticeBrowser: {
    method: 'POST',
    path: '/notices/browsers',
    query: none,
    body: z.strictObject({
      endpoint: z.url().max(2000),
      keys: z.strictObject({ p256dh: key, auth: key }),
    }),
    answer: NoticeSettingsView,
  },
  removeNoticeBrowser: {
    method: 'DELETE',
    path: '/notices/browsers/{id}',
    query: none,
    body: null,
    answer: NoticeSettingsView,
  },
  chooseNoticeSender: {
    method: 'PUT',
    path: '/notices/sender',
    query: none,
    body: z.strictObject({ inbox: id.nullable() }),
    answer: NoticeSettingsView,
  },
} as const satisfies Record<string, RouteContract>
