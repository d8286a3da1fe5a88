import { z } from 'zod'
import { readAttachment } from '../../core/threads/attachment-text.ts'
import { fileKinds } from '../../model/files/file-text.ts'
import { cursor, text } from '../arguments.ts'
import { withoutBlanks } from '../concise.ts'
import { writeCompactText } from '../compact-text.ts'
import { untrusted } from '../fence.ts'
import { fenceField } from '../fenced-thread.ts'
import { describeFile } from '../letter.ts'
import { defineTool, reads } from '../tool.ts'

export const getAttachmentTool = defineTool({
  name: 'get_attachment',
  title: 'Read an attachment',
  scope: 'threads:read',
  description:
    'Reads a file of a message: the text of text, CSV, HTML, calendar, PDF and DOCX files in pages, or a picture (PNG, JPEG, GIF, WebP up to 1 MB); of others it says what they are.',
  input: z.strictObject({
    attachmentId: text('of a file, such as att_1k9v2c5a6b7c8d9e0f1'),
    as: z.enum(['text', 'image'], 'must be text or image').nullable().default(null),
    cursor,
  }),
  output: z.object({
    fence: fenceField,
    id: z.string(),
    kind: z.enum(fileKinds),
    size: z.int(),
    letter: untrusted('its name and type, a blank line, a page of its text.'),
    nextCursor: z.string().nullable(),
  }),
  annotations: reads,
  cached: true,
  async run({ spool, caller, input: { attachmentId: id, as, cursor }, fence, noteReads }) {
    const page = await readAttachment(spool, caller, id, { as, cursor })
    noteReads({ threads: 0, messages: 0, notes: 0 })
    const { kind, size, note, nextCursor, picture } = page
    const letter = fence.wrap(`File: ${describeFile({ id, ...page })}\n\n${page.text ?? ''}`)
    const said = withoutBlanks({ id, kind, size, note, letter })
    return {
      structured: { fence: fence.nonce, ...said, size, nextCursor },
      text: writeCompactText({ fence: fence.nonce, ...said }, [], nextCursor),
      ...(picture ? { image: picture } : {}),
    }
  },
})
