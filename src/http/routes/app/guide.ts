import { readGuide, setGuideStep } from '../../../core/inboxes/guide.ts'
import { admins, defineAppRoute } from '../../app-route.ts'

export const guideRoutes = [
  defineAppRoute('getGuide', admins, async ({ spool }) => ({
    body: await readGuide(spool),
  })),

  defineAppRoute('setGuideStep', admins, async ({ spool, actor, body }) => ({
    body: await setGuideStep(spool, actor, body.step, body.state),
  })),
]
