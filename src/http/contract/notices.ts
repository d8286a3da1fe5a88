import { z } from 'zod'
import { followings, Notice, NoticeSettings, NoticeSettingsView } from '../../model/notices/notices.ts'
import { cursor, limit, pageOf } from './paging.ts'
import { get, none, post, put, remove, type RouteContract } from './route.ts'

const id = z.string().max(100)
/** Base64url, as provided by browsers. */
const key = z.string().regex(/^[A-Za-z0-9_-]{16,120}=*$/)

export const noticeContract = {
  listNotices: get('/notices', z.strictObject({ limit, cursor }), pageOf(Notice).extend({ unread: z.int() })),
  /** `ids: null` marks all of them as read. */
  readNotices: post(
    '/notices/read',
    z.strictObject({ ids: z.array(id).min(1).max(100).nullable() }),
    z.object({ unread: z.int() }),
  ),
  followThread: put(
    '/threads/{id}/following',
    z.strictObject({ following: z.enum(followings).nullable() }),
    z.object({ following: z.enum(followings).nullable() }),
  ),
  getNoticeSettings: get('/notices/settings', none, NoticeSettingsView),
  changeNoticeSettings: put('/notices/settings', NoticeSettings, NoticeSettingsView),
  testNotices: post(
    '/notices/test',
    z.strictObject({ way: z.enum(['push', 'mail']) }),
    z.object({ sent: z.literal(true) }),
  ),
  addNoticeBrowser: post(
    '/notices/browsers',
    z.strictObject({
      // As browsers write it. PostgreSQL cannot index a longer one in other scripts.
      endpoint: z
        .url()
        .max(2000)
        .regex(/^[\x21-\x7e]+$/, 'must be the address that the browser gave'),
      keys: z.strictObject({ p256dh: key, auth: key }),
    }),
    NoticeSettingsView,
  ),
  removeNoticeBrowser: remove('/notices/browsers/{id}', NoticeSettingsView),
  chooseNoticeSender: put('/notices/sender', z.strictObject({ inbox: id.nullable() }), NoticeSettingsView),
} as const satisfies Record<string, RouteContract>
