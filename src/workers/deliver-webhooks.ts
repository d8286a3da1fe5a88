import {
  giveUpQueue,
  giveUpQueues,
  readQueueSignal,
  readShare,
  shareQueues,
} from '../core/webhooks/shares.ts'
import { countWaiting } from '../core/webhooks/deliveries.ts'
import type { Spool } from '../core/spool.ts'
import { isSuccess } from '../model/webhooks.ts'
import type { Courier } from '../webhook/deliver.ts'
import { isGone, makeHolder } from './holder.ts'
import type { Loop } from './loop.ts'
import { OutcomeRecorder } from './outcome-recorder.ts'
import { WebhookQueue, type QueueContext } from './webhook-queue.ts'

export interface DeliveryOptions {
  courier: Courier
  onFailure(error: unknown): void
  onDisabled(id: string, reason: string): void
  onAttempt(delivered: boolean, seconds: number): void
  /** Poll interval without wake-ups, in milliseconds. */
  poll?: number
}

/** How long until other nodes take over from one that died silently; at once if its process is known to be gone. */
const leaseTime = 15_000
const renewEvery = 5_000
const countEvery = 10_000
/** On shutdown, time for deliveries in flight to finish. */
const grace = 2_000

/** Delivers to every enabled webhook, each in its own queue; queues are shared among all nodes. */
export function startDeliveries(spool: Spool, options: DeliveryOptions): DeliveryWorker {
  return new DeliveryWorker(spool, options)
}

class DeliveryWorker implements Loop {
  readonly name = 'deliver-webhooks'
  readonly #spool: Spool
  readonly #holder = makeHolder()
  readonly #options: DeliveryOptions
  readonly #recorder: OutcomeRecorder
  readonly #queues = new Map<string, WebhookQueue>()
  /** Also contains stopped queues that still have deliveries in flight. */
  readonly #unfinished = new Set<WebhookQueue>()
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

  /**
   * This node's queues, how many events they have yet to read in total, and how many deliveries of all nodes wait for a
   * retry.
   */
  depth(): { queues: number; behind: number; waiting: number } {
    let behind = 0
    for (const { position } of this.#queues.values())
      if (position >= 0) behind += Math.max(0, this.#signal.lastSeq - position)
    return { queues: this.#queues.size, behind, waiting: this.#waiting }
  }

  /** Runs after every commit and on a timer. */
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
        // Unrenewed leases are about to expire: another node may take over.
        if (performance.now() - this.#renewedAt > leaseTime - 2_000) this.#drop(new Set(this.#queues.keys()))
      }
    }
  }

  async #lookOnce(): Promise<void> {
    const { lastSeq, version } = await readQueueSignal(this.#spool)
    const changed = version !== this.#signal.version
    this.#signal = { lastSeq, version }
    for (const queue of this.#queues.values()) {
      if (changed) queue.refresh()
      else if (queue.position < lastSeq) queue.poke()
    }
    const now = performance.now()
    if (!changed && now - this.#sharedAt < 1_000) return
    this.#sharedAt = now
    const { queues, mine, free, gone } = await readShare(this.#spool, this.#holder, isGone, leaseTime)
    const due = now - this.#renewedAt > renewEvery
    if (queues.length > 0 && (due || free || gone.length > 0)) await this.#share(gone)
    else this.#keep(mine)
    if (now - this.#countedAt < countEvery) return
    this.#countedAt = now
    this.#waiting = queues.length === 0 ? 0 : await countWaiting(this.#spool)
  }

  async #share(gone: readonly string[]): Promise<void> {
    const started = performance.now()
    const { mine, surplus } = await shareQueues(this.#spool, this.#holder, gone, leaseTime)
    this.#renewedAt = started
    for (const id of surplus) {
      mine.delete(id)
      this.#end(id, true)
    }
    this.#keep(mine)
  }

  #keep(mine: ReadonlySet<string>): void {
    for (const id of this.#queues.keys()) if (!mine.has(id)) this.#end(id, false)
    if (this.#stopped) return
    for (const id of mine)
      if (!this.#queues.has(id) && !this.#ending.has(id)) this.#queues.set(id, this.#open(id))
  }

  /** Nothing may be in flight or unwritten when another node, or this one again, starts the queue. */
  #end(id: string, release: boolean): void {
    const queue = this.#queues.get(id)
    this.#queues.delete(id)
    if (this.#ending.has(id)) return
    const ended = this.#settle(id, queue, release)
      .catch(this.#options.onFailure)
      .finally(() => this.#ending.delete(id))
    this.#ending.set(id, ended)
  }

  async #settle(id: string, queue: WebhookQueue | undefined, release: boolean): Promise<void> {
    queue?.stop(false)
    await queue?.done
    await this.#recorder.flush()
    if (release) await giveUpQueue(this.#spool, this.#holder, id)
  }

  #open(id: string): WebhookQueue {
    const { courier, onAttempt, onFailure, poll = 1_000 } = this.#options
    const context: QueueContext = {
      spool: this.#spool,
      courier,
      recorder: this.#recorder,
      poll,
      onFailure,
      onAttempt: (attempt) => onAttempt(isSuccess(attempt), attempt.milliseconds / 1000),
    }
    const queue = new WebhookQueue(id, context)
    this.#unfinished.add(queue)
    void queue.done.then(() => {
      this.#unfinished.delete(queue)
      if (this.#queues.get(id) === queue) this.#end(id, false)
    })
    return queue
  }

  #drop(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      this.#queues.get(id)?.stop(true)
      this.#queues.delete(id)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    this.#unsubscribe()
    clearInterval(this.#timer)
    await this.#looking
    const queues = [...this.#unfinished]
    for (const queue of queues) queue.stop(false)
    const timer = setTimeout(() => queues.forEach((queue) => queue.stop(true)), grace)
    await Promise.all([...queues.map(({ done }) => done), ...this.#ending.values()])
    clearTimeout(timer)
    await this.#recorder.flush()
    await giveUpQueues(this.#spool, this.#holder).catch(this.#options.onFailure)
  }
}
