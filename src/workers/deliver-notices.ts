import { setTimeout as sleep } from 'node:timers/promises'
import {
  findDue,
  pack,
  recordDeliveries,
  showDue,
  whenNextDue,
  type Delivered,
  type OutwardWay,
  type Parcel,
} from '../core/notices/delivery.ts'
import { NoticeLog } from '../core/notices/follow-log.ts'
import { giveUpNotices, keepNotices } from '../core/notices/lease.ts'
import type { Spool } from '../core/spool.ts'
import { Bell } from './bell.ts'
import { isGone, makeHolder } from './holder.ts'
import type { Loop } from './loop.ts'
import { mailParcel } from './mail-notices.ts'
import { pushParcel } from './push-notices.ts'

const leaseTime = 15_000
const renewEvery = 5_000
const lookEvery = 1_000
/** Between two looks at the log: during a burst of mail many events share one commit. */
const rest = 400
const pauseAfterFailure = 500
/** People who are told at the same time, so that a slow push service or mail server delays nobody else. */
const mostAtOnce: Record<OutwardWay, number> = { push: 8, mail: 4 }

/** Tells people what happened: one node, by lease, reads the log and delivers by push and mail. */
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
  readonly #busy: Record<OutwardWay, Map<string, Promise<void>>> = { push: new Map(), mail: new Map() }
  readonly #recorder: DeliveryRecorder
  readonly #running: Promise<void>
  #renewedAt = -Infinity
  #failures = 0

  constructor(spool: Spool, onFailure: (error: unknown) => void) {
    this.#spool = spool
    this.#onFailure = onFailure
    this.#log = new NoticeLog(spool, this.#holder)
    this.#recorder = new DeliveryRecorder(spool, onFailure, this.#stop.signal)
    const unsubscribe = spool.db.onCommit(() => this.#bell.ring())
    this.#running = this.#run().finally(unsubscribe)
  }

  inOrder(): boolean {
    return this.#failures < 3
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#bell.clear()
      const started = performance.now()
      let wait = lookEvery
      try {
        if (await this.#isOurs()) {
          while (await this.#log.readOn()) if (this.#stop.signal.aborted) return
          await showDue(this.#spool)
          await this.#deliver('push')
          await this.#deliver('mail')
          const next = await whenNextDue(this.#spool)
          if (next !== null) wait = Math.min(wait, Math.max(1, next - this.#spool.now()))
        } else this.#log.forget()
        this.#failures = 0
      } catch (error) {
        this.#failures++
        this.#onFailure(error)
      }
      await this.#bell.wait(wait)
      const left = rest - (performance.now() - started)
      if (left > 0) await sleep(left, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    }
  }

  async #isOurs(): Promise<boolean> {
    const started = performance.now()
    const isDue = started - this.#renewedAt > renewEvery
    const isOurs = await keepNotices(this.#spool, this.#holder, { milliseconds: leaseTime, isDue, isGone })
    if (isOurs && isDue) this.#renewedAt = started
    return isOurs
  }

  async #deliver(way: OutwardWay): Promise<void> {
    const busy = this.#busy[way]
    if (busy.size >= mostAtOnce[way]) return
    const due = await findDue(this.#spool, way, [...busy.keys()])
    for (const [userId, ids] of due) {
      if (busy.size >= mostAtOnce[way]) return
      const delivery = this.#deliverTo(way, userId, ids)
        .catch(this.#onFailure)
        .finally(() => {
          busy.delete(userId)
          this.#bell.ring()
        })
      busy.set(userId, delivery)
    }
  }

  async #deliverTo(way: OutwardWay, userId: string, ids: readonly string[]): Promise<void> {
    const parcel = await pack(this.#spool, way, userId, ids)
    const { signal } = this.#stop
    if (!parcel || signal.aborted) return
    const delivered = await this.#hand(parcel)
    // A shutdown is not a failure: another node goes on at once.
    if (delivered.problem === null || !signal.aborted) await this.#recorder.record(delivered)
  }

  #hand(parcel: Parcel): Promise<Delivered> {
    if (parcel.way === 'push') return pushParcel(parcel, this.#spool.push)
    return mailParcel(this.#spool, parcel, this.#stop.signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#bell.ring()
    await this.#running
    await Promise.all([...this.#busy.push.values(), ...this.#busy.mail.values()])
    await giveUpNotices(this.#spool, this.#holder).catch(this.#onFailure)
  }
}

/** What is delivered during one commit is recorded in the next: a crash repeats no more than that. */
class DeliveryRecorder {
  readonly #spool: Spool
  readonly #onFailure: (error: unknown) => void
  readonly #stop: AbortSignal
  #pending: Delivered[] = []
  #running: Promise<void> | null = null

  constructor(spool: Spool, onFailure: (error: unknown) => void, stop: AbortSignal) {
    this.#spool = spool
    this.#onFailure = onFailure
    this.#stop = stop
  }

  /** Resolves once written: until then the person is told nothing else, or they would be told this again. */
  async record(delivered: Delivered): Promise<void> {
    this.#pending.push(delivered)
    while (this.#pending.includes(delivered))
      await (this.#running ??= this.#write().finally(() => (this.#running = null)))
  }

  async #write(): Promise<void> {
    const taken = [...this.#pending]
    try {
      await recordDeliveries(this.#spool, taken)
    } catch (error) {
      this.#onFailure(error)
      // While stopping there is no time to wait for the store.
      if (!this.#stop.aborted) return await sleep(pauseAfterFailure)
    }
    this.#pending = this.#pending.filter((each) => !taken.includes(each))
  }
}
