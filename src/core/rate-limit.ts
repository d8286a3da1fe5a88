export interface Allowance {
  allowed: boolean
  limit: number
  window: number
  remaining: number
  /** Seconds until the window begins anew. */
  reset: number
}

/** How many requests a key has made in its window, and how many milliseconds of that are left. */
export interface Count {
  count: number
  left: number
}

/** Counts for all nodes together. */
export interface SharedCounts {
  /** False while there is no use in asking. */
  inReach(): boolean
  /** Null when it could not be counted. */
  count(key: string): Promise<Count | null>
}

/** Requests in a window, counted for all nodes together where there is Redis, else for this node. */
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

  /** At once where this node counts, as it does too while Redis is out of reach. */
  take(key: string): Allowance | Promise<Allowance> {
    return this.#shared?.inReach() ? this.#takeShared(this.#shared, key) : this.#takeLocal(key)
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
      // A sum of fractions may come out a hair above the window.
      reset: Math.min(this.#window, Math.max(1, Math.ceil(left / 1000))),
    }
  }
}

interface Window {
  count: number
  ends: number
}

/** The counts of one node: a window begins with its first request. */
class LocalCounts {
  readonly #length: number
  readonly #windows = new Map<string, Window>()
  #sweepAt = 1_000

  constructor(length: number) {
    this.#length = length
  }

  count(key: string, now: number): Count {
    let window = this.#windows.get(key)
    if (!window || window.ends <= now) {
      if (this.#windows.size >= this.#sweepAt) this.#sweep(now)
      this.#windows.set(key, (window = { count: 0, ends: now + this.#length }))
    }
    window.count++
    return { count: window.count, left: window.ends - now }
  }

  /** Only when there are twice as many as the last sweep left, so that many addresses do not make every request sweep. */
  #sweep(now: number): void {
    for (const [key, { ends }] of this.#windows) if (ends <= now) this.#windows.delete(key)
    this.#sweepAt = Math.max(1_000, 2 * this.#windows.size)
  }
}
