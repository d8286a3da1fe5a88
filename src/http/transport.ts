import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { failure } from './errors.ts'
import { newRequestId, securityHeaders, strictTransport } from './headers.ts'
import type { Observer } from './observer.ts'

interface Refusal {
  status: number
  code: string
  message: string
}

/** How long a rejected connection stays open: if closed at once, the answer could be lost. */
const linger = 1_000
/** On shutdown, how long answers in progress may take. */
const grace = 4_000

/** The HTTP server below all routes. Requests that Node itself rejects are answered and logged like all others. */
export class Transport {
  readonly #observer: Observer
  readonly #refused = new WeakSet<Duplex>()
  readonly #open = new Set<Socket>()
  readonly #silent = new Set<Socket>()
  readonly #strict: Readonly<Record<string, string>>
  #isDraining = false

  /** `url`: the public one, if it is set. */
  constructor(observer: Observer, url: string | null) {
    this.#observer = observer
    this.#strict = strictTransport(url)
  }

  listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
    const options = {
      maxHeaderSize: 16_384,
      headersTimeout: 10_000,
      // Long enough to attach a large file over a slow line.
      requestTimeout: 300_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 65_000,
      // Node would answer without a body; `checkHost` below gives a reason.
      requireHostHeader: false,
    }
    const server = createServer(options, (request, response) => {
      this.#silent.delete(request.socket)
      if (this.#isDraining) response.shouldKeepAlive = false
      for (const name in this.#strict) response.setHeader(name, this.#strict[name]!)
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
    // For clients that never read the answer.
    server.setTimeout(120_000)
    server.on('checkExpectation', (_request, response: ServerResponse) => {
      const message = 'The only supported expectation is 100-continue.'
      this.#refuse(response, { status: 417, code: 'expectation_failed', message })
    })
    server.on('connect', (_request, socket) => {
      // Node no longer handles this socket: an error without a listener would end the process.
      socket.on('error', () => socket.destroy())
      const message = 'This is not a proxy; CONNECT is not supported.'
      this.#refuseConnection(socket, { status: 405, code: 'method_not_allowed', message })
    })
    return server
  }

  /** From now on every answer closes its connection, so that clients move to another node. */
  drain(): void {
    this.#isDraining = true
    for (const socket of this.#open) {
      const pending = pendingAnswer(socket)
      if (pending) pending.shouldKeepAlive = false
    }
  }

  /**
   * Closes connections that were opened but never used, as browsers do: Node counts them as busy and would wait a
   * minute. Answers in progress get a moment to finish, whatever the client does.
   */
  hangUp(): void {
    this.drain()
    for (const socket of this.#silent) socket.destroy()
    setTimeout(() => this.#open.forEach((socket) => socket.destroy()), grace).unref()
  }

  /** Invalid HTTP, or a request that timed out. */
  readonly onClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (this.#refused.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const pending = pendingAnswer(socket)
    if (pending?.headersSent && !pending.req.complete) return void socket.destroy()
    if (pending?.req.complete) {
      // Earlier requests on this connection are still being answered: wait, or this would be taken for their answer.
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

  /** Once Node has given up on the request, the answer can only be written to the raw socket. */
  #refuseConnection(socket: Duplex, refusal: Refusal): void {
    this.#refused.add(socket)
    const { headers, body } = this.#describe(refusal)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`)
    setTimeout(() => socket.destroy(), linger).unref()
  }

  #describe({ status, code, message }: Refusal): { headers: Record<string, string>; body: string } {
    const id = newRequestId()
    const body = JSON.stringify(failure(status, code, message, id).body)
    this.#observer.request({ id, method: 'none', route: 'unreadable', status })
    const headers = {
      ...securityHeaders,
      ...this.#strict,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': id,
      Connection: 'close',
    }
    return { headers, body }
  }
}

/** Errors of the HTTP parser, raised before there is a request object. */
function parserFailure(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = 'The request line and headers are too large; 16 kB is the limit.'
    return { status: 431, code: 'headers_too_large', message }
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const message = 'The request timed out before it was complete; send it again.'
    return { status: 408, code: 'request_timeout', message }
  }
  const message = 'This is not a valid HTTP request; check its method, URL and headers.'
  return { status: 400, code: 'bad_request', message }
}

/** RFC 9112: exactly one Host header. With two, a proxy and Spool might each use a different one. */
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
  return { status: 400, code: 'bad_request', message: 'The request has several Host headers; send one.' }
}

/** The response in progress on this connection; Node keeps it under this name. */
function pendingAnswer(socket: Duplex): ServerResponse | null {
  return (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage ?? null
}
