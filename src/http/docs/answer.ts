import type { ApiDocument, Endpoint, Schema } from './document.ts'
import { makeExample } from './example.ts'
import { shownQuery } from './snippets.ts'

/** An example answer to exactly the request that the page shows. */
export function exampleAnswer(document: ApiDocument, endpoint: Endpoint, schema: Schema): unknown {
  const kind = new URLSearchParams(shownQuery(endpoint.operationId)).get('type')
  const answer = makeExample(document, schema)
  if (kind !== null) {
    const event = exampleEvent(document, kind)
    return { ...(answer as object), data: [event], nextCursor: String(event.data['seq']) }
  }
  if (endpoint.operationId === 'getThread') return withReminder(answer as ExampleThread)
  // The example list is complete, so there is no next page.
  const isList = typeof answer === 'object' && answer !== null && 'nextCursor' in answer
  return isList && endpoint.operationId !== 'listEvents' ? { ...answer, nextCursor: null } : answer
}

interface ExampleThread {
  timestamp: string
  preview: string
  history: object[]
}

/** Adds the newest message, which the thread's timestamp and preview come from. */
function withReminder(thread: ExampleThread): ExampleThread {
  const { timestamp, preview, history } = thread
  const [first] = history as [{ messageId: string; subject: string }]
  const newest = {
    ...first,
    id: 'msg_1k9v2g1h2j3k4m5n6p7',
    timestamp,
    subject: `Re: ${first.subject}`,
    messageId: '<4711.20261114@brandt.example>',
    inReplyTo: first.messageId,
    text: preview,
    newText: preview,
    attachments: [],
  }
  return { ...thread, history: [first, newest] }
}

/** An event is the body of its webhook without the fields that only webhooks have. */
function exampleEvent(document: ApiDocument, kind: string): { data: Record<string, unknown> } {
  const { data, ...event } = examplePayload(document, kind)
  const { previousSeq: _, ...known } = data
  return { ...event, data: known }
}

export function examplePayload(document: ApiDocument, kind: string): { data: Record<string, unknown> } {
  return document.webhooks[kind]!.post.requestBody.content['application/json'].example
}

/** One row of each kind, one per line, as in an export. */
export function exampleLines(document: ApiDocument): string {
  const kinds = document.components.schemas['KnownExportRow']!.oneOf!
  return kinds.map((kind) => JSON.stringify(makeExample(document, kind))).join('\n')
}
