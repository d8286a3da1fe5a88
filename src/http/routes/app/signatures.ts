import { z } from 'zod'
import { getSignature, setSignature } from '../../../core/signatures.ts'
import { defineAppRoute, everyone, writers } from '../../app-route.ts'

export const signatureGet = defineAppRoute({
  method: 'GET',
  path: '/inboxes/{id}/signature',
  operationId: 'getSignature',
  roles: everyone,
  query: z.strictObject({}),
  body: null,
  handle: async ({ spool, actor, path }) => ({
    body: { text: await getSignature(spool, actor, path['id']!) },
  }),
})

export const signatureSet = defineAppRoute({
  method: 'PUT',
  path: '/inboxes/{id}/signature',
  operationId: 'setSignature',
  roles: writers,
  query: z.strictObject({}),
  body: z.strictObject({ text: z.string() }),
  async handle({ spool, actor, path, body }) {
    await setSignature(spool, actor, path['id']!, body.text)
    return { body: { text: await getSignature(spool, actor, path['id']!) } }
  },
})
