import { setTimeout as sleep } from 'node:timers/promises'
import { Bell } from '../core/log/bell.ts'
import { findDue, pack, recordDelivery, type Delivered, type Parcel } from '../core/notices/delivery.ts'
import type { Spool } from '../core/spool.ts'

const lookEvery = 1_000
const pauseAfterFailure = 500
/** A delivery that takes longer than this no longer holds up the next one. */
const timeout = 1_000

/** Delivers a parcel. `isTurn` resolves when it may be sent; await it at the last moment. */
export type DeliverParcel = (parcel: Parcel, isTurn: () => Promise<void>) => Promise<Delivered>

export interface NoticeQueueContext {
  spool: Spool
  onFailure(error: unknown): void
  stop: AbortSignal
  /** Whether this node is the one that delivers. */
  mayDeliver(): boolean
}

/**
 * One delivery channel. Parcels for several people are prepared in parallel but sent one after the other, and each is
 * recorded before the next one is sent: a crash repeats only that one.
 */
export class NoticeQueue {
  readonly done: Promise<void>
  readonly #way: Parcel['way']
  readonly #mostAtOnce: number
  readonly #deliver: DeliverParcel
  readonly #context: NoticeQueueContext
  readonly #bell = new Bell()
  readonly #busy = new Map<string, Promise<void>>()
  #lastTurn: Promise<void> = Promise.resolve()

  constructor(way: Parcel['way'], mostAtOnce: number, deliver: DeliverParcel, context: NoticeQueueContext) {
    this.#way = way
    this.#mostAtOnce = mostAtOnce
    this.#deliver = deliver
    this.#context = context
    this.done = this.#run()
  }

  /** Something may be due. */
  wake(): void {
    this.#bell.ring()
  }

  async #run(): Promise<void> {
    const { stop, onFailure } = this.#context
    while (!stop.aborted) {
      this.#bell.clear()
      await this.#deliverDue().catch(onFailure)
      await this.#bell.wait(lookEvery)
    }
    await Promise.all(this.#busy.values())
  }

  async #deliverDue(): Promise<void> {
    const { spool, stop, mayDeliver } = this.#context
    while (mayDeliver()) {
      const people = await findDue(spool, this.#way, [...this.#busy.keys()])
      if (people.length === 0) return
      for (const userId of people) {
        while (this.#busy.size >= this.#mostAtOnce) await Promise.race(this.#busy.values())
        if (stop.aborted || !mayDeliver()) return
        this.#begin(userId)
      }
    }
  }

  #begin(userId: string): void {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const delivery = this.#deliverTo(userId, done)
      .catch(async (error: unknown) => {
        this.#context.onFailure(error)
        await this.#pause(pauseAfterFailure)
      })
      .finally(() => {
        resolve()
        this.#busy.delete(userId)
        this.wake()
      })
    this.#busy.set(userId, delivery)
  }

  async #deliverTo(userId: string, done: Promise<void>): Promise<void> {
    const { spool, stop } = this.#context
    let turn: Promise<void> | undefined
    const isTurn = (): Promise<void> => (turn ??= this.#queueUp(done))
    // A push needs no preparation, so it is packed as late as possible.
    if (this.#way === 'push') await isTurn()
    const parcel = await pack(spool, this.#way, userId)
    if (!parcel || stop.aborted) return
    const delivered = await this.#deliver(parcel, isTurn)
    // A shutdown is not a failure: another node continues at once.
    if (delivered.problem === null || !stop.aborted) await this.#record(delivered)
  }

  /** Resolves when all deliveries before it are recorded or have exceeded `timeout`. */
  #queueUp(done: Promise<void>): Promise<void> {
    const turn = this.#lastTurn
    this.#lastTurn = turn.then(() => Promise.race([done, this.#pause(timeout)]))
    return turn
  }

  /** Retries until the record is written: without it, the same parcel would be delivered again. */
  async #record(delivered: Delivered): Promise<void> {
    const { spool, stop, onFailure } = this.#context
    for (;;)
      try {
        return await recordDelivery(spool, delivered)
      } catch (error) {
        onFailure(error)
        // While stopping there is no time to wait for the store.
        if (stop.aborted) return
        await this.#pause(pauseAfterFailure)
      }
  }

  async #pause(milliseconds: number): Promise<void> {
    const { stop: signal } = this.#context
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined)
  }
}
