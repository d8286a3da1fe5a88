import type { Caller } from '../../model/access.ts'
import type { EventData } from '../../model/events.ts'
import { readLog, type LoggedEvent } from '../../store/log/log.ts'
import { ConcurrencyLimit } from '../access/concurrency.ts'
import type { Freshness } from '../freshness.ts'
import type { Spool } from '../spool.ts'
import { LogTail } from './tail.ts'

/** A thread of the caller's view has changed; `isMail`: because mail from outside has arrived. */
export interface ThreadChange {
  threadId: string
  isMail: boolean
}

export interface Watch extends Disposable {
  onChange(change: ThreadChange): void
  /** Aborts when the token is no longer valid, and when Spool stops. */
  readonly ended: AbortSignal
}

/** A program needs one; more than this is a bug in the program. */
const mostWatches = 10
const pageSize = 500
/** How soon an expired token is noticed. */
const lookMilliseconds = 1_000

/** Notifies programs of changes in their view as they are committed, on any node. Internal notes are not reported. */
export class MailWatch implements Disposable {
  readonly #spool: Spool
  readonly #tail: LogTail
  readonly #limit = new ConcurrencyLimit(
    mostWatches,
    `This token has ${mostWatches} subscriptions open already; close one of them.`,
  )
  readonly #end = new AbortController()

  constructor(spool: Spool, freshness: Freshness) {
    this.#spool = spool
    this.#tail = new LogTail(spool, freshness)
  }

  /** Watches from now on. `renew` reloads the caller; null if the token is no longer valid. */
  async open(first: Caller, renew: () => Promise<Caller | null>): Promise<Watch> {
    using stack = new DisposableStack()
    stack.use(this.#limit.begin(first.token.id))
    const ended = new AbortController()
    const watch: Watch = {
      onChange: () => undefined,
      ended: AbortSignal.any([ended.signal, this.#end.signal]),
      [Symbol.dispose]: () => owned.dispose(),
    }
    let caller = first
    let isLooking = false
    let lookAgain = false
    const look = async (): Promise<void> => {
      lookAgain = true
      if (isLooking) return
      isLooking = true
      try {
        while (lookAgain && !watch.ended.aborted) {
          lookAgain = false
          const seen = this.#tail.access
          const renewed = access === seen ? caller : await renew()
          access = seen
          if (!renewed || isOver(renewed, this.#spool.now())) return ended.abort()
          caller = renewed
          // The view may have changed while it was read: then read it again before notifying anybody.
          if (this.#tail.access !== seen) {
            lookAgain = true
            continue
          }
          const events = this.#tail.after(cursor) ?? (await readLog(this.#spool.db, cursor, pageSize)).events
          for (const event of events) {
            cursor = event.seq
            for (const change of readChanges(event, caller)) watch.onChange(change)
          }
          lookAgain ||= events.length > 0
        }
      } catch {
        // The store is unreachable: the next look continues from the same position.
      } finally {
        isLooking = false
      }
    }
    stack.use(await this.#tail.follow(() => void look()))
    let cursor = this.#tail.end
    let { access } = this.#tail
    const timer = setInterval(() => void look(), lookMilliseconds)
    stack.defer(() => clearInterval(timer))
    stack.defer(() => ended.abort())
    const owned = stack.move()
    return watch
  }

  /** Ends all subscriptions: their clients reconnect and reach another node. */
  endAll(): void {
    this.#end.abort()
  }

  [Symbol.dispose](): void {
    this.endAll()
    this.#tail[Symbol.dispose]()
  }
}

function isOver({ token }: Caller, now: number): boolean {
  return token.expiresAt !== null && token.expiresAt <= now
}

/** A merge changes two threads: the one that was merged away is announced too, whose id leads to the other. */
function readChanges(event: LoggedEvent, { inboxes }: Caller): ThreadChange[] {
  const { type, inbox, quiet } = event
  if (quiet !== 0 || !/^(thread|message|draft)\./.test(type)) return []
  if (!inboxes.some(({ number }) => number === inbox)) return []
  const { threadId, changes } = JSON.parse(event.data) as EventData
  const changed = [threadId, changes?.['threadId']?.from as string | undefined]
  return changed.flatMap((threadId) => (threadId ? { threadId, isMail: type === 'message.received' } : []))
}
