import type { Database } from '../../store/db.ts'
import { readVersions, type VersionScope } from '../../store/log/versions.ts'
import { ConcurrencyLimit } from '../access/concurrency.ts'

/** Disposed by who no longer waits. */
export interface Heard extends Disposable {
  /** Resolves after a commit in its scopes since `listen`, on timeout, or when the caller disconnects. */
  orAfter(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** A request waiting for events, however often it is woken. */
export interface Wait extends Disposable {
  /** The request must be answered now, with whatever there is. */
  isOver: boolean
}

interface Waiter {
  scopes: readonly VersionScope[]
  wake(this: void): void
}

/** A program needs one waiting request; more than this is a bug in the program. */
const mostWaits = 10

/**
 * Wakes requests waiting for events: at once after a commit of this process, soon after one of another, and only if the
 * commit touched their inboxes.
 */
export class News implements Disposable {
  readonly #db: Database
  readonly #waiting = new Set<Waiter>()
  readonly #limit = new ConcurrencyLimit(
    mostWaits,
    `This token has ${mostWaits} requests waiting for events already; let one finish, or ask without "wait".`,
  )
  readonly #waits = new Set<Wait>()
  readonly #stop: () => void
  /** As of the last check; null if nobody was waiting: then the next commit wakes everyone. */
  #versions: ReadonlyMap<string, number> | null = null
  #looking = false
  #lookAgain = false
  #isClosed = false

  constructor(db: Database) {
    this.#db = db
    this.#stop = db.onCommit(() => void this.#look())
  }

  /** Registers a request that is going to wait. */
  beginWait(tokenId: string): Wait {
    const counted = this.#limit.begin(tokenId)
    const wait: Wait = {
      isOver: this.#isClosed,
      [Symbol.dispose]: () => {
        this.#waits.delete(wait)
        counted[Symbol.dispose]()
      },
    }
    this.#waits.add(wait)
    return wait
  }

  get waiting(): number {
    return this.#waits.size
  }

  /** Answers all waiting requests at once; later ones wait as usual. */
  endWaits(): void {
    for (const wait of this.#waits) wait.isOver = true
    this.#wake(() => true)
  }

  listen(scopes: readonly VersionScope[]): Heard {
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>()
    const waiter: Waiter = { scopes, wake }
    this.#waiting.add(waiter)
    const ignore = (): void => void this.#waiting.delete(waiter)
    return {
      [Symbol.dispose]: ignore,
      async orAfter(milliseconds, signal) {
        const end = (): void => wake()
        const timer = setTimeout(end, milliseconds)
        signal.addEventListener('abort', end)
        if (signal.aborted) end()
        await woken
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        ignore()
      },
    }
  }

  async #look(): Promise<void> {
    if (this.#waiting.size === 0) return void (this.#versions = null)
    if (this.#looking) return void (this.#lookAgain = true)
    this.#looking = true
    try {
      do {
        this.#lookAgain = false
        const before = this.#versions
        const versions = await readVersions(this.#db, before)
        this.#versions = versions
        this.#wake(
          ({ scopes }) => !before || scopes.some((scope) => before.get(scope) !== versions.get(scope)),
        )
      } while (this.#lookAgain)
    } catch {
      // The store is unreachable: waiters have their own timeout, and the next commit wakes everyone.
      this.#versions = null
    } finally {
      this.#looking = false
    }
  }

  #wake(concerned: (waiter: Waiter) => boolean): void {
    for (const waiter of this.#waiting) {
      if (!concerned(waiter)) continue
      this.#waiting.delete(waiter)
      waiter.wake()
    }
  }

  [Symbol.dispose](): void {
    this.#stop()
    this.#isClosed = true
    this.endWaits()
  }
}
