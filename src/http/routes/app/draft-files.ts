import { z } from 'zod'
import { attachFile, detachFile, getDraftFile } from '../../../core/draft-attachments.ts'
import { defineAppRoute, everyone, writers } from '../../app-route.ts'
import { contentDisposition } from '../v1/attachments.ts'

const revision = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be the revision that the edit is made on')
  .transform(Number)

export const fileAttach = defineAppRoute({
  method: 'POST',
  path: '/drafts/{id}/attachments',
  operationId: 'attachFile',
  roles: writers,
  query: z.strictObject({
    revision,
    filename: z.string(),
    contentType: z.string().default('application/octet-stream'),
  }),
  body: 'bytes',
  handle: async ({ spool, actor, path, query, body }) => ({
    body: await attachFile(spool, actor, { draftId: path['id']!, ...query, content: body as Uint8Array }),
  }),
})

export const fileDetach = defineAppRoute({
  method: 'DELETE',
  path: '/drafts/{id}/attachments/{attachmentId}',
  operationId: 'detachFile',
  roles: writers,
  query: z.strictObject({ revision }),
  body: null,
  handle: async ({ spool, actor, path, query }) => ({
    body: await detachFile(spool, actor, {
      draftId: path['id']!,
      attachmentId: path['attachmentId']!,
      revision: query.revision,
    }),
  }),
})

export const fileGet = defineAppRoute({
  method: 'GET',
  path: '/drafts/{id}/attachments/{attachmentId}',
  operationId: 'getDraftFile',
  roles: everyone,
  query: z.strictObject({}),
  body: null,
  async handle({ spool, actor, path }) {
    const file = await getDraftFile(spool, actor, path['id']!, path['attachmentId']!)
    return {
      body: Buffer.from(file.content),
      headers: {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': contentDisposition(file.filename),
      },
    }
  },
})
