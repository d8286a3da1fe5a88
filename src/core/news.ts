import type { Database } from '../store/db.ts'
import { readLastSeq } from '../store/events.ts'

export interface Heard {
  /** Resolves when something has been committed since `listen`, after the time, or when the caller goes away. */
  orAfter(milliseconds: number, signal: AbortSignal): Promise<void>
  ignore(): void
}

/** Wakes whoever waits for events: at once after a commit of this process, soon after one of another. */
export class News implements Disposable {
  readonly #db: Database
  readonly #waiting = new Set<() => void>()
  readonly #stop: () => void
  #timer: NodeJS.Timeout | null = null
  #lastSeq = -1

  constructor(db: Database) {
    this.#db = db
    this.#stop = db.onCommit(() => this.#wake())
  }

  listen(): Heard {
    let wake = (): void => undefined
    const woken = new Promise<void>((resolve) => (wake = resolve))
    this.#waiting.add(wake)
    this.#timer ??= setInterval(() => void this.#look(), 100).unref()
    const ignore = (): void => {
      this.#waiting.delete(wake)
    }
    return {
      ignore,
      async orAfter(milliseconds, signal) {
        const timer = setTimeout(wake, milliseconds)
        signal.addEventListener('abort', wake, { once: true })
        if (signal.aborted) wake()
        await woken
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        ignore()
      },
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  async #look(): Promise<void> {
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer!)
      this.#timer = null
      this.#lastSeq = -1
      return
    }
    try {
      const seq = await readLastSeq(this.#db)
      if (this.#lastSeq !== -1 && seq !== this.#lastSeq) this.#wake()
      this.#lastSeq = seq
    } catch {
      // Out of reach: the next look may find it again, and those who wait have their own time-out.
    }
  }

  [Symbol.dispose](): void {
    this.#stop()
    if (this.#timer) clearInterval(this.#timer)
    this.#wake()
  }
}
