import { z } from 'zod'
import { readLetter, sendDraft, settleDraft, takeBackDraft } from '../../../core/sending.ts'
import { defineAppRoute, everyone, writers } from '../../app-route.ts'

const none = z.strictObject({})

/** What a person must be shown before sending, and what the seal is made of. */
export const draftLetter = defineAppRoute({
  method: 'GET',
  path: '/drafts/{id}/letter',
  operationId: 'getLetter',
  roles: everyone,
  query: none,
  body: null,
  handle: async ({ spool, actor, path }) => ({ body: await readLetter(spool, actor, path['id']!) }),
})

export const draftSend = defineAppRoute({
  method: 'POST',
  path: '/drafts/{id}/send',
  operationId: 'sendDraft',
  roles: writers,
  query: none,
  body: z.strictObject({
    revision: z.int().min(1),
    seal: z.string().regex(/^[0-9a-f]{64}$/, 'is the SHA-256 of what was shown, in hexadecimal digits'),
    close: z.boolean().default(false),
  }),
  handle: async ({ spool, actor, path, body }) => ({
    body: await sendDraft(spool, actor, { draftId: path['id']!, ...body }),
  }),
})

export const draftTakeBack = defineAppRoute({
  method: 'POST',
  path: '/drafts/{id}/undo',
  operationId: 'takeBackDraft',
  roles: writers,
  query: none,
  body: none,
  handle: async ({ spool, actor, path }) => ({ body: await takeBackDraft(spool, actor, path['id']!) }),
})

/** A person's word: `sent` for what was delivered though no answer came, `editing` to try it again. */
export const draftSettle = defineAppRoute({
  method: 'POST',
  path: '/drafts/{id}/settle',
  operationId: 'settleDraft',
  roles: writers,
  query: none,
  body: z.strictObject({ as: z.enum(['sent', 'editing']) }),
  handle: async ({ spool, actor, path, body }) => ({
    body: await settleDraft(spool, actor, { draftId: path['id']!, as: body.as }),
  }),
})
