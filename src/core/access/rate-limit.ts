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
  /** One less, where it can be done. */
  discount(key: string): Promise<void>
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

  /** What was taken turned out to be none of what the limit is about. */
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
      // A sum of fractions may come out a hair above the window.
      reset: Math.min(this.#window, Math.max(1, Math.ceil(left / 1000))),
    }
  }
}

interface Window {
  count: number
  ends: number
}

/** So many keys are counted at once: names that somebody makes up must not fill the memory. */
const mostWindows = 100_000

/** The counts of one node: a window begins with its first request. They stand in the order in which they end. */
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
   * Only when there are twice as many as the last sweep left, so that many addresses do not make every request sweep.
   * Where all of too many still count, the older half goes.
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
