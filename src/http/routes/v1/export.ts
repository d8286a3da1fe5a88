import { z } from 'zod'
import { exportThreads } from '../../../core/threads/export.ts'
import { filtersAs } from '../../../model/thread-filters.ts'
import { HistoryEntry } from '../../../model/history.ts'
import { Note, ThreadSummary } from '../../../model/thread.ts'
import { cursor } from '../../contract/paging.ts'
import { defineRoute } from '../../route.ts'

const { updatedSince, inbox } = filtersAs('parameter')
const rowCursor = z.string().meta({ example: 'AZqBzJkA1k9v2c4xq7m3n5p8r0sQ7hY2mVw4Kc' })

const ExportRow = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('thread').meta({ description: 'Says what the row holds.' }),
        cursor: rowCursor.meta({ description: 'Goes on after this thread.' }),
        thread: ThreadSummary,
      })
      .meta({ id: 'ExportedThread', description: 'A thread; its entries and notes follow.' }),
    z
      .object({
        type: z.literal('entry').meta({ description: 'Says what the row holds.' }),
        threadId: z.string().meta({ description: 'The thread above.', example: 'thr_1k9v2c4xq7m3n5p8r0s' }),
        entry: HistoryEntry,
      })
      .meta({ id: 'ExportedEntry', description: "An entry of the thread's history, oldest first." }),
    z
      .object({ type: z.literal('note').meta({ description: 'Says what the row holds.' }), note: Note })
      .meta({ id: 'ExportedNote', description: 'A note on the thread, if the token may read notes.' }),
    z
      .object({
        type: z.literal('end').meta({ description: 'Says what the row holds.' }),
        cursor: rowCursor.meta({ description: 'Brings what has changed since, when it is used later.' }),
      })
      .meta({ id: 'ExportEnd', description: 'The last row: without it the export was cut off.' }),
  ])
  .meta({ id: 'ExportRow', description: 'One line of an export; pass over types that you do not know.' })

export const exportAll = defineRoute({
  path: '/export',
  scope: 'threads:read',
  operationId: 'exportThreads',
  tag: 'Threads',
  summary: 'Export everything',
  description:
    'Everything in your view as lines of JSON (NDJSON), streamed: threads in the order of their last change, each with its history and, if the token may read them, its notes. A thread is complete when the next one or the end begins; after a cut go on with the `cursor` of the last complete one. The `cursor` of the `end` row, used later, brings what has changed since; a thread may come again, but none is left out. One export counts as one request, and a token can have one at a time.',
  query: z.strictObject({
    updatedSince,
    inbox,
    cursor: cursor.meta({
      description: 'The `cursor` of a row of an earlier export with the same filters.',
      parameter: { type: 'string', minLength: 1, maxLength: 200 },
    }),
    include: z
      .literal('html', 'can only be html')
      .nullable()
      .default(null)
      .meta({
        description: '`html`: with the HTML of messages, which is `null` otherwise.',
        parameter: { type: 'string', enum: ['html'] },
      }),
  }),
  answer: ExportRow,
  contentType: 'application/x-ndjson',
  taggedBy: null,
  async handle({ spool, caller, query: { include, ...query }, renew, noteReads }) {
    const asked = { ...query, withHtml: include === 'html' }
    return {
      body: { flow: () => exportThreads(spool, caller, asked, { renew, noteReads }) },
      contentType: 'application/x-ndjson; charset=utf-8',
    }
  },
})
