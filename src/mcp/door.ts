import { isJSONRPCRequest } from '@modelcontextprotocol/server'
import type { Spool } from '../core/spool.ts'
import { ToolRunner, type Visitor } from './call.ts'
import { readDirectCall, writeDirectAnswer } from './direct.ts'
import { lacksScope, scopeProblem } from './scope.ts'
import { makeServer } from './server.ts'
import { findTool } from './tools/table.ts'
import { openTransport, refuse, type Exchange, type Reply } from './transport.ts'

export interface McpContext {
  spool: Spool
  /** Where a fault on our side is told. */
  onFault(requestId: string, error: unknown): void
}

export interface McpDoor {
  /** `route` is the name of the tool that is called, for the log. */
  answer(exchange: Exchange, visitor: Visitor): Promise<Reply & { tool: string | null }>
  close(): Promise<void>
}

/** What agents speak with, behind the checks that every door has. `direct: false` sends every call through the SDK. */
export function openMcp({ spool, onFault }: McpContext, { direct = true } = {}): McpDoor {
  const runner = new ToolRunner(spool, onFault)
  const transport = openTransport<Visitor>(
    (visitor) => makeServer(runner, visitor),
    // What the SDK reports here it has also answered; its words may quote what was sent.
    () => undefined,
  )

  async function answerCall(exchange: Exchange, visitor: Visitor, body: unknown): Promise<Reply | null> {
    if (!isJSONRPCRequest(body) || body.method !== 'tools/call') return null
    const tool = findTool(body.params?.['name'])
    if (tool && lacksScope(visitor.caller, tool)) {
      const { code, message, data } = scopeProblem(tool)
      const metadata = `${spool.url}/.well-known/oauth-protected-resource/mcp`
      const challenge = `Bearer realm="spool", error="insufficient_scope", scope="${tool.scope}", resource_metadata="${metadata}"`
      return refuse(403, code, message, body.id, { 'WWW-Authenticate': challenge }, data)
    }
    const call = direct ? readDirectCall(exchange.headers, body) : null
    if (!call) return null
    const text = writeDirectAnswer(call, await runner.run(call.tool, call.arguments, visitor))
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body: text }
  }

  return {
    async answer(exchange, visitor) {
      const body = exchange.method === 'POST' ? readJson(exchange.body) : undefined
      const answered = await answerCall(exchange, visitor, body)
      const reply = answered ?? (await transport.answer(exchange, visitor))
      return { ...reply, tool: findCalledTool(body) }
    },
    close: () => transport.close(),
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function findCalledTool(body: unknown): string | null {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  return method === 'tools/call' ? (findTool(params?.name)?.name ?? null) : null
}
