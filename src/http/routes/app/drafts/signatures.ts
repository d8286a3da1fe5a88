import { getSignature, setSignature } from '../../../../core/people/signatures.ts'
import { defineAppRoute, everyone, writers } from '../../../app-route.ts'

export const signatureRoutes = [
  defineAppRoute('getSignature', everyone, async ({ spool, actor, path }) => ({
    body: { text: await getSignature(spool, actor, path.id) },
  })),

  defineAppRoute('setSignature', writers, async ({ spool, actor, path, body }) => {
    await setSignature(spool, actor, path.id, body.text)
    return { body: { text: await getSignature(spool, actor, path.id) } }
  }),
]
