import { once } from 'node:events'
import { Redis } from 'ioredis'
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import type { PresenceChannel } from '../core/log/presence.ts'
import { quoteServer } from '../model/errors.ts'
import type { Count, SharedCounts } from '../core/access/rate-limit.ts'

/** Fails fast: a hanging Redis must not hold up a request. */
export function connectRedis(url: string, onTrouble: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1_000,
    connectTimeout: 2_000,
    // It leaves a subscription that fails unhandled, which would end the process; see RedisPresence.
    autoResubscribe: false,
    retryStrategy: (tries) => Math.min(100 * tries, 2_000),
  })
  redis.on('error', onTrouble)
  return redis
}

/** Worth a short wait at start: requests before that would be counted per node. */
export async function awaitRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  await once(redis, 'ready', { signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
}

/** For `spool doctor`: rejects if Redis does not answer or refuses the password. */
export async function pingRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // What follows a refused password says only that the connection has ended.
  let first: Error | null = null
  redis.on('error', (error: Error) => (first ??= error))
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    const { message } = first ?? (error as Error)
    throw new Error(
      `Redis cannot be used (${quoteServer(message)}); check that it is running, and the address and password in SPOOL_REDIS_URL.`,
      { cause: error },
    )
  } finally {
    redis.disconnect()
  }
}

/** How long Redis is skipped after a failure: while it hangs, every request would wait for it. */
const pause = 1_000

export class RedisCounts implements SharedCounts {
  readonly #redis: Redis
  readonly #limiter: RateLimiterRedis
  #pausedUntil = 0

  constructor(name: string, { requests, seconds }: { requests: number; seconds: number }, redis: Redis) {
    this.#redis = redis
    const rules = { points: requests, duration: seconds, keyPrefix: `spool:${name}` }
    this.#limiter = new RateLimiterRedis({ ...rules, storeClient: redis })
  }

  inReach(): boolean {
    return this.#redis.status === 'ready' && performance.now() >= this.#pausedUntil
  }

  async count(key: string): Promise<Count | null> {
    try {
      return readCount(await this.#limiter.consume(key))
    } catch (refused) {
      if (!(refused instanceof Error)) return readCount(refused as RateLimiterRes)
      this.#pausedUntil = performance.now() + pause
      return null
    }
  }

  async discount(key: string): Promise<void> {
    await this.#limiter.reward(key).catch(() => undefined)
  }
}

function readCount({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { count: consumedPoints, left: msBeforeNext }
}

const presenceChannel = 'spool:presence'

/** Nodes exchange presence through Redis. Best effort: a node that misses a message shows fewer people. */
export class RedisPresence implements PresenceChannel, Disposable {
  readonly #redis: Redis
  readonly #subscriber: Redis

  /** Needs a second connection: a subscribed one accepts no other commands. */
  constructor(redis: Redis, subscriber: Redis) {
    this.#redis = redis
    this.#subscriber = subscriber
    subscriber.on('ready', () => void subscriber.subscribe(presenceChannel).catch(() => undefined))
  }

  publish(text: string): void {
    if (this.#redis.status === 'ready') void this.#redis.publish(presenceChannel, text).catch(() => undefined)
  }

  onMessage(listener: (text: string) => void): void {
    this.#subscriber.on('message', (_channel, text) => listener(text))
  }

  [Symbol.dispose](): void {
    this.#subscriber.disconnect()
  }
}
