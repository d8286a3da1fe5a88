import type { EventData } from '../../model/events.ts'
import type { Following } from '../../model/notices/notices.ts'
import { transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { holdsLease } from '../../store/leases.ts'
import { readLastSeq } from '../../store/log/events.ts'
import { readLog, type LoggedEvent } from '../../store/log/log.ts'
import { listListeners, readFacts, readPosition, savePosition } from '../../store/notices/audience.ts'
import { followsOf } from '../../store/notices/follows.ts'
import type { Spool } from '../spool.ts'
import { storeAssignments } from './assignments.ts'
import { noticeLease } from './lease.ts'
import { storeNotices, want, type Wanted } from './notices.ts'
import { mayRing, ringsOf, type Knowledge } from './rings.ts'

const pageSize = 500
/** The position is saved only now and then while no event concerns anybody, so mail without notices costs one read. */
const quietStretch = 1000
const quietTime = 60_000

/** Reads the log once for everybody and stores who is notified of what. Runs on one node at a time, by lease. */
export class NoticeLog {
  readonly #spool: Spool
  readonly #holder: string
  #position: number | null = null
  #saved = 0
  #savedAt = 0

  constructor(spool: Spool, holder: string) {
    this.#spool = spool
    this.#holder = holder
  }

  /** Call if another node may have held the lease meanwhile. */
  forget(): void {
    this.#position = null
  }

  /** Processes one page of the log. Returns whether there is more. */
  async readOn(): Promise<boolean> {
    const { db, now } = this.#spool
    if (this.#position === null) {
      this.#position = this.#saved = await readPosition(db)
      this.#savedAt = performance.now()
    }
    const page = await readLog(db, this.#position, pageSize)
    const last = page.events.at(-1)?.seq ?? Math.max(this.#position, page.prunedSeq)
    const rings = await this.#find(page.events.filter(mayRing))
    const isQuiet = last - this.#saved < quietStretch && performance.now() - this.#savedAt < quietTime
    if (rings.length === 0 && (isQuiet || last === this.#saved)) this.#position = last
    else await this.#store(rings, last, now())
    return last < page.lastSeq
  }

  async #store(rings: readonly Wanted[], last: number, now: number): Promise<void> {
    const isOurs = await transaction(this.#spool.db, async (db) => {
      if (!(await holdsLease(db, noticeLease, this.#holder))) return false
      // If the stored position differs from the one saved last, another node has continued in the meantime.
      if ((await readPosition(db)) !== this.#saved) return false
      const isAssignment = ({ kind, thread }: Wanted): boolean => kind === 'assigned' && thread !== null
      await storeNotices(
        db,
        rings.filter((ring) => !isAssignment(ring)),
        now,
      )
      const hold = this.#spool.undoSeconds * 1000
      await storeAssignments(db, rings.filter(isAssignment), { now, hold })
      await savePosition(db, last)
      return true
    })
    if (!isOurs) return this.forget()
    this.#position = this.#saved = last
    this.#savedAt = performance.now()
  }

  async #find(events: readonly LoggedEvent[]): Promise<Wanted[]> {
    if (events.length === 0) return []
    const knowledge = await learn(this.#spool.db, events)
    return events.flatMap((event) =>
      ringsOf(event, knowledge).flatMap((ring) => want(ring, knowledge, event.inbox_id) ?? []),
    )
  }
}

/** Skips the log so far: nobody is notified of it. */
export async function passOverLog(spool: Spool): Promise<void> {
  await transaction(spool.db, async (db) => savePosition(db, await readLastSeq(db)))
}

async function learn(db: Db, events: readonly LoggedEvent[]): Promise<Knowledge> {
  const data = events.map((event) => JSON.parse(event.data) as EventData)
  const ids = (pick: (each: EventData) => string | null | undefined): string[] => [
    ...new Set(data.flatMap((each) => pick(each) ?? [])),
  ]
  const facts = await readFacts(db, {
    threads: ids(({ threadId }) => threadId),
    messages: ids(({ messageId }) => messageId),
    notes: ids(({ noteId }) => noteId),
    drafts: ids(({ draftId }) => draftId),
  })
  const numbers = [...new Set([...facts.threads.values()].map(({ number }) => number))]
  const follows = new Map<number, Map<string, Following>>()
  for (const { thread, userId, state } of await followsOf(db, numbers)) {
    const of = follows.get(thread) ?? new Map<string, Following>()
    follows.set(thread, of.set(userId, state))
  }
  return { facts, follows, listeners: new Map((await listListeners(db)).map((each) => [each.id, each])) }
}
