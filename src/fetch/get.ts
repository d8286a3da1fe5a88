import type { Dispatcher } from 'undici'
import { unlessAborted, type Connections } from '../webhook/connections.ts'
import type { Guard, Target } from '../webhook/guard.ts'

const mostRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

/** The same for every installation and version, so that it says nothing about the reader. */
const userAgent = 'Mozilla/5.0 (compatible; Spool)'

export interface Get {
  guard: Guard
  connections: Connections
  accept: string
  mostBytes: number
  signal: AbortSignal
}

/** Why the fetch failed, for people to read; without the address, which may identify the reader. */
export class FetchFailed extends Error {}

/** Fetches an address that others named and sends no data of Spool's. Each redirect is checked like the first. */
export async function getBytes(address: string, get: Get): Promise<Buffer> {
  let next = address
  for (let count = 0; count <= mostRedirects; count++) {
    const target = await unlessAborted(get.guard.check(next), get.signal)
    const answer = await get.connections.use(target, async (pool) => readAnswer(target, pool, get))
    if (Buffer.isBuffer(answer)) return answer
    next = answer.location
  }
  throw new FetchFailed('it redirects too often')
}

async function readAnswer(
  { url }: Target,
  pool: Dispatcher,
  { accept, mostBytes, signal }: Get,
): Promise<Buffer | { location: string }> {
  const { statusCode, headers, body } = await pool.request({
    path: url.pathname + url.search,
    method: 'GET',
    // Compressed data could expand enormously; a server that compresses it anyway does not send a valid picture.
    headers: { accept, 'accept-encoding': 'identity', 'user-agent': userAgent },
    signal,
  })
  try {
    if (redirects.has(statusCode)) {
      const location = URL.parse(String(headers['location'] ?? ''), url.href)
      if (location === null || headers['location'] === undefined)
        throw new FetchFailed('it redirects to nowhere')
      return { location: location.href }
    }
    if (statusCode !== 200) throw new FetchFailed(`the server answered ${statusCode}`)
    const tooLarge = new FetchFailed(`it is larger than ${mostBytes / 1_000_000} MB`)
    if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge
    return await readBody(body, mostBytes, tooLarge)
  } finally {
    // Do not wait for the rest of a body that was not read to the end.
    body.on('error', () => undefined).destroy()
  }
}

/** Rejects with `tooLarge` if there are more than `mostBytes`. */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  tooLarge: Error,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > mostBytes) throw tooLarge
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
