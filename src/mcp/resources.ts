import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type CallToolResult,
  type ListResourcesResult,
  type ReadResourceResult,
  type Server,
} from '@modelcontextprotocol/server'
import { SpoolError } from '../model/errors.ts'
import type { CallContext, ToolRunner } from './call.ts'
import type { Concise } from './concise.ts'
import { explainProblem } from './problem.ts'
import { lacksScope } from './scope.ts'
import type { Tool } from './tool.ts'
import { getAttachmentTool } from './tools/attachments.ts'
import { getThreadTool, listThreadsTool } from './tools/threads.ts'

const templates = [
  {
    uriTemplate: 'spool://threads/{id}',
    name: 'thread',
    title: 'A mail thread, newest message first',
    mimeType: 'text/plain',
  },
  { uriTemplate: 'spool://attachments/{id}', name: 'attachment', title: 'A file that came with a message' },
]

export function threadUri(id: string): string {
  return `spool://threads/${id}`
}

export function hasResources({ caller }: CallContext): boolean {
  return !lacksScope(caller, getThreadTool)
}

/** Threads and attachments as resources: the results of the tools, by URI. The list contains the unread threads. */
export function addResources(server: Server, runner: ToolRunner, context: CallContext): void {
  const call = async (tool: Tool, input: object): Promise<CallToolResult> => {
    const result = await runner.runOrThrow(tool, input, context, ['{', '}'])
    return JSON.parse(result.toString()) as CallToolResult
  }
  const asProtocolError = (error: unknown): ProtocolError => {
    const isOurs = !(error instanceof SpoolError) || error.code === 'store_unavailable'
    const code = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
    return new ProtocolError(code, explainProblem(error, context.requestId))
  }

  async function read(uri: string): Promise<ReadResourceResult> {
    const [, kind, id] = /^spool:\/\/(threads|attachments)\/([a-z0-9_]{1,100})$/.exec(uri) ?? []
    if (id === undefined) throw new ResourceNotFoundError(uri)
    const { content } = await (
      kind === 'threads'
        ? call(getThreadTool, { threadId: id, order: 'newest' })
        : call(getAttachmentTool, { attachmentId: id })
    ).catch((error: unknown) => {
      if (error instanceof SpoolError && error.code === 'not_found') throw new ResourceNotFoundError(uri)
      throw asProtocolError(error)
    })
    return {
      contents: content.flatMap((block) => {
        if (block.type === 'text') return { uri, mimeType: 'text/plain', text: block.text }
        return block.type === 'image' ? { uri, mimeType: block.mimeType, blob: block.data } : []
      }),
    }
  }

  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: templates }))
  server.setRequestHandler('resources/read', ({ params }) => read(params.uri))
  server.setRequestHandler('resources/list', async ({ params }): Promise<ListResourcesResult> => {
    const cursor = params?.cursor ?? null
    const result = await call(listThreadsTool, { unread: true, limit: 50, cursor }).catch(
      (error: unknown) => {
        throw asProtocolError(error)
      },
    )
    const list = result.structuredContent as { fence: string; data: Concise[]; nextCursor: string | null }
    return {
      resources: list.data.map(({ id, letter }) => ({
        uri: threadUri(id),
        name: id,
        mimeType: 'text/plain',
        ...(letter === undefined ? {} : { description: letter }),
      })),
      ...(list.nextCursor ? { nextCursor: list.nextCursor } : {}),
      _meta: { 'spool/fence': list.fence },
    }
  })
  // The server is stateless: the stream reports changes to every thread in the view, including this one.
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    await read(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}
