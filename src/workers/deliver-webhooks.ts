import { giveUpLane, giveUpLanes, readLaneSignal, readShare, shareLanes } from '../core/webhooks/shares.ts'
import { countWaiting } from '../core/webhooks/deliveries.ts'
import type { Spool } from '../core/spool.ts'
import { isSuccess, type Attempt } from '../model/webhooks.ts'
import type { Courier } from '../webhook/deliver.ts'
import { isGone, makeHolder } from './holder.ts'
import type { Loop } from './loop.ts'
import { OutcomeRecorder } from './outcome-recorder.ts'
import { WebhookLane, type LaneContext } from './webhook-lane.ts'

export interface DeliveryOptions {
  courier: Courier
  onFailure(error: unknown): void
  onDisabled(id: string, reason: string): void
  onAttempt(delivered: boolean, seconds: number): void
  /** How often to look without being woken, in milliseconds. */
  poll?: number
}

/** A node that dies without a word is taken over from after so long; at once, where its end can be seen. */
const leaseTime = 15_000
const renewEvery = 5_000
const countEvery = 10_000
/** At the end, what is under way may finish for so long. */
const grace = 2_000

export interface Deliveries extends Loop {
  /**
   * Lanes of this node, how many events of the log they have yet to look at, all together, and how many deliveries wait
   * for another attempt, whichever node's they are.
   */
  depth(): { lanes: number; behind: number; waiting: number }
}

/** Delivers to every enabled subscription, each in a lane of its own, sharing the lanes with all other nodes. */
export function startDeliveries(spool: Spool, options: DeliveryOptions): Deliveries {
  return new DeliveryWorker(spool, options)
}

class DeliveryWorker implements Deliveries {
  readonly name = 'deliver-webhooks'
  readonly #spool: Spool
  readonly #holder = makeHolder()
  readonly #options: DeliveryOptions
  readonly #recorder: OutcomeRecorder
  readonly #lanes = new Map<string, WebhookLane>()
  /** Those that have anything under way still, too. */
  readonly #unfinished = new Set<WebhookLane>()
  readonly #ending = new Map<string, Promise<void>>()
  readonly #unsubscribe: () => void
  readonly #timer: NodeJS.Timeout
  #signal = { lastSeq: -1, version: -1 }
  #looking: Promise<void> | null = null
  #lookAgain = false
  #renewedAt = -Infinity
  #sharedAt = -Infinity
  #waiting = 0
  #countedAt = -Infinity
  #failures = 0
  #stopped = false

  constructor(spool: Spool, options: DeliveryOptions) {
    this.#spool = spool
    this.#options = options
    this.#recorder = new OutcomeRecorder(spool, this.#holder, {
      onNotOurs: (ids) => this.#drop(ids),
      onDisabled: options.onDisabled,
      onFailure: options.onFailure,
    })
    this.#unsubscribe = spool.db.onCommit(() => this.#look())
    this.#timer = setInterval(() => this.#look(), Math.min(1_000, options.poll ?? 1_000)).unref()
    this.#look()
  }

  inOrder(): boolean {
    return this.#failures < 3
  }

  depth(): { lanes: number; behind: number; waiting: number } {
    let behind = 0
    for (const { position } of this.#lanes.values())
      if (position >= 0) behind += Math.max(0, this.#signal.lastSeq - position)
    return { lanes: this.#lanes.size, behind, waiting: this.#waiting }
  }

  /** After every commit, and now and then. */
  #look(): void {
    this.#lookAgain = true
    this.#looking ??= this.#lookUntilDone().finally(() => (this.#looking = null))
  }

  async #lookUntilDone(): Promise<void> {
    while (this.#lookAgain && !this.#stopped) {
      this.#lookAgain = false
      try {
        await this.#lookOnce()
        this.#failures = 0
      } catch (error) {
        this.#failures++
        this.#options.onFailure(error)
        return
      } finally {
        // Unrenewed leases are about to end: somebody else may go on from here.
        if (performance.now() - this.#renewedAt > leaseTime - 2_000) this.#drop(new Set(this.#lanes.keys()))
      }
    }
  }

  async #lookOnce(): Promise<void> {
    const { lastSeq, version } = await readLaneSignal(this.#spool)
    const changed = version !== this.#signal.version
    this.#signal = { lastSeq, version }
    for (const lane of this.#lanes.values()) {
      if (changed) lane.refresh()
      else if (lane.position < lastSeq) lane.poke()
    }
    const now = performance.now()
    if (!changed && now - this.#sharedAt < 1_000) return
    this.#sharedAt = now
    const { lanes, mine, free, gone } = await readShare(this.#spool, this.#holder, isGone, leaseTime)
    const due = now - this.#renewedAt > renewEvery
    if (lanes.length > 0 && (due || free || gone.length > 0)) await this.#share(gone)
    else this.#keep(mine)
    if (now - this.#countedAt < countEvery) return
    this.#countedAt = now
    this.#waiting = lanes.length === 0 ? 0 : await countWaiting(this.#spool)
  }

  async #share(gone: readonly string[]): Promise<void> {
    const started = performance.now()
    const { mine, surplus } = await shareLanes(this.#spool, this.#holder, gone, leaseTime)
    this.#renewedAt = started
    for (const id of surplus) {
      mine.delete(id)
      this.#end(id, true)
    }
    this.#keep(mine)
  }

  #keep(mine: ReadonlySet<string>): void {
    for (const id of this.#lanes.keys()) if (!mine.has(id)) this.#end(id, false)
    if (this.#stopped) return
    for (const id of mine)
      if (!this.#lanes.has(id) && !this.#ending.has(id)) this.#lanes.set(id, this.#open(id))
  }

  /** Nothing of it may be under way or unwritten when another node begins, or this one anew. */
  #end(id: string, release: boolean): void {
    const lane = this.#lanes.get(id)
    this.#lanes.delete(id)
    if (this.#ending.has(id)) return
    const ended = this.#settle(id, lane, release)
      .catch(this.#options.onFailure)
      .finally(() => this.#ending.delete(id))
    this.#ending.set(id, ended)
  }

  async #settle(id: string, lane: WebhookLane | undefined, release: boolean): Promise<void> {
    lane?.stop(false)
    await lane?.done
    await this.#recorder.flush()
    if (release) await giveUpLane(this.#spool, this.#holder, id)
  }

  #open(id: string): WebhookLane {
    const { courier, onAttempt, onFailure, poll = 1_000 } = this.#options
    const context: LaneContext = {
      spool: this.#spool,
      courier,
      recorder: this.#recorder,
      poll,
      onFailure,
      onAttempt: (_parcel, attempt: Attempt) => onAttempt(isSuccess(attempt), attempt.milliseconds / 1000),
    }
    const lane = new WebhookLane(id, context)
    this.#unfinished.add(lane)
    void lane.done.then(() => {
      this.#unfinished.delete(lane)
      if (this.#lanes.get(id) === lane) this.#end(id, false)
    })
    return lane
  }

  #drop(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      this.#lanes.get(id)?.stop(true)
      this.#lanes.delete(id)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    this.#unsubscribe()
    clearInterval(this.#timer)
    await this.#looking
    const lanes = [...this.#unfinished]
    for (const lane of lanes) lane.stop(false)
    const timer = setTimeout(() => lanes.forEach((lane) => lane.stop(true)), grace)
    await Promise.all([...lanes.map(({ done }) => done), ...this.#ending.values()])
    clearTimeout(timer)
    await this.#recorder.flush()
    await giveUpLanes(this.#spool, this.#holder).catch(this.#options.onFailure)
  }
}
