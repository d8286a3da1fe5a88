import { forwardMessage, startConversation } from '../../../../core/drafts/compositions.ts'
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

export const draftList = defineAppRoute(
  'listDrafts',
  everyone,
  async ({ spool, actor, query: { thread, status, author, ...page } }) => ({
    body: await listDrafts(spool, actor, { threadId: thread, statuses: status, author }, page),
  }),
)

export const draftCreate = defineAppRoute('createDraft', writers, async ({ spool, actor, body }) => {
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
})

export const draftGet = defineAppRoute('getDraft', everyone, async ({ spool, actor, path }) => ({
  body: await getDraft(spool, actor, path.id),
}))

export const draftRevise = defineAppRoute('reviseDraft', writers, async ({ spool, actor, path, body }) => ({
  body: await reviseDraft(spool, actor, { draftId: path.id, ...body }),
}))

export const draftRevisions = defineAppRoute(
  'listDraftRevisions',
  everyone,
  async ({ spool, actor, path }) => ({
    body: { data: await listDraftRevisions(spool, actor, path.id) },
  }),
)

export const draftConfirm = defineAppRoute('confirmDraft', writers, async ({ spool, actor, path, body }) => ({
  body: await confirmDraft(spool, actor, { draftId: path.id, ...body }),
}))

export const draftDiscard = defineAppRoute('discardDraft', writers, async ({ spool, actor, path, body }) => ({
  body: await discardDraft(spool, actor, { draftId: path.id, ...body }),
}))
