import { SpoolError } from '../model/errors.ts'
import type { GuardedFetch } from '../model/mail/oauth.ts'
import { alwaysAt } from '../webhook/connections.ts'
import type { Guard } from '../webhook/guard.ts'
import { readBody } from './get.ts'

const timeLimit = 15_000
const mostBytes = 1_000_000

/** `fetch` for addresses that others named: checked by the guard, without redirects, in bounded time and size. */
export function makeGuardedFetch(guard: Guard): GuardedFetch {
  return async (text, { method = 'GET', headers, body, signal }) => {
    const { url, address } = await guard.check(text).catch((error: unknown) => {
      if (!(error instanceof SpoolError)) throw error
      const host = URL.parse(text)?.host ?? text.slice(0, 100)
      throw new SpoolError(
        'bad_parameter',
        `${host} cannot be asked: it must be a known name with a public https address. SPOOL_FETCH_ALLOW can name a network of your own.`,
        { cause: error },
      )
    })
    // Loaded with the first request: not every installation makes any.
    const { Agent, fetch } = await import('undici')
    const agent = new Agent({
      connect: {
        timeout: timeLimit,
        lookup: alwaysAt(address),
      },
    })
    const limit = AbortSignal.timeout(timeLimit)
    try {
      const answer = await fetch(url, {
        method,
        ...(headers ? { headers } : {}),
        body: body as string,
        redirect: 'error',
        dispatcher: agent,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      const tooLarge = new Error(`the answer of ${url.host} is too large`)
      const bytes = await readBody((answer.body ?? []) as AsyncIterable<Uint8Array>, mostBytes, tooLarge)
      const empty = [101, 204, 205, 304].includes(answer.status)
      return new Response(empty ? null : bytes, {
        status: answer.status,
        headers: [...answer.headers],
      })
    } finally {
      void agent.destroy()
    }
  }
}
