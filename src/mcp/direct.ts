import type { IncomingHttpHeaders } from 'node:http'
import { classifyInboundRequest, isJsonContentType, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import { serverInfo } from './server.ts'
import type { Tool } from './tool.ts'
import { findTool } from './tools/table.ts'

/** A plain tool call, which is nearly everything agents send. */
export interface DirectCall {
  id: string | number
  tool: Tool
  arguments: unknown
  /** Whether the client speaks revision 2026-07-28. */
  modern: boolean
}

/** Older revisions whose calls have no envelope; any other is left to the SDK to reject. */
const olderRevisions = new Set([undefined, '2025-11-25', '2025-06-18', '2025-03-26'])
const ordinary = new Set(['name', 'arguments', '_meta'])

/**
 * Parses a plain tool call using only the SDK's message check, because the SDK creates a server, a transport and a
 * web response for each call. Null for anything unusual or invalid: that goes through the SDK, which also writes the
 * error.
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

/** What goes before and after the members of the tool's result. */
export function frameAnswer({ id, modern }: DirectCall): [before: string, after: string] {
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`, modern ? modernEnd : '}}']
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

function given<Name extends string>(name: Name, value: string | undefined): { [Key in Name]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: string }
}

export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Older revisions require clients to accept both types. */
function acceptsBoth(accept = ''): boolean {
  return accept.includes('application/json') && accept.includes('text/event-stream')
}
