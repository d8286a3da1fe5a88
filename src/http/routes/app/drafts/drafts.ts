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
  defineAppRoute('listDrafts', everyone, ({ spool, actor, query: { thread, status, author, ...page } }) =>
    listDrafts(spool, actor, { threadId: thread, statuses: status, author }, page),
  ),

  defineAppRoute('createDraft', writers, async ({ spool, actor, body }) => {
    if (body.kind !== 'forward' && body.after !== undefined)
      return startAgain(spool, actor, { ...body, after: body.after })
    switch (body.kind) {
      case 'reply':
        return proposeDraft(spool, actor, body)
      case 'forward':
        return forwardMessage(spool, actor, body)
      case 'new':
        return startConversation(spool, actor, body)
    }
  }),

  defineAppRoute('getDraft', everyone, ({ spool, actor, path }) => getDraft(spool, actor, path.id)),

  defineAppRoute('reviseDraft', writers, ({ spool, actor, path, body }) =>
    reviseDraft(spool, actor, { draftId: path.id, ...body }),
  ),

  defineAppRoute('listDraftRevisions', everyone, async ({ spool, actor, path }) => ({
    data: await listDraftRevisions(spool, actor, path.id),
  })),

  defineAppRoute('confirmDraft', writers, ({ spool, actor, path, body }) =>
    confirmDraft(spool, actor, { draftId: path.id, ...body }),
  ),

  defineAppRoute('discardDraft', writers, ({ spool, actor, path, body }) =>
    discardDraft(spool, actor, { draftId: path.id, ...body }),
  ),
]
