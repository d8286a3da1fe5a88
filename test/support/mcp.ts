import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { tools } from '../../src/mcp/tools/table.ts'

export const revisions = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof revisions)[number]

export interface ToolAnswer {
  status: number
  headers: Headers
  /** The JSON-RPC error, if the response is one. */
  error: { code: number; message: string; data?: Record<string, unknown> } | null
  isError: boolean
  /** The text of the first content block. */
  text: string
  structured: Record<string, unknown>
  raw: string
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A request as a client of that revision sends it, including the headers that repeat parts of the body. */
export function writeMessage(
  revision: Revision,
  method: string,
  params: Record<string, unknown> = {},
): { headers: Record<string, string>; body: string } {
  const modern = revision === '2026-07-28'
  const name = typeof params['name'] === 'string' ? { 'Mcp-Name': params['name'] } : {}
  return {
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': revision,
      ...(modern ? { 'Mcp-Method': method, ...name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method,
      params: modern ? { ...params, _meta: envelope } : params,
    }),
  }
}

export function post(
  url: string,
  token: string | null,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<Response> {
  const authorization = token === null ? {} : { Authorization: `Bearer ${token}` }
  return fetch(`${url}/mcp`, { method: 'POST', headers: { ...authorization, ...headers }, body })
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const schemas = new Map<string, ReturnType<Ajv2020['compile']>>()

/** Compiles the output schemas from the tool list, so that every result can be validated against them. */
export function learnTools(listed: readonly { name: string; outputSchema?: object }[]): void {
  for (const { name, outputSchema } of listed) schemas.set(name, ajv.compile(outputSchema ?? true))
}

export async function callTool(
  url: string,
  token: string,
  name: string,
  input: unknown = {},
  revision: Revision = '2026-07-28',
): Promise<ToolAnswer> {
  const response = await post(url, token, writeMessage(revision, 'tools/call', { name, arguments: input }))
  const raw = await response.text()
  const answer = readAnswer(response, raw)
  if (response.status === 200 && !answer.error && !answer.isError) checkStructure(name, answer)
  return answer
}

function readAnswer(response: Response, raw: string): ToolAnswer {
  const data = /^data: (.*)$/m.exec(raw)?.[1] ?? raw
  const body = JSON.parse(data) as {
    error?: ToolAnswer['error']
    result?: {
      content: { type: string; text: string }[]
      structuredContent?: Record<string, unknown>
      isError?: boolean
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    error: body.error ?? null,
    isError: body.result?.isError ?? false,
    text: body.result?.content[0]?.text ?? '',
    structured: body.result?.structuredContent ?? {},
    raw: data,
  }
}

/** The text must equal the structured content, as JSON or more compactly, and match the listed output schema. */
function checkStructure(name: string, { text, structured }: ToolAnswer): void {
  const missing = text === JSON.stringify(structured) ? undefined : missingFrom(text, structured)
  if (missing !== undefined) throw new Error(`${name}: the text lacks ${missing}.`)
  const valid = schemas.get(name)
  if (valid && !valid(structured)) throw new Error(`${name}: ${ajv.errorsText(valid.errors)}`)
}

/** The first value of the structured content that is missing from the compact text. */
function missingFrom(text: string, value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null)
    return Object.values(value)
      .map((each) => missingFrom(text, each))
      .find((each) => each !== undefined)
  const said = value === null || value === true || text.includes(String(value))
  return said || text.includes(JSON.stringify(value)) ? undefined : String(value)
}

/** The official client, used as an agent's host would. */
export async function connectClient(
  url: string,
  token: string,
  revision: Revision = '2026-07-28',
): Promise<Client> {
  const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  return client
}

export const toolNames = tools.map(({ name }) => name)
