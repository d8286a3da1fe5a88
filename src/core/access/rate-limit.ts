export interface Allowance {
  allowed: boolean
  limit: number
  window: number
  remaining: number
  /** Seconds until the window restarts. */
  reset: number
}

/** Requests of a key in its current window, and the milliseconds until that window ends. */
export interface Count {
  count: number
  left: number
}

/** Counts across all nodes. */
export interface SharedCounts {
  /** False while the shared store is unreachable or paused after a failure. */
  inReach(): boolean
  /** Null if the request could not be counted. */
  count(key: string): Promise<Count | null>
  /** Undoes one count, best effort. */
  discount(key: string): Promise<void>
}

/** Requests per window, counted across all nodes with Redis, else per node. */
export class RateLimit {
  readonly #shared: SharedCounts | null
  readonly #local: LocalCounts
  readonly #limit: number
  readonly #window: number

  constructor({ requests, seconds }: { requests: number; seconds: number }, shared: SharedCounts | null) {
    this.#shared = shared
    this.#local = new LocalCounts(seconds * 1000)
    this.#limit = requests
    this.#window = seconds
  }

  /** Synchronous when this node counts locally, which it also does while Redis is unreachable. */
  take(key: string): Allowance | Promise<Allowance> {
    return this.#shared?.inReach() ? this.#takeShared(this.#shared, key) : this.#takeLocal(key)
  }

  /** Call if the request turned out not to count against this limit. */
  async giveBack(key: string): Promise<void> {
    if (this.#shared?.inReach()) await this.#shared.discount(key)
    else this.#local.discount(key)
  }

  async #takeShared(shared: SharedCounts, key: string): Promise<Allowance> {
    const counted = await shared.count(key)
    return counted ? this.#allowance(counted) : this.#takeLocal(key)
  }

  #takeLocal(key: string): Allowance {
    return this.#allowance(this.#local.count(key, performance.now()))
  }

  #allowance({ count, left }: Count): Allowance {
    return {
      allowed: count <= this.#limit,
      limit: this.#limit,
      window: this.#window,
      remaining: Math.max(0, this.#limit - count),
      // Rounding can exceed the window slightly.
      reset: Math.min(this.#window, Math.max(1, Math.ceil(left / 1000))),
    }
  }
}

/** Bounds memory: a client could make up any number of keys. */
const mostWindows = 100_000

/** The counts of one node. A window begins with its first request; the map is in order of expiry. */
class LocalCounts {
  readonly #length: number
  readonly #windows = new Map<string, { count: number; ends: number }>()
  #sweepAt = 1_000

  constructor(length: number) {
    this.#length = length
  }

  count(key: string, now: number): Count {
    let window = this.#windows.get(key)
    if (!window || window.ends <= now) {
      this.#windows.delete(key)
      if (this.#windows.size >= this.#sweepAt) this.#sweep(now)
      this.#windows.set(key, (window = { count: 0, ends: now + this.#length }))
    }
    window.count++
    return { count: window.count, left: window.ends - now }
  }

  discount(key: string): void {
    const window = this.#windows.get(key)
    if (window && window.count > 0) window.count--
  }

  /**
   * Runs only once there are twice as many windows as the last sweep left, so that many addresses do not make every
   * request sweep. If too many are still active, the older half is evicted.
   */
  #sweep(now: number): void {
    const most = this.#windows.size < mostWindows ? mostWindows : mostWindows / 2
    for (const [key, { ends }] of this.#windows) {
      if (ends > now && this.#windows.size <= most) break
      this.#windows.delete(key)
    }
    this.#sweepAt = Math.min(mostWindows, Math.max(1_000, 2 * this.#windows.size))
  }
}
