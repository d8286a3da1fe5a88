import { setTimeout as sleep } from 'node:timers/promises'
import { recordOutcomes, type Outcome } from '../core/webhooks/queues.ts'
import type { Spool } from '../core/spool.ts'

export interface RecorderOptions {
  onNotOurs(ids: ReadonlySet<string>): void
  onDisabled(id: string, reason: string): void
  onFailure(error: unknown): void
}

/** Minimum time between commits. */
const interval = 5
const pauseAfterFailure = 500

/** Records the outcomes of deliveries: those that arrive during one commit go into the next. */
export class OutcomeRecorder {
  readonly #spool: Spool
  readonly #holder: string
  readonly #options: RecorderOptions
  #pending: Outcome[] = []
  #next = Promise.withResolvers<void>()
  #running: Promise<void> | null = null

  constructor(spool: Spool, holder: string, options: RecorderOptions) {
    this.#spool = spool
    this.#holder = holder
    this.#options = options
  }

  /** Resolves once written, or once it is clear that another node owns the queue now. */
  record(outcome: Outcome): Promise<void> {
    this.#pending.push(outcome)
    const written = this.#next.promise
    this.#running ??= this.#run()
    return written
  }

  async flush(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      const started = performance.now()
      const outcomes = this.#pending
      const { resolve } = this.#next
      this.#pending = []
      this.#next = Promise.withResolvers()
      await this.#write(outcomes)
      resolve()
      const left = interval - (performance.now() - started)
      if (left > 1) await sleep(left)
    }
    this.#running = null
  }

  async #write(outcomes: Outcome[]): Promise<void> {
    for (const until = performance.now() + 60_000; ;) {
      try {
        const { notOurs, disabled } = await recordOutcomes(this.#spool, this.#holder, outcomes)
        if (notOurs.size > 0) this.#options.onNotOurs(notOurs)
        for (const { id, reason } of disabled) this.#options.onDisabled(id, reason)
        return
      } catch (error) {
        this.#options.onFailure(error)
        // The leases have expired by now: another node continues, and some events are delivered twice.
        if (performance.now() > until) return
        await sleep(pauseAfterFailure)
      }
    }
  }
}
