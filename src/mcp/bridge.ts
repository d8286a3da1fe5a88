import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export interface BridgeOptions {
  /** The Spool to connect to, without a trailing slash. */
  url: string
  token: string
  input: Readable
  output: Writable
}

/** Copied from the SDK, so that the bridge starts without loading it. */
const versionKey = 'io.modelcontextprotocol/protocolVersion'

interface Message {
  id?: string | number
  method?: string
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> }
  result?: { protocolVersion?: unknown }
  error?: unknown
}

/**
 * MCP over stdio, for clients that start their servers themselves: each line is forwarded to a running Spool and each
 * answer is written back as a line. It has no access beyond the token's. It ends once its input has ended and every
 * request is answered.
 */
export async function runBridge({ url, token, input, output }: BridgeOptions): Promise<void> {
  const pending = new Set<Promise<void>>()
  const agreed = { version: null as string | null }
  let listening: Promise<void> | null = null
  const write = (message: object | string): void => {
    output.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  }

  // The client has exited.
  output.on('error', () => input.destroy())

  // Subscription streams never end by themselves.
  const ended = new AbortController()
  /** Requests without an answer yet, by id. */
  const open = new Map<unknown, AbortController>()
  const authorization = { Authorization: `Bearer ${token}` }

  async function pass(line: string, message: Message, cancelled: AbortSignal): Promise<void> {
    const isEndless = message.method === 'subscriptions/listen'
    const response = await fetch(`${url}/mcp`, {
      signal: isEndless ? AbortSignal.any([cancelled, ended.signal]) : cancelled,
      method: 'POST',
      headers: { ...authorization, ...describe(message, agreed.version) },
      body: line,
      // A token must not follow a redirect to another server.
      redirect: 'error',
    })
    let isAnswered = message.id === undefined || message.method === undefined
    for await (const answer of readAnswers(response)) {
      const { result, error } = readMessage(answer) ?? {}
      isAnswered ||= (result ?? error) !== undefined
      const refusal = response.ok ? null : readRefusal(answer)
      if (refusal) {
        for (const id of idsOf(message)) write({ ...refusal, id })
        continue
      }
      const version = result?.protocolVersion
      if (message.method === 'initialize' && typeof version === 'string') agreed.version ??= version
      write(answer)
    }
    if (!isAnswered) throw new Refused('Spool ended this request without an answer; send it again.')
  }

  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const message = readMessage(line)
    if (message === null) {
      write(problem(null, -32_700, 'This line is not JSON.'))
      continue
    }
    if (message.method === 'notifications/cancelled') open.get(message.params?.requestId)?.abort()
    const cancel = new AbortController()
    if (message.id !== undefined) open.set(message.id, cancel)
    const passed = pass(line, message, cancel.signal).catch((error: unknown) => {
      const isEnded = ended.signal.aborted && message.method === 'subscriptions/listen'
      if (isEnded || cancel.signal.aborted) return
      for (const id of idsOf(message)) write(problem(id, -32_000, sentence(error, url)))
    })
    pending.add(passed)
    void passed.finally(() => {
      pending.delete(passed)
      if (open.get(message.id) === cancel) open.delete(message.id)
    })
    // Later messages use the protocol version that this one negotiates.
    if (message.method === 'initialize') await passed
    if (message.method === 'resources/subscribe') listening ??= listen()
  }
  ended.abort()
  await Promise.all([...pending, listening])

  /** Older revisions receive changes on a separate stream, opened at the first subscription and again when it breaks. */
  async function listen(): Promise<void> {
    const version = { 'MCP-Protocol-Version': agreed.version ?? '2025-11-25' }
    const headers = { ...authorization, ...version, Accept: 'text/event-stream' }
    for (let isAgain = false; !ended.signal.aborted; isAgain = true) {
      try {
        const response = await fetch(`${url}/mcp`, { headers, redirect: 'error', signal: ended.signal })
        // Refused, such as a revoked token: the next subscription tries again.
        if ([401, 403, 405].includes(response.status)) break
        if (response.ok && isAgain) write(somethingChanged)
        if (response.ok) for await (const told of readEvents(response)) write(told)
      } catch {
        // The server is restarting, or the bridge ends.
      }
      await sleep(reopenMilliseconds, undefined, { signal: ended.signal }).catch(() => undefined)
    }
    listening = null
  }

  /** Turns an HTTP error into a JSON-RPC error for each request that waits for an answer. */
  async function* readAnswers(response: Response): AsyncGenerator<string> {
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      yield* readEvents(response)
      return
    }
    const body = await response.text()
    if (body === '') return
    if (response.ok || body.includes('"jsonrpc"')) yield body
    else throw new Refused((readMessage(body) as { message?: string } | null)?.message ?? 'Refused.')
  }
}

const reopenMilliseconds = 1_000
/** Notifications are lost while the stream is broken, so the client reads its lists again. */
const somethingChanged = { jsonrpc: '2.0', method: 'notifications/resources/list_changed' }

class Refused extends Error {}

function readMessage(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Message) : {}
  } catch {
    return null
  }
}

/** Of the requests in a line, which may be a batch. */
function idsOf(message: Message): (string | number)[] {
  return [message].flat().flatMap((each: Message | null) => each?.id ?? [])
}

/** An error that names no request, because the server did not read that far: the client waits for one with its id. */
function readRefusal(answer: string): object | null {
  const read = readMessage(answer) as { id?: unknown; error?: unknown } | null
  return read?.error !== undefined && (read.id ?? null) === null ? read : null
}

/** The headers that Streamable HTTP requires, in both protocol revisions. */
function describe({ method, params }: Message, agreed: string | null): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const claimed = params?._meta?.[versionKey]
  if (typeof claimed !== 'string')
    return agreed === null ? headers : { ...headers, 'MCP-Protocol-Version': agreed }
  headers['MCP-Protocol-Version'] = plain(claimed)
  if (method !== undefined) headers['Mcp-Method'] = plain(method)
  const name = method === 'resources/read' ? params?.uri : params?.name
  if (typeof name === 'string') headers['Mcp-Name'] = plain(name)
  return headers
}

/** Headers are printable ASCII; anything else is sent in the protocol's base64 encoding. */
function plain(value: string): string {
  return /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

async function* readEvents(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const events = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split(/\r?\n\r?\n/)
    rest = events.pop()!
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
      const data = lines.map((line) => line.slice(5).trim()).join('\n')
      if (data !== '') yield data
    }
  }
}

function problem(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

function sentence(error: unknown, url: string): string {
  if (error instanceof Refused) return error.message
  return `Spool does not answer at ${url}; check that it is running and that SPOOL_URL is right.`
}
