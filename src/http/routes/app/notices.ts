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
  defineAppRoute('listNotices', everyone, async ({ spool, view, query }) =>
    listNotices(spool, await view(), query),
  ),

  defineAppRoute('readNotices', everyone, async ({ spool, view, actor, body: { ids } }) => {
    await markNoticesRead(spool, actor.user, ids === null ? 'all' : { ids })
    return { unread: await countNotices(spool, await view()) }
  }),

  defineAppRoute('followThread', everyone, async ({ spool, actor, path, body: { following } }) => {
    await followThread(spool, actor.user, path.id, following)
    return { following }
  }),

  defineAppRoute('getNoticeSettings', everyone, ({ spool, actor }) => readNoticeSettings(spool, actor)),

  defineAppRoute('changeNoticeSettings', everyone, ({ spool, actor, body }) =>
    changeNoticeSettings(spool, actor, body),
  ),

  defineAppRoute('testNotices', everyone, async ({ spool, actor, body: { way } }) => {
    await testNotices(spool, actor, way)
    return { sent: true }
  }),

  defineAppRoute('addNoticeBrowser', everyone, async ({ spool, actor, body }) => {
    await addBrowser(spool, actor, body)
    return readNoticeSettings(spool, actor)
  }),

  defineAppRoute('removeNoticeBrowser', everyone, async ({ spool, actor, path }) => {
    await removeBrowser(spool, actor, path.id)
    return readNoticeSettings(spool, actor)
  }),

  defineAppRoute('chooseNoticeSender', admins, async ({ spool, actor, body }) => {
    await chooseNoticeSender(spool, actor, body.inbox)
    return readNoticeSettings(spool, actor)
  }),
]
