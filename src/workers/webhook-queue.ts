import { Bell } from '../core/log/bell.ts'
import {
  loadQueue,
  openWebhook,
  loadReplay,
  loadRetries,
  type Destination,
  type Load,
  type Outcome,
  type Parcel,
  type ReplayStanding,
} from '../core/webhooks/queues.ts'
import type { Spool } from '../core/spool.ts'
import { isSuccess, type Attempt } from '../model/webhooks.ts'
import type { Courier } from '../webhook/deliver.ts'
import type { OutcomeRecorder } from './outcome-recorder.ts'

export interface QueueContext {
  spool: Spool
  courier: Courier
  recorder: OutcomeRecorder
  /** Called after each attempt. */
  onAttempt(attempt: Attempt): void
  onFailure(error: unknown): void
  /** Poll interval without wake-ups, in milliseconds. */
  poll: number
}

/** Limits deliveries not yet recorded: if this process is killed, these are delivered twice. */
const mostUnwritten = 3
/** Concurrent retries, in addition to the event whose turn it is. */
const mostRetries = 4
/** After this many failures in a row the queue backs off; its events wait in the log. */
const failuresInRow = 5
const longestRest = 60_000
/** A queue that finds no matching event for this many events, or this long, records its position. */
const quietStretch = 1000
const quietTime = 60_000

type Standing = Pick<Load, 'position' | 'previousSeq'>

/**
 * The deliveries of one webhook. First attempts are made one by one in log order; failed ones are retried in parallel
 * when due. A slow endpoint delays no other webhook.
 */
export class WebhookQueue {
  readonly id: string
  readonly done: Promise<void>
  readonly #context: QueueContext
  readonly #stop = new AbortController()
  readonly #underWay = new Set<number>()
  readonly #retrying = new Set<Promise<void>>()
  readonly #ordered = new Bell()
  readonly #retries = new Bell()
  #live: Standing | null = null
  #replay: ReplayStanding | null = null
  #recorded = -1
  #recordedAt = performance.now()
  #unwritten = 0
  #wakeWriter: (() => void) | null = null
  #failures = 0
  #webhook: Awaited<ReturnType<typeof openWebhook>> = null
  #stale = true
  #ended = false

