import type { IncomingHttpHeaders } from 'node:http'
import { classifyInboundRequest, isJsonContentType, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import { serverInfo } from './server.ts'
import type { Tool } from './tool.ts'
import { findTool } from './tools/table.ts'

/** A tool call in its plain form, which is nearly all that an agent sends. */
export interface DirectCall {
  id: string | number
  tool: Tool
  arguments: unknown
  /** Whether the client speaks revision 2026-07-28. */
  modern: boolean
}

/** Revisions whose clients make their calls without an envelope; others are the SDK's to refuse. */
const olderRevisions = new Set([undefined, '2025-11-25', '2025-06-18', '2025-03-26'])
const ordinary = new Set(['name', 'arguments', '_meta'])

/**
 * Reads a call that needs nothing of the SDK but its verdict on the message, so that answering costs what the answer
 * costs: the SDK makes a server, a transport and a web response for each. Null for whatever is unusual or wrong in any
 * way: that goes through the SDK, which also refuses it in the words of the protocol.
 */
export function readDirectCall(
  headers: IncomingHttpHeaders,
  body: { id: string | number; params: Record<string, unknown> },
): DirectCall | null {
  const { id, params } = body
  const tool = findTool(params['name'])
  const revision = single(headers['mcp-protocol-version'])
  if (!tool || !isJsonContentType(headers['content-type'] ?? null)) return null
  if (!Object.keys(params).every((key) => ordinary.has(key))) return null
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    ...given('protocolVersionHeader', revision),
    ...given('mcpMethodHeader', single(headers['mcp-method'])),
    ...given('mcpNameHeader', single(headers['mcp-name'])),
    body,
  })
  const call = { id, tool, arguments: params['arguments'] }
  if (call.arguments !== undefined && !isRecord(call.arguments)) return null
  if (outcome.kind === 'modern') {
    const plain =
      outcome.messageKind === 'request' &&
      outcome.classification.revision === '2026-07-28' &&
      revision === '2026-07-28' &&
      headers['mcp-method'] === 'tools/call' &&
      headers['mcp-name'] === tool.name
    return plain ? { ...call, modern: true } : null
  }
  if (outcome.kind !== 'legacy' || outcome.reason !== 'no-claim') return null
  return olderRevisions.has(revision) && acceptsBoth(headers.accept) ? { ...call, modern: false } : null
}

const modernEnd = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo })}}}`

/** What stands before and after the members of the tool's result. */
export function frameAnswer({ id, modern }: DirectCall): [before: string, after: string] {
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`, modern ? modernEnd : '}}']
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

function given<Name extends string>(name: Name, value: string | undefined): { [Key in Name]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: string }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What the older revisions ask of every client. */
function acceptsBoth(accept = ''): boolean {
  return accept.includes('application/json') && accept.includes('text/event-stream')
}
