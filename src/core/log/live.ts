import { parseNames } from '../../model/characters/names.ts'
import type { View } from '../../model/access.ts'
import type { Event, EventData } from '../../model/events.ts'
import type { Doing, Onlooker } from '../../model/live.ts'
import { readLog, type LoggedEvent } from '../../store/log/log.ts'
import { findThreadIn, viewOf, viewOfUser } from '../access/access.ts'
import { ConcurrencyLimit } from '../access/concurrency.ts'
import { findDraft } from '../drafts/access.ts'
import { countNotices } from '../notices/reading.ts'
import { Bell } from './bell.ts'
import { readEvent } from './events.ts'
import type { Freshness } from '../freshness.ts'
import { LogTail } from './tail.ts'
import { Presence, type PresenceChange, type PresenceChannel } from './presence.ts'
import { renewSession, type SignedIn } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'

/** What a page receives. `seq` is the position to resume from. */
export type LiveItem =
  | { kind: 'ready' | 'resync'; seq: number }
  | { kind: 'event'; seq: number; event: Event }
  | { kind: 'presence'; threadId: string; people: Onlooker[] }
  | { kind: 'notices'; unread: number }
  | { kind: 'beat' }

const beat = 15_000
/** A page that missed more reloads its lists: that is cheaper than replaying everything. */
const mostMissed = 5_000
const pageSize = 500
/** Open pages per session. */
const mostPages = 20

/** Streams events to every open page, filtered by each viewer's access. */
export class Live implements Disposable {
  readonly presence: Presence
  readonly #spool: Spool
  readonly #tail: LogTail
  readonly #pages = new ConcurrencyLimit(
    mostPages,
    `You have ${mostPages} Spool tabs open. Close one of them.`,
  )
  readonly #end = new AbortController()

  constructor(spool: Spool, freshness: Freshness, channel: PresenceChannel | null) {
    this.#spool = spool
    this.#tail = new LogTail(spool, freshness)
    this.presence = new Presence(channel)
  }

  /** Ends when the session ends, the client disconnects or Spool stops. Reads nothing ahead of the consumer. */
  async *follow(actor: SignedIn, after: number | null, gone: AbortSignal): AsyncGenerator<LiveItem, void> {
    using _page = this.#openPage(actor.session)
    using follower = new Follower(AbortSignal.any([gone, this.#end.signal]))
    using _presence = this.presence.onChange((change) => follower.meet(change))
    using _tail = await this.#tail.follow(() => follower.wake())
    let session = await this.#loadSession(actor)
    if (!session) return
    let { access } = this.#tail
    const end = this.#tail.end
    // `after` is beyond the end if the store was restored from a backup.
    const lost = after !== null && (after > end || end - after > mostMissed)
    let cursor = after === null || lost ? end : after
    yield { kind: lost ? 'resync' : 'ready', seq: cursor }
    for (const change of this.presence.threads()) follower.meet(change)
    let notices = -1

    while (!follower.gone) {
      // Read together with `access`, which is never older than these events.
      const atHand = this.#tail.after(cursor)
      const changed = access !== this.#tail.access || this.#spool.now() >= session.endsAt
      access = this.#tail.access
      const read = atHand ? null : await readLog(this.#spool.db, cursor, pageSize)
      if (read && cursor < read.prunedSeq) {
        cursor = read.lastSeq
        yield { kind: 'resync', seq: cursor }
        continue
      }
      if (changed || read) session = await this.#loadSession(actor)
      if (!session) return
      const events = atHand ?? read!.events
      for (const event of events) {
        cursor = event.seq
        if (isVisible(event, session.view)) yield { kind: 'event', seq: event.seq, event: readLogged(event) }
      }
      for (const { threadId, inboxId } of follower.met())
        if (session.view.inboxes.some(({ id }) => id === inboxId))
          yield { kind: 'presence', threadId, people: this.presence.at(threadId) }
      if (notices !== this.#tail.noticesOf(actor.user.id)) {
        notices = this.#tail.noticesOf(actor.user.id)
        yield { kind: 'notices', unread: await countNotices(this.#spool, session.view) }
      }
      if (events.length > 0) continue
      if (!(await follower.news(beat)) && !follower.gone) yield { kind: 'beat' }
    }
  }

  /** Sets where a page is: at a thread, at a draft, or nowhere. Returns who else is there. */
  async setPlace(
    actor: SignedIn,
    { threadId, draftId, doing }: { threadId: string | null; draftId: string | null; doing: Doing },
  ): Promise<Onlooker[]> {
    const { session, user } = actor
    const draft = draftId === null ? null : await findDraft(this.#spool.db, actor, draftId)
    const at =
      threadId !== null
        ? await this.#findPlace(actor, threadId)
        : draft && { threadId: draft.thread_id ?? draft.id, inboxId: draft.inbox_id }
    if (at === null) {
      this.presence.leave(session)
      return []
    }
    this.presence.set({
      session,
      user: { id: user.id, name: user.name },
      at,
      doing,
      ...(draft && doing === 'writing' ? { draftId: draft.id } : {}),
    })
    return this.presence.at(at.threadId)
  }

  async #findPlace(actor: SignedIn, threadId: string): Promise<PresenceChange> {
    const inboxes = await viewOf(this.#spool.db, actor)
    const thread = await findThreadIn(this.#spool.db, inboxes, threadId)
    return { threadId: thread.id, inboxId: inboxes.find(({ number }) => number === thread.inbox)!.id }
  }

  async #loadSession(actor: SignedIn): Promise<{ view: View; endsAt: number } | null> {
    const session = await renewSession(this.#spool, actor)
    if (!session) return null
    return { view: await viewOfUser(this.#spool.db, session.actor.user), endsAt: session.endsAt }
  }

  #openPage(session: string): Disposable {
    const counted = this.#pages.begin(session)
    return {
      [Symbol.dispose]: () => {
        counted[Symbol.dispose]()
        if (!this.#pages.has(session)) this.presence.fade(session)
      },
    }
  }

  /** Ends open pages and all new ones: they reconnect and reach another node. */
  endPages(): void {
    this.#end.abort()
  }

  [Symbol.dispose](): void {
    this.endPages()
    this.#tail[Symbol.dispose]()
    this.presence[Symbol.dispose]()
  }
}

/** Wakes one page, and keeps at most one pending presence change per thread. */
class Follower implements Disposable {
  readonly #gone: AbortSignal
  #met = new Map<string, PresenceChange>()
  readonly #bell = new Bell()
  readonly #onGone = (): void => this.wake()

  constructor(gone: AbortSignal) {
    this.#gone = gone
    gone.addEventListener('abort', this.#onGone)
  }

  get gone(): boolean {
    return this.#gone.aborted
  }

  meet(change: PresenceChange): void {
    this.#met.set(change.threadId, change)
    this.wake()
  }

  met(): PresenceChange[] {
    const met = [...this.#met.values()]
    this.#met.clear()
    return met
  }

  wake(): void {
    this.#bell.ring()
  }

  /** False on timeout. */
  async news(milliseconds: number): Promise<boolean> {
    await this.#bell.wait(milliseconds)
    const { rung } = this.#bell
    this.#bell.clear()
    return rung
  }

  [Symbol.dispose](): void {
    this.#gone.removeEventListener('abort', this.#onGone)
  }
}

function isVisible({ inbox, user_id }: LoggedEvent, { user, inboxes }: View): boolean {
  if (inbox === null) return user_id === user.id
  return inboxes.some(({ number }) => number === inbox)
}

function readLogged(event: LoggedEvent): Event {
  return readEvent({ ...event, data: parseNames(event.data) as EventData })
}
