import { readGuide, setGuideStep } from '../../../core/inboxes/guide.ts'
import { admins, defineAppRoute } from '../../app-route.ts'

export const guideGet = defineAppRoute('getGuide', {
  roles: admins,
  handle: async ({ spool }) => ({ body: await readGuide(spool) }),
})

export const guideSet = defineAppRoute('setGuideStep', {
  roles: admins,
  handle: async ({ spool, actor, body }) => ({
    body: await setGuideStep(spool, actor, body.step, body.state),
  }),
})
