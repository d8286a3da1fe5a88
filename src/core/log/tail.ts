import { readLog, readLogBounds, type LoggedEvent } from '../../store/log/log.ts'
import type { Freshness, Versions } from '../freshness.ts'
import type { Spool } from '../spool.ts'
import { Bell } from './bell.ts'

/** How many of the newest events are buffered; a follower further behind reads the store. */
const kept = 2_000
const pageSize = 500
/** Commits of this process wake the tail at once, others soon; this polls for what neither reports. */
const pause = 1_000

/**
 * The end of the log, read once for all followers in this process. It reads only while somebody follows and buffers a
 * bounded number of events, so a slow follower costs only its own reads.
 */
export class LogTail implements Disposable {
  readonly #spool: Spool
  readonly #freshness: Freshness
  #events: LoggedEvent[] = []
  /** `#events` is everything after `#start` up to `#end`. */
  #start = 0
  #end = 0
  #versions: Versions = new Map()
  #opening: Promise<void> | null = null
  #stop: (() => void) | null = null
  readonly #listeners = new Set<() => void>()

  constructor(spool: Spool, freshness: Freshness) {
    this.#spool = spool
    this.#freshness = freshness
  }

  get end(): number {
    return this.#end
  }

  /** Version of people, sessions and inboxes; never older than the events it is published with. */
  get access(): number {
    return this.#versions.get('access') ?? 0
  }

  /** A version that changes with this person's notices. */
  noticesOf(userId: string): number {
    return this.#versions.get(`notices:${userId}`) ?? 0
  }

  /** Everything after `seq`; null if that is no longer buffered. */
  after(seq: number): LoggedEvent[] | null {
    if (seq < this.#start) return null
    return this.#events.slice(seq - this.#start)
  }

  /** Reads until disposed; calls `onNews` when there is something new. */
  async follow(onNews: () => void): Promise<Disposable> {
    using following = new DisposableStack()
    this.#listeners.add(onNews)
    following.defer(() => {
      this.#listeners.delete(onNews)
      if (this.#listeners.size === 0) this.#close()
    })
    await (this.#opening ??= this.#open())
    return following.move()
  }

  async #open(): Promise<void> {
    const { lastSeq } = await readLogBounds(this.#spool.db)
    this.#events = []
    this.#start = this.#end = lastSeq
    this.#versions = await this.#freshness.current()
    let stopped = false
    const bell = new Bell()
    const forget = this.#spool.db.onCommit(() => bell.ring())
    this.#stop = () => {
      stopped = true
      forget()
      bell.ring()
    }
    void this.#run(bell, () => stopped)
  }

  #close(): void {
    this.#stop?.()
    this.#stop = null
    this.#opening = null
  }

  async #run(bell: Bell, isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      // Before reading, so that a commit during the read is not missed.
      bell.clear()
      let more = false
      try {
        more = await this.#read(isStopped)
      } catch {
        // The store is unreachable: retry after the pause. Followers keep sending their heartbeat.
      }
      if (!more) await bell.wait(pause)
    }
  }

  /** Reads events first, then versions: so access is never the older of the two. */
  async #read(isStopped: () => boolean): Promise<boolean> {
    const { events } = await readLog(this.#spool.db, this.#end, pageSize)
    const versions = await this.#freshness.current()
    if (isStopped() || (events.length === 0 && versions === this.#versions)) return false
    this.#events.push(...events)
    this.#end = events.at(-1)?.seq ?? this.#end
    const excess = this.#events.length - kept
    if (excess > 0) {
      this.#start = this.#events[excess - 1]!.seq
      this.#events.splice(0, excess)
    }
    this.#versions = versions
    for (const listener of this.#listeners) listener()
    return events.length === pageSize
  }

  [Symbol.dispose](): void {
    this.#close()
  }
}
