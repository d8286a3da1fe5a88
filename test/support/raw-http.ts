import { request as httpRequest, Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RawAnswer {
  status: number
  /** Lower-case names; the last value of each. */
  headers: Record<string, string>
  body: string
}

export interface Exchange {
  answers: RawAnswer[]
  /** Whether the server closed the connection. */
  closed: boolean
  /** Received data that is not a complete response. */
  rest: string
}

export interface SendOptions {
  /** Waits for this many responses; otherwise until the server closes the connection. */
  answers?: number
  /** Stops waiting after this many milliseconds, without an error. */
  timeout?: number
  /** Expects responses without a body, as to HEAD. */
  bodiless?: boolean
}

/** Bytes to send, or milliseconds to wait before the next piece. */
export type Piece = string | Buffer | number

/** Sends raw data over a TCP connection, for requests that no HTTP client would send. */
export async function sendRaw(
  url: string,
  pieces: Piece | Piece[],
  options: SendOptions = {},
): Promise<Exchange> {
  const socket = await openSocket(url)
  const chunks: Buffer[] = []
  const enough = options.answers ?? Number.POSITIVE_INFINITY
  const read = () => readAnswers(Buffer.concat(chunks), options.bodiless ?? false)
  let closed = false
  const done = new Promise<void>((resolve) => {
    socket.on('data', (bytes: Buffer) => {
      chunks.push(bytes)
      if (Number.isFinite(enough) && read().answers.length >= enough) resolve()
    })
    for (const event of ['end', 'close'])
      socket.on(event, () => {
        closed = true
        resolve()
      })
  })
  socket.on('error', () => undefined)
  for (const piece of [pieces].flat()) {
    if (typeof piece === 'number') await sleep(piece)
    else if (socket.writable) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
  }
  const answered = new AbortController()
  await Promise.race([
    done,
    sleep(options.timeout ?? 60_000, undefined, { signal: answered.signal }).catch(() => undefined),
  ])
  answered.abort()
  socket.destroy()
  return { ...read(), closed }
}

export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

function readAnswers(bytes: Buffer, bodiless: boolean): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end === -1) break
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(first)?.[1])
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const noBody = bodiless || status === 304 || status === 204 || status < 200
    const found = noBody ? { body: Buffer.alloc(0), end: end + 4 } : readBody(bytes, end + 4, headers)
    if (Number.isNaN(status) || found === null) break
    // 100 Continue is not the response yet.
    if (status >= 200) answers.push({ status, headers, body: decode(headers, found.body) })
    at = found.end
  }
  return { answers, rest: bytes.toString('latin1', at) }
}

/** Null if more data is expected. For an event stream, which does not end, the headers are the whole response. */
function readBody(
  bytes: Buffer,
  at: number,
  headers: Record<string, string>,
): { body: Buffer; end: number } | null {
  const isEndless = headers['content-type']?.startsWith('text/event-stream')
  if (headers['transfer-encoding'] === 'chunked' && !isEndless) return readChunks(bytes, at)
  const end = at + Number(headers['content-length'] ?? 0)
  return bytes.length < end ? null : { body: bytes.subarray(at, end), end }
}

function readChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | null {
  const chunks: Buffer[] = []
  for (let at = start; ;) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return null
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const end = line + 2 + size + 2
    if (bytes.length < end) return null
    if (size === 0) return { body: Buffer.concat(chunks), end }
    chunks.push(bytes.subarray(line + 2, end - 2))
    at = end
  }
}

const decoders: Record<string, (bytes: Uint8Array) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

function decode(headers: Record<string, string>, body: Buffer): string {
  const decoder = decoders[headers['content-encoding'] ?? '']
  return (decoder && body.length > 0 ? decoder(body) : body).toString()
}

/** Sends any method that Node supports, over keep-alive connections. */
export class Client implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  ask(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(this.#url)
      const request = httpRequest(
        { agent: this.#agent, host: hostname, port, method, path, headers },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              headers: response.headers as Record<string, string>,
              body: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      request.on('error', reject)
      request.end(body)
    })
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}
