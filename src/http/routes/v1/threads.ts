import { listThreads } from '../../../core/threads/list.ts'
import { getThread } from '../../../core/threads/threads.ts'
import { Thread } from '../../../model/history.ts'
import { ThreadSummary } from '../../../model/thread.ts'
import { pageOf } from '../../contract/paging.ts'
import { HistoryQuery, ThreadQuery } from '../../contract/thread-query.ts'
import { defineRoute, list, survivorHeader } from '../../route.ts'

export const threadList = defineRoute({
  path: '/threads',
  scope: 'threads:read',
  operationId: 'listThreads',
  tag: 'Threads',
  summary: 'List threads',
  description:
    'Threads in your view, newest activity first. Without a filter the list is unfiltered: everything in your view, whatever its status.',
  query: ThreadQuery,
  answer: pageOf(ThreadSummary).meta({ id: 'ThreadList' }),
  taggedBy: 'view',
  async handle(call) {
    const { limit, cursor, ...filters } = call.query
    const page = await listThreads(call.spool, call.caller, filters, { limit, cursor })
    return list(call, page.items, page.nextCursor)
  },
})

export const threadGet = defineRoute({
  path: '/threads/{id}',
  scope: 'threads:read',
  operationId: 'getThread',
  tag: 'Threads',
  summary: 'Get a thread',
  description:
    'The thread and what happened in it: messages, changes of status and assignment, drafts. At most 200 entries at once; `historyNextCursor` leads on. The id of a thread that was merged into another answers with that one, which `Content-Location` names.',
  parameters: { id: "The thread's id." },
  query: HistoryQuery,
  answer: Thread,
  taggedBy: 'content',
  async handle(call) {
    const { historyOrder: order, historyCursor: cursor, historyLimit: limit } = call.query
    const page = { order, cursor, limit }
    const { id, text, messages } = await getThread(call.spool, call.caller, call.path['id']!, page)
    return { body: text, headers: survivorHeader(call, id), reads: { threads: 1, messages, notes: 0 } }
  },
})
