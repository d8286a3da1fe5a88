import { SpoolError } from '../model/errors.ts'
import type { Attempt } from '../model/webhooks.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { Connections, unlessAborted } from './connections.ts'
import type { Guard } from './guard.ts'
import { signDelivery } from './sign.ts'

/** For the whole delivery: DNS, connect, send and response. */
const timeLimit = 15_000
/** Bytes of the response body that are kept. */
const mostKept = 1024
/** A longer response is not read to the end: the connection is closed instead. */
const mostRead = 16_384

export interface Post {
  url: string
  secrets: readonly string[]
  id: string
  body: string
  /** The signed time, from the caller's clock. */
  now: number
}

type Answer = Pick<Attempt, 'status' | 'answer' | 'fault' | 'retryAfter'>

/** Makes single deliveries. Connections are reused; the target is checked again for every delivery. */
export class Courier implements AsyncDisposable {
  readonly #guard: Guard
  readonly #timeLimit: number
  readonly #connections = new Connections()

  constructor(guard: Guard, limit = timeLimit) {
    this.#guard = guard
    this.#timeLimit = limit
  }

  /** Never rejects: a failure is reported in the attempt. `stop` aborts it. */
  async deliver(post: Post, stop: AbortSignal): Promise<Attempt> {
    const started = performance.now()
    const limit = new AbortController()
    const onStop = (): void => limit.abort(new Error('stopped'))
    const timer = setTimeout(() => limit.abort(new TimeLimit()), this.#timeLimit)
    stop.addEventListener('abort', onStop, { once: true })
    if (stop.aborted) onStop()
    let answer: Answer
    try {
      answer = await this.#post(post, limit.signal)
    } catch (error) {
      const reason = limit.signal.aborted ? (limit.signal.reason as Error) : (error as Error)
      answer = { status: null, answer: null, retryAfter: null, fault: this.#describe(reason) }
    } finally {
      clearTimeout(timer)
      stop.removeEventListener('abort', onStop)
    }
    return { at: post.now, milliseconds: Math.round(performance.now() - started), ...answer }
  }

  async #post({ url: text, secrets, id, body, now }: Post, signal: AbortSignal): Promise<Answer> {
    const target = await unlessAborted(this.#guard.check(text), signal)
    return this.#connections.use(target, async (pool) => {
      const {
        statusCode,
        headers,
        body: stream,
      } = await pool.request({
        path: target.url.pathname + target.url.search,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': `Spool/${packageJson.version}`,
          ...signDelivery(secrets, { id, at: now, body }),
        },
        body,
        signal,
      })
      const retryAfter = statusCode < 300 ? null : readRetryAfter(headers['retry-after'], now)
      return { status: statusCode, answer: await readExcerpt(stream), fault: null, retryAfter }
    })
  }

  /** For people to read. Must not contain the URL, which may hold a secret. */
  #describe(error: Error & { code?: string }): string {
    if (error instanceof TimeLimit) return `No answer within ${this.#timeLimit / 1000} seconds.`
    if (error instanceof SpoolError) return error.message
    return faults[error.code ?? ''] ?? `The request failed (${error.code ?? error.name}).`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections[Symbol.asyncDispose]()
  }
}

class TimeLimit extends Error {}

const faults: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  UND_ERR_SOCKET: 'The connection ended without an answer.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is signed by an unknown authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is signed by an unknown authority.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
}

/** The status is already known: a body that breaks off or never ends does not change the result. */
async function readExcerpt(stream: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<string> {
  const kept: Uint8Array[] = []
  let read = 0
  try {
    for await (const chunk of stream) {
      if (read < mostKept) kept.push(chunk.subarray(0, mostKept - read))
      read += chunk.length
      if (read > mostRead) break
    }
  } catch {
    // What was read so far is enough.
  }
  // Shown in terminals: no control characters except line ends and tabs.
  return Buffer.concat(kept)
    .toString('utf8')
    .replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, '\ufffd')
}

/** Seconds or an HTTP date. */
function readRetryAfter(header: string | string[] | undefined, now: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
