import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StreamAnswer } from './app-route.ts'
import { openCompressor, type Coding } from './content/coding.ts'
import { securityHeaders } from './headers.ts'

/** A client that reads nothing for this long is disconnected; it reconnects and catches up. */
const defaultTimeout = 30_000

/**
 * Streams text until it ends or the client disconnects. The next chunk is requested only after the last was written,
 * so a client that does not read buffers one chunk and no more.
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { stream, headers }: StreamAnswer,
  timeout = defaultTimeout,
): Promise<void> {
  const response = reply.raw
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const pieces = stream(gone.signal)[Symbol.asyncIterator]()
  // An error before the first chunk still gets a normal error response.
  const first = await pieces.next()
  reply.hijack()
  response.writeHead(200, {
    ...securityHeaders,
    'Cache-Control': 'no-store',
    'X-Request-Id': request.id,
    // Stops proxies from buffering.
    'X-Accel-Buffering': 'no',
    ...headers,
  })
  try {
    for (let piece = first; !piece.done && !response.destroyed; piece = await pieces.next())
      await write(response, piece.value, timeout)
    response.end()
  } catch {
    response.destroy()
  } finally {
    gone.abort()
    await pieces.return?.()
  }
}

/**
 * The same for an API response whose headers are already written: compressed if requested, and each chunk flushed. An
 * error midway can only cut the response off.
 */
export async function pour(
  response: ServerResponse,
  first: IteratorResult<string, void>,
  pieces: AsyncGenerator<string>,
  coding: Coding | null,
): Promise<void> {
  const compressor = coding === null ? null : openCompressor(coding)
  compressor?.on('error', () => response.destroy()).pipe(response)
  const target = compressor ?? response
  // `pipe` does not destroy the compressor when the client disconnects.
  response.once('close', () => compressor?.destroy())
  try {
    for (let piece = first; !piece.done && !response.destroyed; piece = await pieces.next())
      await write(target, piece.value, defaultTimeout)
    target.end()
  } catch {
    response.destroy()
  } finally {
    await pieces.return(undefined)
  }
}

async function write(response: Writable, piece: string, timeout: number): Promise<void> {
  if (response.write(piece)) return
  const taken = new AbortController()
  const timer = setTimeout(() => taken.abort(), timeout)
  const closed = (): void => taken.abort()
  response.once('close', closed)
  try {
    await once(response, 'drain', { signal: taken.signal })
  } finally {
    clearTimeout(timer)
    response.off('close', closed)
  }
}
