import { z } from 'zod'
import { readGuide, setGuideStep } from '../../../core/guide.ts'
import { guideSteps } from '../../../model/settings.ts'
import { admins, defineAppRoute } from '../../app-route.ts'

const none = z.strictObject({})

export const guideGet = defineAppRoute({
  method: 'GET',
  path: '/guide',
  operationId: 'getGuide',
  roles: admins,
  query: none,
  body: null,
  handle: async ({ spool }) => ({ body: await readGuide(spool) }),
})

export const guideSet = defineAppRoute({
  method: 'PUT',
  path: '/guide',
  operationId: 'setGuideStep',
  roles: admins,
  query: none,
  body: z.strictObject({ step: z.enum(guideSteps), state: z.enum(['skipped', 'open']) }),
  handle: async ({ spool, actor, body }) => ({
    body: await setGuideStep(spool, actor, body.step, body.state),
  }),
})
