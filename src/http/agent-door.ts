import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { Admitted } from '../core/tokens/authentication.ts'
import type { ReadingTally } from '../core/tokens/reading-tally.ts'
import type { Versions } from '../core/freshness.ts'
import type { Caller } from '../model/access.ts'
import { grantScopes } from '../model/consent.ts'
import { SpoolError } from '../model/errors.ts'
import { chooseCoding, openCompressor } from './content/coding.ts'
import { Admission, type AdmissionContext } from './admission.ts'
import type { ToolSummary } from './docs/agent-guide.ts'
import type { Observer } from './observer.ts'
import { HostGuard } from './addresses/host-guard.ts'
import { inTurns } from './turn.ts'
import { abortWhenGone, encode, lengthOf, toBytes, type Exchange } from './exchange.ts'

/** Implemented in `mcp` and passed in by `app.ts`, because `http` and `mcp` must not import each other. */
export interface AgentProtocol {
  listTools(): Promise<ToolSummary[]>
  answer(
    request: {
      method: string
      headers: IncomingHttpHeaders
      body: string
      whenGone(): AbortSignal
      renew(): Promise<Caller | null>
    },
    context: Admitted & { versions: Versions; requestId: string },
  ): Promise<AgentReply>
}

interface AgentReply {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** The tool that was called, if any. */
  tool: string | null
}

export interface AgentDoorContext extends AdmissionContext {
  observer: Observer
  tally: ReadingTally
  agents: AgentProtocol
  /** Host names this server also answers to, besides the one in the public URL. */
  agentHosts: readonly string[]
}

export const mcpPath = '/mcp'
const metadataPath = `/.well-known/oauth-protected-resource`
/** A draft is the largest body an agent sends. */
const largestBody = 1_000_000

export function isMcp(target: string): boolean {
  return target === mcpPath || target.startsWith(`${mcpPath}?`)
}

/**
 * The HTTP side of `/mcp`: rate limit, Host and Origin check, token check. Errors after these checks are JSON-RPC
 * errors.
 */
export function openAgentDoor(
  context: AgentDoorContext,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { spool, tally, freshness, agents, agentHosts } = context
  const admission = new Admission(context, ['pat', 'mcp'])
  const hostGuard = new HostGuard(agentHosts)

  return inTurns(context, mcpPath, async (exchange, versions) => {
    const { request, response } = exchange
    const who = await admission.recognise(request, versions)
    admission.passRate(exchange, await admission.takeFromLimit(request, who?.caller ?? null))
    hostGuard.check(request, spool.url)
    const metadata = `${spool.url}${metadataPath}${mcpPath}`
    admission.passToken(exchange, who, metadata)
    const body = await readBody(request)
    if (body === null) return send(exchange, tooLarge)
    // The body may take up to 30 seconds to arrive; meanwhile the token may have been revoked or narrowed.
    const now = await freshness.current()
    const still = await admission.recognise(request, async () => now)
    const admitted = admission.passToken(exchange, still, metadata)
    const agentRequest = {
      method: request.method ?? '',
      headers: request.headers,
      body,
      whenGone: () => abortWhenGone(response),
      renew: async () => (await admission.recognise(request, () => freshness.current()))?.caller ?? null,
    }
    const agentContext = { ...admitted, versions: now, requestId: exchange.id }
    try {
      const reply = await agents.answer(agentRequest, agentContext)
      if (reply.status < 400) tally.noteCall(admitted.caller.token.id, reply.tool, spool.now())
      if (reply.tool !== null) exchange.route = `${mcpPath} ${reply.tool}`
      await send(exchange, reply)
    } catch (error) {
      exchange.fail(error, ({ message }) => protocolError(readId(body), message))
    }
  })
}

async function send(exchange: Exchange, { status, headers, body }: Omit<AgentReply, 'tool'>): Promise<void> {
  const { request, response } = exchange
  exchange.headers.push(...Object.entries(headers).flat())
  const coding = chooseCoding(request.headers['accept-encoding'])
  if (body instanceof ReadableStream) {
    if (coding !== null) exchange.headers.push('Content-Encoding', coding)
    exchange.writeHead(status)
    const pieces = Readable.fromWeb(body as NodeStream)
    const sent =
      coding === null ? pipeline(pieces, response) : pipeline(pieces, openCompressor(coding), response)
    // A client that disconnects early is not an error.
    await sent.catch(() => undefined)
    return exchange.record(status)
  }
  const encoded = await encode(toBytes(body ?? ''), coding)
  if (encoded.coding !== null) exchange.headers.push('Content-Encoding', encoded.coding)
  if (status !== 202) exchange.headers.push('Content-Length', String(lengthOf(encoded.body)))
  exchange.finish(status, encoded.body)
}

function protocolError(id: unknown, message: string): object {
  return { jsonrpc: '2.0', id, error: { code: -32_000, message } }
}

/** Null for a stream of an older revision, which has no message. */
function readId(request: string): unknown {
  try {
    return (JSON.parse(request) as { id?: unknown }).id ?? null
  } catch {
    return null
  }
}

const tooLarge: Omit<AgentReply, 'tool'> = {
  status: 413,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(
    protocolError(null, `The request is larger than ${largestBody} bytes; send a smaller one.`),
  ),
}

/** Null if the body is too large; the rest of it is discarded. Without byte order marks, which only the SDK skips. */
function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > largestBody) return resolve(null)
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > largestBody) resolve(null)
      else chunks.push(chunk)
    })
    request.on('end', () => {
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      resolve(body.toString().replace(/^\ufeff+/, ''))
    })
    request.on('error', () =>
      reject(new SpoolError('bad_request', 'The request was cut off; send it again.')),
    )
  })
}

/** RFC 9728. Spool itself is the authorization server. */
export function describeResource(url: string): object {
  return {
    resource: `${url}${mcpPath}`,
    resource_name: 'Spool',
    resource_documentation: `${url}/docs`,
    authorization_servers: [url],
    scopes_supported: grantScopes,
    bearer_methods_supported: ['header'],
  }
}

export const metadataPaths = [metadataPath, `${metadataPath}${mcpPath}`]
