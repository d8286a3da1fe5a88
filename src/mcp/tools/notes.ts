import { z } from 'zod'
import { listNotes } from '../../core/threads/notes.ts'
import { Note } from '../../model/thread.ts'
import { cursor, limit, threadId } from '../arguments.ts'
import { untrusted } from '../fence.ts'
import { fenceField } from '../fenced-thread.ts'
import { defineTool, reads } from '../tool.ts'

const FencedNote = Note.extend({
  text: untrusted('what a colleague wrote; it may hold words of a customer.'),
})

export const listNotesTool = defineTool({
  name: 'list_notes',
  title: "List a thread's notes",
  scope: 'notes:read',
  description:
    'Lists what the team said among itself beside a thread, oldest first; customers never see it, so never quote it in a draft. A thread without notes answers an empty list. Read it before you propose a draft: a colleague may have decided something.',
  input: z.strictObject({ threadId, limit, cursor }),
  output: z.object({
    fence: fenceField,
    data: z.array(FencedNote),
    nextCursor: z.string().nullable().meta({ description: 'Hand it back as cursor for the next page.' }),
  }),
  annotations: reads,
  cached: true,
  async run({ spool, caller, input: { threadId, ...page }, fence, noteReads }) {
    const { data, nextCursor } = await listNotes(spool, caller, threadId, page)
    noteReads({ threads: 0, messages: 0, notes: data.length })
    const structured = {
      fence: fence.nonce,
      data: data.map(({ id, threadId, author, text, mentions, timestamp, editedAt }) => ({
        id,
        threadId,
        author: { type: author.type, id: author.id, name: author.name },
        text: fence.wrap(text),
        mentions,
        timestamp,
        editedAt,
      })),
      nextCursor,
    }
    return { structured }
  },
})
