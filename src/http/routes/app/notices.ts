import { viewOfUser } from '../../../core/access/access.ts'
import { countNotices, followThread, listNotices, markNoticesRead } from '../../../core/notices/reading.ts'
import {
  addBrowser,
  changeNoticeSettings,
  chooseNoticeSender,
  readNoticeSettings,
  removeBrowser,
  testNotices,
} from '../../../core/notices/settings.ts'
import { admins, defineAppRoute, everyone } from '../../app-route.ts'

export const noticeRoutes = [
  defineAppRoute('listNotices', everyone, async ({ spool, actor, query }) => ({
    body: await listNotices(spool, await viewOfUser(spool.db, actor.user), query),
  })),

  defineAppRoute('readNotices', everyone, async ({ spool, actor, body: { ids } }) => {
    await markNoticesRead(spool, actor.user, ids === null ? 'all' : { ids })
    return { body: { unread: await countNotices(spool, await viewOfUser(spool.db, actor.user)) } }
  }),

  defineAppRoute('followThread', everyone, async ({ spool, actor, path, body: { following } }) => {
    await followThread(spool, actor.user, path.id, following)
    return { body: { following } }
  }),

  defineAppRoute('getNoticeSettings', everyone, async ({ spool, actor }) => ({
    body: await readNoticeSettings(spool, actor),
  })),

  defineAppRoute('changeNoticeSettings', everyone, async ({ spool, actor, body }) => ({
    body: await changeNoticeSettings(spool, actor, body),
  })),

  defineAppRoute('testNotices', everyone, async ({ spool, actor, body: { way } }) => {
    await testNotices(spool, actor, way)
    return { body: { sent: true } }
  }),

  defineAppRoute('addNoticeBrowser', everyone, async ({ spool, actor, body }) => {
    await addBrowser(spool, actor, body)
    return { body: await readNoticeSettings(spool, actor) }
  }),

  defineAppRoute('removeNoticeBrowser', everyone, async ({ spool, actor, path }) => {
    await removeBrowser(spool, actor, path.id)
    return { body: await readNoticeSettings(spool, actor) }
  }),

  defineAppRoute('chooseNoticeSender', admins, async ({ spool, actor, body }) => {
    await chooseNoticeSender(spool, actor, body.inbox)
    return { body: await readNoticeSettings(spool, actor) }
  }),
]
