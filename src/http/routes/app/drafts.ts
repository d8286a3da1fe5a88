import { z } from 'zod'
import { forwardMessage, startConversation } from '../../../core/compositions.ts'
import {
  confirmDraft,
  discardDraft,
  getDraft,
  listDraftRevisions,
  listDrafts,
  proposeDraft,
  reviseDraft,
} from '../../../core/drafts.ts'
import { DraftStatus, type DraftKind } from '../../../model/draft.ts'
import { defineAppRoute } from '../../app-route.ts'
import { cursor, limit } from '../../query.ts'

const none = z.strictObject({})
const revision = z.int().min(1)

const People = z.array(
  z.strictObject({ name: z.string().max(200).nullable().default(null), address: z.string().max(320) }),
)
const words = {
  text: z.string(),
  to: People,
  cc: People,
  bcc: People,
  subject: z.string(),
}
const optionalWords = z.strictObject(words).partial().shape

/** Undefined and missing are the same to a page, not to a spread. */
function given<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never
}

const Statuses = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(DraftStatus))
  .nullable()
  .default(null)

export const draftList = defineAppRoute({
  method: 'GET',
  path: '/drafts',
  operationId: 'listDrafts',
  query: z.strictObject({
    thread: z.string().nullable().default(null),
    status: Statuses,
    author: z.enum(['agent', 'person']).nullable().default(null),
    limit,
    cursor,
  }),
  body: null,
  handle: async ({ spool, actor, query: { thread, status, author, ...page } }) => ({
    body: await listDrafts(spool, actor, { threadId: thread, statuses: status, author }, page),
  }),
})

const NewDraft = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('reply' satisfies DraftKind),
    threadId: z.string(),
    ...optionalWords,
    text: words.text,
  }),
  z.strictObject({ kind: z.literal('forward' satisfies DraftKind), messageId: z.string(), ...optionalWords }),
  z.strictObject({ kind: z.literal('new' satisfies DraftKind), inboxId: z.string(), ...optionalWords }),
])

export const draftCreate = defineAppRoute({
  method: 'POST',
  path: '/drafts',
  operationId: 'createDraft',
  query: none,
  body: NewDraft,
  async handle({ spool, actor, body }) {
    switch (body.kind) {
      case 'reply': {
        const { kind: _, ...wanted } = body
        return { body: await proposeDraft(spool, actor, given(wanted)) }
      }
      case 'forward': {
        const { kind: _, ...wanted } = body
        return { body: await forwardMessage(spool, actor, given(wanted)) }
      }
      case 'new': {
        const { kind: _, ...wanted } = body
        return { body: await startConversation(spool, actor, given(wanted)) }
      }
    }
  },
})

export const draftGet = defineAppRoute({
  method: 'GET',
  path: '/drafts/{id}',
  operationId: 'getDraft',
  query: none,
  body: null,
  handle: async ({ spool, actor, path }) => ({ body: await getDraft(spool, actor, path['id']!) }),
})

export const draftRevise = defineAppRoute({
  method: 'PUT',
  path: '/drafts/{id}',
  operationId: 'reviseDraft',
  query: none,
  body: z.strictObject({ revision, ...optionalWords, text: words.text }),
  handle: async ({ spool, actor, path, body }) => ({
    body: await reviseDraft(spool, actor, { draftId: path['id']!, ...given(body) }),
  }),
})

export const draftRevisions = defineAppRoute({
  method: 'GET',
  path: '/drafts/{id}/revisions',
  operationId: 'listDraftRevisions',
  query: none,
  body: null,
  handle: async ({ spool, actor, path }) => ({
    body: { data: await listDraftRevisions(spool, actor, path['id']!) },
  }),
})

export const draftConfirm = defineAppRoute({
  method: 'POST',
  path: '/drafts/{id}/confirm',
  operationId: 'confirmDraft',
  query: none,
  body: z.strictObject({ revision, newestMessageId: z.string() }),
  handle: async ({ spool, actor, path, body }) => ({
    body: await confirmDraft(spool, actor, { draftId: path['id']!, ...body }),
  }),
})

export const draftDiscard = defineAppRoute({
  method: 'POST',
  path: '/drafts/{id}/discard',
  operationId: 'discardDraft',
  query: none,
  body: z.strictObject({ revision, reason: z.string().nullable().default(null) }),
  handle: async ({ spool, actor, path, body }) => ({
    body: await discardDraft(spool, actor, { draftId: path['id']!, ...body }),
  }),
})
