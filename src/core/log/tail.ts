import { readLog, readLogBounds, type LoggedEvent } from '../../store/log/log.ts'
import type { Freshness } from '../freshness.ts'
import type { Spool } from '../spool.ts'

/** So many of the newest events are at hand; whoever is further behind reads the store. */
const kept = 2_000
const pageSize = 500
/** A commit of this process wakes at once, of another soon; this is for what neither tells. */
const pause = 1_000

/**
 * The end of the log, read once for everybody in this process who follows it. It reads while somebody does, and holds a
 * bounded piece: a follower who is slow costs nothing but their own reading.
 */
export class LogTail implements Disposable {
  readonly #spool: Spool
  readonly #freshness: Freshness
  #events: LoggedEvent[] = []
  /** `#events` is everything after `#start` up to `#end`. */
  #start = 0
  #end = 0
  #access = 0
  #followers = 0
  #opening: Promise<void> | null = null
  #stop: (() => void) | null = null
  #wake: () => void = () => undefined
  readonly #listeners = new Set<() => void>()

  constructor(spool: Spool, freshness: Freshness) {
    this.#spool = spool
    this.#freshness = freshness
  }

  get end(): number {
    return this.#end
  }

  /** Changes when people, sessions or inboxes did; never older than the events that are told with it. */
  get access(): number {
    return this.#access
  }

  /** Everything after `seq`, or null where that is no longer at hand. */
  after(seq: number): LoggedEvent[] | null {
    if (seq < this.#start) return null
    return this.#events.slice(seq - this.#start)
  }

  /** Reads for as long as this is not disposed; `onNews` is called when there is something. */
  async follow(onNews: () => void): Promise<Disposable> {
    this.#followers++
    this.#listeners.add(onNews)
    let left = false
    const leave = (): void => {
      if (left) return
      left = true
      this.#listeners.delete(onNews)
      if (--this.#followers === 0) this.#close()
    }
    try {
      await (this.#opening ??= this.#open())
    } catch (error) {
      leave()
      throw error
    }
    return { [Symbol.dispose]: leave }
  }

  async #open(): Promise<void> {
    const { lastSeq } = await readLogBounds(this.#spool.db)
    this.#events = []
    this.#start = this.#end = lastSeq
    this.#access = await this.#readAccess()
    let stopped = false
    const forget = this.#spool.db.onCommit(() => this.#wake())
    this.#stop = () => {
      stopped = true
      forget()
      this.#wake()
    }
    void this.#run(() => stopped)
  }

  #close(): void {
    this.#stop?.()
    this.#stop = null
    this.#opening = null
  }

  async #run(isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const { promise: woken, resolve } = Promise.withResolvers<void>()
      // Before reading: a commit meanwhile is not slept through.
      this.#wake = resolve
      let more = false
      try {
        more = await this.#read(isStopped)
      } catch {
        // Out of reach: the next look may find it again, and followers are told that they still live.
      }
      if (more) continue
      const timer = setTimeout(resolve, pause)
      await woken
      clearTimeout(timer)
    }
  }

  /** Events first, then who may see what: so the latter is never the older of the two. */
  async #read(isStopped: () => boolean): Promise<boolean> {
    const { events } = await readLog(this.#spool.db, this.#end, pageSize)
    const access = await this.#readAccess()
    if (isStopped() || (events.length === 0 && access === this.#access)) return false
    this.#events.push(...events)
    this.#end = events.at(-1)?.seq ?? this.#end
    const excess = this.#events.length - kept
    if (excess > 0) {
      this.#start = this.#events[excess - 1]!.seq
      this.#events.splice(0, excess)
    }
    this.#access = access
    for (const listener of this.#listeners) listener()
    return events.length === pageSize
  }

  async #readAccess(): Promise<number> {
    return (await this.#freshness.current()).get('access') ?? 0
  }

  [Symbol.dispose](): void {
    this.#close()
  }
}
