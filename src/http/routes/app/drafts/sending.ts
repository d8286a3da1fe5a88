import { readLetter, sendDraft, settleDraft, takeBackDraft } from '../../../../core/sending/sending.ts'
import { defineAppRoute, everyone, writers } from '../../../app-route.ts'

export const sendingRoutes = [
  defineAppRoute('getLetter', everyone, async ({ spool, actor, path }) => ({
    body: await readLetter(spool, actor, path.id),
  })),

  defineAppRoute('sendDraft', writers, async ({ spool, actor, path, body }) => ({
    body: await sendDraft(spool, actor, { draftId: path.id, ...body }),
  })),

  defineAppRoute('takeBackDraft', writers, async ({ spool, actor, path }) => ({
    body: await takeBackDraft(spool, actor, path.id),
  })),

  defineAppRoute('settleDraft', writers, async ({ spool, actor, path, body }) => ({
    body: await settleDraft(spool, actor, { draftId: path.id, as: body.as }),
  })),
]
