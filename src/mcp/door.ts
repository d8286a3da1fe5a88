import type { Cache } from '../core/cache.ts'
import type { MailWatch } from '../core/log/mail-watch.ts'
import type { Spool } from '../core/spool.ts'
import { ToolRunner, type CallHooks, type CallContext } from './call.ts'
import { frameAnswer, isRecord, readDirectCall } from './direct.ts'
import { lacksScope, scopeProblem } from './scope.ts'
import { makeServer } from './server.ts'
import { Subscriptions } from './subscriptions.ts'
import { findTool } from './tools/table.ts'
import { openTransport, refuse, type McpRequest, type Reply } from './transport.ts'

export interface McpContext extends CallHooks {
  spool: Spool
  cache: Cache
  watch: MailWatch
}

export interface McpDoor {
  /** `tool` is the tool that was called, for the log. */
  answer(request: McpRequest, context: CallContext): Promise<Reply & { tool: string | null }>
  close(): Promise<void>
}

/** The MCP server, behind the checks that all doors share. `direct: false` sends every call through the SDK. */
export function openMcp({ spool, cache, watch, ...hooks }: McpContext, { direct = true } = {}): McpDoor {
  const runner = new ToolRunner(spool, cache, hooks)
  const subscriptions = new Subscriptions(watch)
  const transport = openTransport<CallContext>(
    (context) => makeServer(runner, context),
    // The SDK has already answered these errors, and their messages may quote the request.
    () => undefined,
    { bus: subscriptions.bus },
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
      const message = request.method === 'POST' ? readMessage(request.body) : null
      const call = isToolCall(message) ? message : null
      const pass = (passed: McpRequest): Promise<Reply> => transport.answer(passed, context)
      const reply =
        (call && (refuseScope(call, context) ?? (await answerDirectly(request, call, context)))) ??
        (message?.method === 'subscriptions/listen'
          ? await subscriptions.listen(request, context, pass)
          : ((await subscriptions.stream(request, context)) ?? (await pass(request))))
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

type Message = Partial<Omit<ToolCallMessage, 'method'>> & { method?: unknown }

function readMessage(text: string): Message | null {
  try {
    return JSON.parse(text) as Message | null
  } catch {
    return null
  }
}

function isToolCall(body: Message | null): body is ToolCallMessage {
  return (
    body?.jsonrpc === '2.0' &&
    body.method === 'tools/call' &&
    (typeof body.id === 'string' || typeof body.id === 'number') &&
    isRecord(body.params)
  )
}
