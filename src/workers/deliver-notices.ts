import { setTimeout as sleep } from 'node:timers/promises'
import { showDue, whenNextDue } from '../core/notices/delivery.ts'
import { NoticeLog } from '../core/notices/follow-log.ts'
import { Bell } from '../core/log/bell.ts'
import { giveUpNotices, keepNotices } from '../core/notices/lease.ts'
import type { Spool } from '../core/spool.ts'
import { isGone, makeHolder } from './holder.ts'
import type { Loop } from './loop.ts'
import { mailParcel } from './mail-notices.ts'
import { NoticeQueue } from './notice-queue.ts'
import { PushTurns, pushParcel } from './push-notices.ts'

const leaseTime = 15_000
const renewEvery = 5_000
const lookEvery = 1_000
/** Pause after a pass, as a multiple of its duration, so that in a burst of mail many events share one commit. */
const restPerLook = 20
const longestRest = 500

/** Notifies people of events: one node, chosen by lease, reads the log and delivers by push and mail. */
export function startNotices(spool: Spool, onFailure: (error: unknown) => void): Loop {
  return new NoticeWorker(spool, onFailure)
}

class NoticeWorker implements Loop {
  readonly name = 'deliver-notices'
  readonly #spool: Spool
  readonly #onFailure: (error: unknown) => void
  readonly #holder = makeHolder()
  readonly #log: NoticeLog
  readonly #bell = new Bell()
  readonly #stop = new AbortController()
  readonly #queues: NoticeQueue[]
  readonly #running: Promise<void>
  #isHolder = false
  #renewedAt = -Infinity
  #failures = 0

  constructor(spool: Spool, onFailure: (error: unknown) => void) {
    this.#spool = spool
    this.#onFailure = onFailure
    this.#log = new NoticeLog(spool, this.#holder)
    const { signal } = this.#stop
    const context = { spool, onFailure, stop: signal, mayDeliver: () => this.#isHolder }
    const turns = new PushTurns()
    this.#queues = [
      new NoticeQueue('push', 8, (parcel) => pushParcel(parcel, spool.push, turns, signal), context),
      new NoticeQueue('mail', 4, (parcel, isTurn) => mailParcel(spool, parcel, isTurn, signal), context),
    ]
    const unsubscribe = spool.db.onCommit(() => this.#bell.ring())
    this.#running = this.#run().finally(unsubscribe)
  }

  inOrder(): boolean {
    return this.#failures < 3
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      this.#bell.clear()
      const started = performance.now()
      let wait = lookEvery
      try {
        this.#isHolder = await this.#keepLease()
        if (this.#isHolder) {
          while (await this.#log.readOn()) if (signal.aborted) return
          await showDue(this.#spool)
          for (const queue of this.#queues) queue.wake()
          const next = await whenNextDue(this.#spool)
          if (next !== null) wait = Math.min(wait, Math.max(1, next - this.#spool.now()))
        } else this.#log.forget()
        this.#failures = 0
      } catch (error) {
        this.#failures++
        this.#onFailure(error)
      }
      const rest = Math.min(longestRest, restPerLook * (performance.now() - started))
      await sleep(rest, undefined, { signal }).catch(() => undefined)
      await this.#bell.wait(Math.max(1, wait - rest))
    }
  }

  async #keepLease(): Promise<boolean> {
    const started = performance.now()
    const isDue = started - this.#renewedAt > renewEvery
    const isOurs = await keepNotices(this.#spool, this.#holder, { milliseconds: leaseTime, isDue, isGone })
    if (isOurs && isDue) this.#renewedAt = started
    return isOurs
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#bell.ring()
    for (const queue of this.#queues) queue.wake()
    await this.#running
    for (const { done } of this.#queues) await done
    await giveUpNotices(this.#spool, this.#holder).catch(this.#onFailure)
  }
}
