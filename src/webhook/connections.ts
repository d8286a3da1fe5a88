import type { LookupFunction } from 'node:net'
import type { Pool } from 'undici'
import type { Address, Target } from './guard.ts'

/** How long an unused connection is kept open. */
const idleTime = 10_000

type MakePool = typeof import('undici').Pool

interface Kept {
  pool: Pool
  used: number
  busy: number
}

/** Connections per origin and checked address. */
export class Connections implements AsyncDisposable {
  readonly #pools = new Map<string, Kept>()
  readonly #sweep = setInterval(() => this.#closeIdle(), idleTime / 2).unref()
  #makePool: MakePool | null = null

  /** Kept open while `work` runs, which includes reading the body. */
  async use<Result>({ url, address }: Target, work: (pool: Pool) => Promise<Result>): Promise<Result> {
    // Loaded with the first request: not every installation makes any.
    this.#makePool ??= (await import('undici')).Pool
    const kept = this.#poolFor(this.#makePool, url.origin, address)
    kept.busy++
    try {
      return await work(kept.pool)
    } finally {
      kept.busy--
      kept.used = performance.now()
    }
  }

  #poolFor(Pool: MakePool, origin: string, address: Address): Kept {
    const key = `${origin} ${address.address}`
    let kept = this.#pools.get(key)
    if (!kept) {
      const pool = new Pool(origin, {
        allowH2: false,
        pipelining: 1,
        keepAliveTimeout: idleTime / 2,
        keepAliveMaxTimeout: idleTime,
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: {
          timeout: 10_000,
          lookup: alwaysAt(address),
        },
      })
      this.#pools.set(key, (kept = { pool, used: performance.now(), busy: 0 }))
    }
    return kept
  }

  #closeIdle(): void {
    for (const [key, { pool, used, busy }] of this.#pools) {
      if (busy > 0 || performance.now() - used < idleTime) continue
      this.#pools.delete(key)
      void pool.close()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweep)
    await Promise.all([...this.#pools.values()].map(({ pool }) => pool.destroy()))
  }
}

/** Finds the address that was checked, whatever the name resolves to now. */
export function alwaysAt(address: Address): LookupFunction {
  return (_name, options, done) =>
    options.all ? done(null, [address]) : done(null, address.address, address.family)
}

export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    // Racing both handles both rejections, so that neither goes unhandled.
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
