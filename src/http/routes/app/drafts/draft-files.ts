import { attachFile, detachFile, getDraftFile } from '../../../../core/drafts/attachments.ts'
import { defineAppRoute, everyone, writers } from '../../../app-route.ts'
import { contentDisposition } from '../../v1/attachments.ts'

export const draftFileRoutes = [
  defineAppRoute('attachFile', writers, ({ spool, actor, path, query, body }) =>
    attachFile(spool, actor, { draftId: path.id, ...query, content: body }),
  ),

  defineAppRoute('detachFile', writers, ({ spool, actor, path, query }) =>
    detachFile(spool, actor, {
      draftId: path.id,
      attachmentId: path.attachmentId,
      revision: query.revision,
    }),
  ),

  defineAppRoute('getDraftFile', everyone, async ({ spool, actor, path }) => {
    const file = await getDraftFile(spool, actor, path.id, path.attachmentId)
    return {
      body: Buffer.from(file.content),
      headers: {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': contentDisposition(file.filename),
      },
    }
  }),
]
