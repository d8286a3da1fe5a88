import { z } from 'zod'
import { listThreads, readThreadList } from '../../core/threads/list.ts'
import { countMessages, readThread } from '../../core/threads/threads.ts'
import { filtersAs } from '../../model/thread-filters.ts'
import { Status } from '../../model/thread.ts'
import { threadId } from '../arguments.ts'
import { writeCompactText } from '../compact-text.ts'
import { readConcisely } from '../concise.ts'
import { untrusted } from '../fence.ts'
import { pageBudget, weigh } from '../fenced-history.ts'
import { fenceField, lineBudget } from '../fenced-thread.ts'
import { defineTool, reads } from '../tool.ts'

/** The two tools that some hosts use for lookups; the hosts define names and shapes, and parse the text as JSON. */
const title = untrusted('the subject.')
const url = z.string().meta({ description: 'The thread in the web inbox.' })
const { q } = filtersAs('argument')

export const searchTool = defineTool({
  name: 'search',
  title: 'Search mail',
  scope: 'threads:read',
  description: 'Finds up to 20 threads by whole words; fetch reads one. list_threads can do more.',
  input: z.strictObject({ query: q.unwrap().unwrap() }),
  output: z.object({
    fence: fenceField,
    results: z.array(z.object({ id: z.string(), title, url })),
  }),
  annotations: reads,
  cached: true,
  async run({ spool, caller, input: { query }, fence }) {
    const filters = z.object(filtersAs('argument')).parse({ q: query })
    const list = await listThreads(spool, caller, filters, { limit: 20, cursor: null })
    const results = readThreadList(list).map(({ id, subject, webUrl }) => ({
      id,
      title: fence.wrapPart(subject, lineBudget),
      url: webUrl,
    }))
    return { structured: { fence: fence.nonce, results } }
  },
})

export const fetchTool = defineTool({
  name: 'fetch',
  title: 'Read a search result',
  scope: 'threads:read',
  description: 'Reads a thread that search found, newest message first. get_thread can do more.',
  input: z.strictObject({ id: threadId }),
  output: z.object({
    fence: fenceField,
    id: z.string(),
    title,
    text: z.string().meta({ description: 'Messages as letters, each UNTRUSTED, fenced.' }),
    url,
    metadata: z.object({ status: Status, messageCount: z.int(), timestamp: z.string() }),
  }),
  annotations: reads,
  cached: true,
  async run({ spool, caller, input: { id }, fence, noteReads }) {
    let weight = 0
    const { summary, history, nextCursor } = await readThread(spool, caller, id, {
      order: 'desc',
      cursor: null,
      limit: 50,
      hasRoom: (entry) => (weight += weigh(entry, false)) <= pageBudget,
    })
    noteReads({ threads: 1, messages: countMessages(history), notes: 0 })
    const { history: entries, ...head } = readConcisely(summary, history, { caller, fence, full: false })
    const { status, messageCount, timestamp } = summary
    const rest = nextCursor === null ? '' : '\n\nThere is more: call get_thread.'
    return {
      structured: {
        fence: fence.nonce,
        id: summary.id,
        title: fence.wrapPart(summary.subject, lineBudget),
        text: writeCompactText({ fence: fence.nonce, ...head }, entries) + rest,
        url: summary.webUrl,
        metadata: { status, messageCount, timestamp },
      },
    }
  },
})
