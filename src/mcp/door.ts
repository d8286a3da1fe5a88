import type { Cache } from '../core/cache.ts'
import type { Spool } from '../core/spool.ts'
import { ToolRunner, type CallHooks, type CallContext } from './call.ts'
import { frameAnswer, readDirectCall } from './direct.ts'
import { lacksScope, scopeProblem } from './scope.ts'
import { makeServer } from './server.ts'
import { findTool } from './tools/table.ts'
import { openTransport, refuse, type McpRequest, type Reply } from './transport.ts'

export interface McpContext extends CallHooks {
  spool: Spool
  cache: Cache
}

export interface McpDoor {
  /** `tool` is the tool that was called, for the log. */
  answer(request: McpRequest, context: CallContext): Promise<Reply & { tool: string | null }>
  close(): Promise<void>
}

/** The MCP server, behind the checks that all doors share. `direct: false` sends every call through the SDK. */
export function openMcp({ spool, cache, ...hooks }: McpContext, { direct = true } = {}): McpDoor {
  const runner = new ToolRunner(spool, cache, hooks)
  const transport = openTransport<CallContext>(
    (context) => makeServer(runner, context),
    // The SDK has already answered these errors, and their messages may quote the request.
    () => undefined,
  )

  function refuseScope(body: ToolCallMessage, { caller }: CallContext): Reply | null {
    const tool = findTool(body.params.name)
    if (!tool || !lacksScope(caller, tool)) return null
    const { code, message, data } = scopeProblem(tool)
    const metadata = `${spool.url}/.well-known/oauth-protected-resource/mcp`
    const challenge = `Bearer realm="spool", error="insufficient_scope", scope="${tool.scope}", resource_metadata="${metadata}"`
    return refuse(403, code, message, body.id, { 'WWW-Authenticate': challenge }, data)
  }

  async function answerDirectly(
    { headers }: McpRequest,
    body: ToolCallMessage,
    context: CallContext,
  ): Promise<Reply | null> {
    const call = direct ? readDirectCall(headers, body) : null
    if (!call) return null
    const bytes = await runner.run(call.tool, call.arguments, context, frameAnswer(call))
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body: bytes }
  }

  return {
    async answer(request, context) {
      if (isBatch(request)) return { ...severalMessages, tool: null }
      const call = request.method === 'POST' ? readToolCall(request.body) : null
      const reply =
        (call && (refuseScope(call, context) ?? (await answerDirectly(request, call, context)))) ??
        (await transport.answer(request, context))
      return { ...reply, tool: findTool(call?.params.name)?.name ?? null }
    },
    close: () => transport.close(),
  }
}

/** Old revisions allow batches, which could make a hundred calls count as one against the rate limit. */
function isBatch({ method, body }: McpRequest): boolean {
  return method === 'POST' && body.trimStart().startsWith('[')
}

const severalMessages = refuse(
  400,
  -32_600,
  'A request must contain one message; send them one at a time.',
  null,
)

/** Only the shape; full validation is up to the SDK. */
interface ToolCallMessage {
  jsonrpc: '2.0'
  id: string | number
  method: 'tools/call'
  params: { name?: unknown; arguments?: unknown } & Record<string, unknown>
}

function readToolCall(text: string): ToolCallMessage | null {
  let body: Partial<ToolCallMessage> | null
  try {
    body = JSON.parse(text) as Partial<ToolCallMessage> | null
  } catch {
    return null
  }
  const whole =
    body?.jsonrpc === '2.0' &&
    body.method === 'tools/call' &&
    (typeof body.id === 'string' || typeof body.id === 'number') &&
    isRecord(body.params)
  return whole ? (body as ToolCallMessage) : null
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
