import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppAnswer } from './app-route.ts'
import { securityHeaders } from './headers.ts'

/** A client that has taken nothing for so long is dropped; it comes back and catches up. */
const usualPatience = 30_000

/**
 * Text as it comes, until there is no more or the client goes away. The next piece is only asked for when the last one
 * was taken: a client that does not read holds one piece and no more.
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { stream, headers }: Extract<AppAnswer, { stream: unknown }>,
  patience = usualPatience,
): Promise<void> {
  const response = reply.raw
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const pieces = stream(gone.signal)[Symbol.asyncIterator]()
  // What fails before anything was sent is answered like any other request.
  const first = await pieces.next()
  reply.hijack()
  response.writeHead(200, {
    ...securityHeaders,
    'Cache-Control': 'no-store',
    'X-Request-Id': request.id,
    // So that proxies pass it on as it comes.
    'X-Accel-Buffering': 'no',
    ...headers,
  })
  try {
    for (let piece = first; !piece.done && !response.destroyed; piece = await pieces.next())
      await write(response, piece.value, patience)
    response.end()
  } catch {
    response.destroy()
  } finally {
    gone.abort()
    await pieces.return?.()
  }
}

async function write(response: ServerResponse, piece: string, patience: number): Promise<void> {
  if (response.write(piece)) return
  const taken = new AbortController()
  const timer = setTimeout(() => taken.abort(), patience)
  const closed = (): void => taken.abort()
  response.once('close', closed)
  try {
    await once(response, 'drain', { signal: taken.signal })
  } finally {
    clearTimeout(timer)
    response.off('close', closed)
  }
}