  constructor(id: string, context: QueueContext) {
    this.id = id
    this.#context = context
    this.done = Promise.all([
      this.#again(this.#ordered, () => this.#deliverNext()),
      this.#again(this.#retries, () => this.#retryDue()),
    ])
      .then(() => Promise.all(this.#retrying))
      .then(() => undefined)
  }

  /** The last event it has read; -1 before the first read. */
  get position(): number {
    return this.#live?.position ?? -1
  }

  /** Something was committed. A queue that is busy or backing off reads it anyway. */
  poke(): void {
    if (this.#failures < failuresInRow) this.#ordered.ring()
  }

  /** Webhooks have changed: perhaps this one, its secret, its replay, or a delivery to retry. */
  refresh(): void {
    this.#stale = true
    this.#ordered.ring()
    this.#retries.ring()
  }

  /** Starts nothing new; with `now` also aborts deliveries in flight, which are then repeated. */
  stop(now: boolean): void {
    this.#ended = true
    if (now) this.#stop.abort()
    this.#ordered.ring()
    this.#retries.ring()
  }

  /** Repeats `work` until it returns false. */
  async #again(bell: Bell, work: () => Promise<boolean>): Promise<void> {
    while (!this.#ended) {
      try {
        if (!(await work())) this.stop(false)
      } catch (error) {
        this.#context.onFailure(error)
        bell.clear()
        await bell.wait(1000)
      }
    }
  }

  async #deliverNext(): Promise<boolean> {
    const { spool, recorder, poll } = this.#context
    this.#ordered.clear()
    if (this.#stale) {
      this.#stale = false
      this.#webhook = await openWebhook(spool, this.id)
    }
    if (!this.#webhook) return false
    const load = await loadQueue(spool, this.#webhook, this.#live)
    if (!load) return false
    if (load.parcels.length > 0) {
      this.#live = await this.#send(load, this.#live)
      return true
    }
    this.#live = { position: load.position, previousSeq: load.previousSeq }
    const quietFor = performance.now() - this.#recordedAt
    const looked = load.position - this.#recorded
    if (looked > quietStretch || (looked > 0 && quietFor > quietTime)) {
      this.#recorded = load.position
      this.#recordedAt = performance.now()
      void recorder.record({ webhookId: this.id, moved: this.#live })
    }
    if (load.position < load.lastSeq) return true
    if (this.#webhook.replay) return this.#replayNext()
    await this.#ordered.wait(poll)
    return true
  }

  async #replayNext(): Promise<boolean> {
    const { spool, recorder } = this.#context
    const load = await loadReplay(spool, this.id, this.#replay)
    if (!load) return this.#forgetReplay()
    const { revision } = load
    const from = this.#replay?.revision === revision ? this.#replay : null
    const reached = load.parcels.length > 0 ? await this.#send(load, from) : load
    this.#replay = reached && { position: reached.position, previousSeq: reached.previousSeq, revision }
    if (reached && reached.position >= load.lastSeq) {
      await recorder.record({ webhookId: this.id, replay: { revision, ended: true } })
      return this.#forgetReplay()
    }
    return true
  }

  #forgetReplay(): boolean {
    this.#replay = null
    this.#stale = true
    return true
  }

  /** One by one; returns the position reached. Live events go before replayed ones. */
  async #send(load: Load, from: Standing | null): Promise<Standing | null> {
    let standing = from
    for (const parcel of load.parcels) {
      await this.#rest()
      await this.#written()
      if (this.#ended || this.#stale || (parcel.from === 'replay' && this.#ordered.rung)) return standing
      const attempt = await this.#attempt(load.destination, parcel)
      if (!attempt) return standing
      standing = { position: parcel.seq, previousSeq: parcel.seq }
      this.#recorded = parcel.seq
      this.#recordedAt = performance.now()
      const replay = parcel.from === 'replay' ? { revision: load.revision, ended: false } : null
      const outcome: Outcome = { webhookId: this.id, parcel, attempt, moved: standing, replay }
      const written = this.#record(outcome, isSuccess(attempt))
      if (attempt.status === 410) {
        // It is being disabled: send nothing more.
        await written
        this.#stale = true
        return standing
      }
    }
    return { position: load.position, previousSeq: load.previousSeq }
  }

  async #record(outcome: Outcome, delivered: boolean): Promise<void> {
    this.#unwritten++
    await this.#context.recorder.record(outcome)
    this.#unwritten--
    this.#wakeWriter?.()
    if (!delivered) this.#retries.ring()
  }

  async #written(): Promise<void> {
    while (this.#unwritten >= mostUnwritten)
      await new Promise<void>((resolve) => (this.#wakeWriter = resolve))
  }

  /** Null if aborted. */
  async #attempt({ url, secrets }: Destination, parcel: Parcel): Promise<Attempt | null> {
    const { spool, courier, onAttempt } = this.#context
    const post = { url, secrets, id: parcel.eventId, body: parcel.body, now: spool.now() }
    const attempt = await courier.deliver(post, this.#stop.signal)
    if (this.#stop.signal.aborted && attempt.status === null) return null
    if (isSuccess(attempt)) {
      if (this.#failures >= failuresInRow) this.#ordered.ring()
      this.#failures = 0
    } else this.#failures++
    onAttempt(attempt)
    return attempt
  }

  /** Exponential backoff for a dead endpoint; a retry that succeeds ends it. */
  async #rest(): Promise<void> {
    if (this.#failures < failuresInRow) return
    const until = performance.now() + Math.min(longestRest, 1000 * 2 ** (this.#failures - failuresInRow))
    while (!this.#ended && !this.#stale && this.#failures >= failuresInRow) {
      const left = until - performance.now()
      if (left <= 0) return
      this.#ordered.clear()
      await this.#ordered.wait(left)
    }
  }

  async #retryDue(): Promise<boolean> {
    const { spool, recorder, poll } = this.#context
    this.#retries.clear()
    const room = mostRetries - this.#underWay.size
    const retries = room > 0 ? await loadRetries(spool, this.id, this.#underWay, room) : undefined
    if (retries === null) return false
    for (const lost of retries?.lost ?? [])
      await recorder.record({
        webhookId: this.id,
        lost: { ...lost, state: 'failed', nextAttemptAt: null, fault: 'The log no longer has this event.' },
      })
    for (const parcel of retries?.parcels ?? []) {
      const retry = this.#retry(retries!.destination, parcel).finally(() => this.#retrying.delete(retry))
      this.#retrying.add(retry)
    }
    const nextIn = typeof retries?.nextAt !== 'number' ? poll : Math.max(1, retries.nextAt - spool.now())
    await this.#retries.wait(Math.min(nextIn, poll))
    return true
  }

  async #retry(destination: Destination, parcel: Parcel): Promise<void> {
    this.#underWay.add(parcel.seq)
    try {
      const attempt = await this.#attempt(destination, parcel)
      if (attempt) await this.#context.recorder.record({ webhookId: this.id, parcel, attempt })
    } finally {
      this.#underWay.delete(parcel.seq)
      this.#retries.ring()
    }
  }
}
