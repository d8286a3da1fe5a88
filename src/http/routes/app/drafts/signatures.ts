import { getSignature, setSignature } from '../../../../core/people/signatures.ts'
import { defineAppRoute, everyone, writers } from '../../../app-route.ts'

export const signatureGet = defineAppRoute('getSignature', {
  roles: everyone,
  handle: async ({ spool, actor, path }) => ({
    body: { text: await getSignature(spool, actor, path.id) },
  }),
})

export const signatureSet = defineAppRoute('setSignature', {
  roles: writers,
  async handle({ spool, actor, path, body }) {
    await setSignature(spool, actor, path.id, body.text)
    return { body: { text: await getSignature(spool, actor, path.id) } }
  },
})
