import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../model/access.ts'
import { createMcpHandler, type McpServerFactory, type ServerEventBus } from '@modelcontextprotocol/server'

/** An HTTP request whose token, rate and origin have been checked. */
export interface McpRequest {
  method: string
  headers: IncomingHttpHeaders
  body: string
  /** Aborts when the client disconnects; created on first use. */
  whenGone(): AbortSignal
  /** The caller as of now; null once the token is no longer valid. */
  renew(): Promise<Caller | null>
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | ReadableStream<Uint8Array> | null
}

export interface Transport<Context> {
  answer(request: McpRequest, context: Context): Promise<Reply>
  close(): Promise<void>
}

/**
 * Stateless Streamable HTTP on the SDK's handler: revision 2026-07-28 and older ones at one address, any request on
 * any node. `bus` announces changed lists, for servers whose lists change.
 */
export function openTransport<Context>(
  makeServer: (context: Context) => ReturnType<McpServerFactory>,
  onError: (error: Error) => void,
  options: { bus?: ServerEventBus } = {},
): Transport<Context> {
  const handler = createMcpHandler(({ authInfo }) => makeServer(authInfo!.extra!['context'] as Context), {
    onerror: onError,
    ...options,
  })
  return {
    async answer({ method, headers, body, whenGone }, context) {
      // Without sessions there are no streams to open or close.
      if (method !== 'POST')
        return refuse(405, -32_000, 'Use POST; this server has no sessions.', null, { Allow: 'POST' })
      const signal = whenGone()
      const request = new Request('http://spool/mcp', { method, headers: toHeaders(headers), body, signal })
      // A request that is garbage collected no longer passes the signal on, and its stream would stay open.
      signal.addEventListener('abort', () => void request, { once: true })
      // The token was already checked; the SDK only needs to pass on who is calling.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { context } }
      const response = await handler.fetch(request, { authInfo })
      return readReply(response)
    },
    close: () => handler.close(),
  }
}

export function refuse(
  status: number,
  code: number,
  message: string,
  id: string | number | null,
  headers: Record<string, string> = {},
  data?: object,
): Reply {
  const error = { code, message, ...(data ? { data } : {}) }
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
  }
}

async function readReply(response: Response): Promise<Reply> {
  const type = response.headers.get('content-type')
  const streamed = type?.startsWith('text/event-stream') ?? false
  const allow = response.headers.get('allow')
  return {
    status: response.status,
    headers: {
      ...(type === null ? {} : { 'Content-Type': type }),
      ...(allow === null ? {} : { Allow: allow }),
      ...(streamed ? { 'X-Accel-Buffering': 'no' } : {}),
    },
    body: streamed ? response.body : response.body && (await response.text()),
  }
}

function toHeaders(headers: IncomingHttpHeaders): Headers {
  const copy = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name)) continue
    copy.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return copy
}

/** Hop-by-hop headers, and those that no longer apply. The token is not passed on. */
const hopByHop = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'authorization',
])
