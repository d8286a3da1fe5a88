import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Requests as raw bytes, sent in order and then again from the first. */
export interface Load {
  port: number
  requests: readonly Buffer[]
  connections: number
  seconds: number
  /** The request to begin with, so that each turn continues where the last one stopped. */
  from: number
  /** Also ends after this many requests. */
  most?: number
}

export interface Measured {
  /** Responses per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
  count: number
}

export function writeRequest(path: string, token: string, coding?: string): Buffer {
  const accepted = coding === undefined ? '' : `Accept-Encoding: ${coding}\r\n`
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n${accepted}\r\n`,
  )
}

/**
 * A cheap load generator: bare keep-alive sockets with one request at a time on each; of a response, only the status
 * and the length are read. A response other than 200 ends the measurement.
 */
export async function measureLoad(load: Load): Promise<Measured> {
  const clients = await Promise.all(Array.from({ length: load.connections }, () => openClient(load.port)))
  const latencies: number[] = []
  let next = load.from
  const began = performance.now()
  const until = began + load.seconds * 1000
  try {
    await Promise.all(
      clients.map(
        (client) =>
          new Promise<void>((resolve, reject) => {
            client.onFailure = reject
            const ask = (): void => {
              const sent = performance.now()
              if (sent >= until || next - load.from >= (load.most ?? Infinity)) return resolve()
              client.ask(load.requests[next++ % load.requests.length]!, (status) => {
                if (status !== 200) return reject(new Error(`An answer was not 200 but ${status}.`))
                latencies.push(performance.now() - sent)
                ask()
              })
            }
            ask()
          }),
      ),
    )
  } finally {
    for (const client of clients) client.socket.destroy()
  }
  const seconds = (performance.now() - began) / 1000
  latencies.sort((a, b) => a - b)
  const quantile = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    rate: latencies.length / seconds,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    count: latencies.length,
  }
}

export interface Client {
  socket: Socket
  ask(request: Buffer, onAnswer: (status: number) => void): void
  onFailure(error: Error): void
}

const headEnd = Buffer.from('\r\n\r\n')

export async function openClient(port: number): Promise<Client> {
  /** The part of the response head received so far, while it is incomplete. */
  let head: Buffer | null = null
  let missing = 0
  let status = 0
  let onAnswer: (status: number) => void = () => undefined

  const read = (chunk: Buffer): void => {
    if (missing > 0) missing -= chunk.length
    else {
      const whole = head ? Buffer.concat([head, chunk]) : chunk
      const end = whole.indexOf(headEnd)
      if (end === -1) return void (head = Buffer.from(whole))
      head = null
      const answer = readHead(whole.toString('latin1', 0, end + 2))
      status = answer.status
      missing = answer.length - (whole.length - end - headEnd.length)
    }
    if (missing === 0) onAnswer(status)
  }
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    // One reused buffer per connection.
    onread: {
      buffer: Buffer.allocUnsafe(131_072),
      callback(size, buffer) {
        try {
          read((buffer as Buffer).subarray(0, size))
        } catch (error) {
          client.onFailure(error as Error)
        }
        return true
      },
    },
  })
  const client: Client = {
    socket,
    ask(request, whenAnswered) {
      onAnswer = whenAnswered
      socket.write(request)
    },
    onFailure: () => undefined,
  }
  await once(socket, 'connect')
  socket.on('error', (error) => client.onFailure(error))
  socket.on('end', () => client.onFailure(new Error('The server closed a connection.')))
  return client
}

function readHead(head: string): { status: number; length: number } {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]
  if (status === undefined || length === undefined)
    throw new Error(`An answer did not tell its status and length:\n${head}`)
  return { status: Number(status), length: Number(length) }
}
