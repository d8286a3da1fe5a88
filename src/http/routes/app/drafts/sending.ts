import { readLetter, sendDraft, settleDraft, takeBackDraft } from '../../../../core/sending/sending.ts'
import { defineAppRoute, everyone, writers } from '../../../app-route.ts'

export const sendingRoutes = [
  defineAppRoute('getLetter', everyone, ({ spool, actor, path }) => readLetter(spool, actor, path.id)),

  defineAppRoute('sendDraft', writers, ({ spool, actor, path, body }) =>
    sendDraft(spool, actor, { draftId: path.id, ...body }),
  ),

  defineAppRoute('takeBackDraft', writers, ({ spool, actor, path }) => takeBackDraft(spool, actor, path.id)),

  defineAppRoute('settleDraft', writers, ({ spool, actor, path, body }) =>
    settleDraft(spool, actor, { draftId: path.id, as: body.as }),
  ),
]
