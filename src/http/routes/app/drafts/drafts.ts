import { forwardMessage, startAgain, startConversation } from '../../../../core/drafts/compositions.ts'
import {
  confirmDraft,
  discardDraft,
  getDraft,
  listDraftRevisions,
  listDrafts,
  proposeDraft,
  reviseDraft,
} from '../../../../core/drafts/drafts.ts'
import { defineAppRoute, everyone, writers } from '../../../app-route.ts'

export const draftRoutes = [
  defineAppRoute(
    'listDrafts',
    everyone,
    async ({ spool, actor, query: { thread, status, author, ...page } }) => ({
      body: await listDrafts(spool, actor, { threadId: thread, statuses: status, author }, page),
    }),
  ),

  defineAppRoute('createDraft', writers, async ({ spool, actor, body }) => {
    if (body.kind !== 'forward' && body.after !== undefined)
      return { body: await startAgain(spool, actor, { ...body, after: body.after }) }
    switch (body.kind) {
      case 'reply': {
        const { kind: _, ...wanted } = body
        return { body: await proposeDraft(spool, actor, wanted) }
      }
      case 'forward': {
        const { kind: _, ...wanted } = body
        return { body: await forwardMessage(spool, actor, wanted) }
      }
      case 'new': {
        const { kind: _, ...wanted } = body
        return { body: await startConversation(spool, actor, wanted) }
      }
    }
  }),

  defineAppRoute('getDraft', everyone, async ({ spool, actor, path }) => ({
    body: await getDraft(spool, actor, path.id),
  })),

  defineAppRoute('reviseDraft', writers, async ({ spool, actor, path, body }) => ({
    body: await reviseDraft(spool, actor, { draftId: path.id, ...body }),
  })),

  defineAppRoute('listDraftRevisions', everyone, async ({ spool, actor, path }) => ({
    body: { data: await listDraftRevisions(spool, actor, path.id) },
  })),

  defineAppRoute('confirmDraft', writers, async ({ spool, actor, path, body }) => ({
    body: await confirmDraft(spool, actor, { draftId: path.id, ...body }),
  })),

  defineAppRoute('discardDraft', writers, async ({ spool, actor, path, body }) => ({
    body: await discardDraft(spool, actor, { draftId: path.id, ...body }),
  })),
]
