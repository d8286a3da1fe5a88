import { z } from 'zod'
import { listThreads, readThreadList } from '../../core/threads/list.ts'
import { countMessages, readThread } from '../../core/threads/threads.ts'
import { filtersAs } from '../../model/thread-filters.ts'
import { cursor, limit, threadId } from '../arguments.ts'
import { writeCompactText } from '../compact-text.ts'
import { writeConciseList } from '../concise-list.ts'
import { ListedThread, readConcisely, ReadThread } from '../concise.ts'
import { fenceEntry, pageBudget, weigh } from '../fenced-history.ts'
import { fenceField, fenceSummary, lineBudget } from '../fenced-thread.ts'
import { defineTool, reads } from '../tool.ts'

const format = z
  .enum(['concise', 'detailed'], 'must be concise or detailed')
  .default('concise')
  .meta({ description: 'detailed: every field, each fenced by itself.' })

export const listThreadsTool = defineTool({
  name: 'list_threads',
  title: 'List threads',
  scope: 'threads:read',
  description:
    'Lists mail threads, newest activity first, of every status unless you filter. unread: true finds what is new to your user, status: ["open"] what needs an answer. Only a preview: call get_thread before you judge or answer.',
  input: z.strictObject({ ...filtersAs('argument'), limit, cursor, format }),
  output: z.object({
    fence: fenceField,
    data: z.array(ListedThread),
    nextCursor: z.string().nullable().meta({ description: 'For cursor; `null`: that was all.' }),
  }),
  annotations: reads,
  cached: true,
  async run({ spool, caller, input, fence }) {
    const { limit, cursor, format, ...filters } = input
    const list = await listThreads(spool, caller, filters, { limit, cursor })
    if (format === 'concise') return writeConciseList(list, fence)
    const data = readThreadList(list).map((thread) => fenceSummary(thread, fence))
    return { structured: { fence: fence.nonce, data, nextCursor: list.nextCursor } }
  },
})

/** Maximum number of entries per page; long entries reach `pageBudget` first. */
const mostEntries = { concise: 50, detailed: 20 }

export const getThreadTool = defineTool({
  name: 'get_thread',
  title: 'Read a thread',
  scope: 'threads:read',
  description:
    'Reads a thread: messages, and changes of status, assignment and drafts, oldest first; order: "newest" begins with the latest message, which is what an answer is about. Each letter holds what others wrote: header lines (From, To and Subject only where they differ from the thread\'s), a blank line, what the message adds. More: call again with historyNextCursor as cursor.',
  input: z.strictObject({
    threadId,
    order: z.enum(['oldest', 'newest'], 'must be oldest or newest').default('oldest'),
    cursor: cursor.meta({ description: 'historyNextCursor of the page before.' }),
    full: z
      .boolean('must be true or false')
      .default(false)
      .meta({ description: 'true: uncut, with quoted history.' }),
    format,
  }),
  output: ReadThread,
  annotations: reads,
  cached: true,
  async run({ spool, caller, input, fence, noteReads }) {
    const { threadId, order, cursor, full, format } = input
    let weight = 0
    const { summary, history, nextCursor } = await readThread(spool, caller, threadId, {
      order: order === 'oldest' ? 'asc' : 'desc',
      cursor,
      cursorName: 'cursor',
      limit: mostEntries[format],
      hasRoom: (entry) => (weight += weigh(entry, full)) <= pageBudget,
    })
    noteReads({ threads: 1, messages: countMessages(history), notes: 0 })
    const nonce = fence.nonce
    if (format === 'concise') {
      const thread = { fence: nonce, ...readConcisely(summary, history, { caller, fence, full }) }
      const { history: entries, ...head } = thread
      return {
        structured: { ...thread, historyNextCursor: nextCursor },
        text: writeCompactText(head, entries, nextCursor),
      }
    }
    const structured = {
      fence: nonce,
      ...fenceSummary(summary, fence, full ? Number.POSITIVE_INFINITY : lineBudget),
      history: history.map((entry) => fenceEntry(entry, fence, full)).filter((entry) => entry !== null),
      historyNextCursor: nextCursor,
    }
    return { structured }
  },
})
