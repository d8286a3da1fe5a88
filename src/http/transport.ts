import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { failure, parserFailure } from './errors.ts'
import { newRequestId, securityHeaders } from './headers.ts'
import type { Observer } from './observer.ts'

interface Refusal {
  status: number
  code: string
  message: string
}

/** How long a refused client may still talk: closed at once, the answer could be lost on its way. */
const linger = 1_000
/** At the end, answers that are under way may take so long. */
const grace = 4_000

/** The HTTP server below all routes. What Node refuses, or leaves to its user, is answered and logged like the rest. */
export class Transport {
  readonly #observer: Observer
  readonly #refused = new WeakSet<Duplex>()
  readonly #open = new Set<Socket>()
  readonly #silent = new Set<Socket>()
  #isDraining = false

  constructor(observer: Observer) {
    this.#observer = observer
  }

  listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
    const options = {
      maxHeaderSize: 16_384,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 65_000,
      // Node would answer without a body; `checkHost` below says why.
      requireHostHeader: false,
    }
    const server = createServer(options, (request, response) => {
      this.#silent.delete(request.socket)
      if (this.#isDraining) response.shouldKeepAlive = false
      const refusal = checkHost(request)
      if (refusal) this.#refuse(response, refusal)
      else handle(request, response)
    })
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      this.#silent.add(socket)
      socket.once('close', () => {
        this.#open.delete(socket)
        this.#silent.delete(socket)
      })
    })
    // For whoever asks and then never reads the answer.
    server.setTimeout(120_000)
    server.on('checkExpectation', (_request, response: ServerResponse) => {
      const message = 'The only expectation that can be met is 100-continue.'
      this.#refuse(response, { status: 417, code: 'expectation_failed', message })
    })
    server.on('connect', (_request, socket) => {
      // Node has let go of the connection: an error on it would find no listener and end the process.
      socket.on('error', () => socket.destroy())
      const message = 'This is not a proxy: CONNECT is not known here.'
      this.#refuseConnection(socket, { status: 405, code: 'method_not_allowed', message })
    })
    return server
  }

  /** From now on every answer says that it is the last on its connection, so that clients turn to another node. */
  drain(): void {
    this.#isDraining = true
    for (const socket of this.#open) {
      const pending = pendingAnswer(socket)
      if (pending) pending.shouldKeepAlive = false
    }
  }

  /**
   * Ends what was opened ahead of a request, as browsers do: Node counts it as busy, and would wait for a minute. What is
   * being answered has a moment to finish, whatever the client does.
   */
  hangUp(): void {
    this.drain()
    for (const socket of this.#silent) socket.destroy()
    setTimeout(() => this.#open.forEach((socket) => socket.destroy()), grace).unref()
  }

  /** What could not be read as HTTP, or did not come in time. */
  readonly onClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (this.#refused.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const pending = pendingAnswer(socket)
    if (pending?.headersSent && !pending.req.complete) return void socket.destroy()
    if (pending?.req.complete) {
      // Requests before it came whole and are still being answered: in its turn, or it would be taken for theirs.
      pending.once('finish', () => this.onClientError(error, socket))
      return
    }
    this.#refuseConnection(socket, parserFailure(error.code))
  }

  #refuse(response: ServerResponse, refusal: Refusal): void {
    const { headers, body } = this.#describe(refusal)
    response.writeHead(refusal.status, headers)
    response.end(body)
  }

  /** Where Node has given up on the request there is only the bare connection to answer on. */
  #refuseConnection(socket: Duplex, refusal: Refusal): void {
    this.#refused.add(socket)
    const { headers, body } = this.#describe(refusal)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`)
    setTimeout(() => socket.destroy(), linger).unref()
  }

  #describe({ status, code, message }: Refusal): { headers: Record<string, string>; body: string } {
    const id = newRequestId()
    const { body } = failure(status, code, message, id)
    this.#observer.request({ id, method: 'none', route: 'unreadable', status, seconds: 0, tokenId: null })
    const headers = {
      ...securityHeaders,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': id,
      Connection: 'close',
    }
    return { headers, body }
  }
}

/** RFC 9112: exactly one. With two, a proxy and Spool could each believe another. */
function checkHost({ httpVersion, rawHeaders, headers }: IncomingMessage): Refusal | null {
  if (headers.host === undefined) {
    if (httpVersion !== '1.1') return null
    return { status: 400, code: 'bad_request', message: 'An HTTP/1.1 request needs a Host header.' }
  }
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts === 1) return null
  return { status: 400, code: 'bad_request', message: 'A request has one Host header; this has several.' }
}

/** The answer whose turn it is on this connection; Node keeps it there under this name. */
function pendingAnswer(socket: Duplex): ServerResponse | null {
  return (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage ?? null
}
