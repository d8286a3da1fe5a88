import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { doings, type Onlooker } from '../../model/live.ts'

const Place = z.object({
  session: z.string(),
  user: z.object({ id: z.string(), name: z.string() }),
  /** Null: nowhere any more. A draft that has no thread yet stands for one. */
  at: z.object({ threadId: z.string(), inboxId: z.string() }).nullable(),
  doing: z.enum(doings),
  draftId: z.string().optional(),
})
export type Place = z.infer<typeof Place>
const Told = z.object({ node: z.string(), place: Place })

/** How nodes tell each other; without it each knows only its own. */
export interface PresenceChannel {
  publish(text: string): void
  onMessage(listener: (text: string) => void): void
}

export interface PresenceChange {
  threadId: string
  inboxId: string
}

/** A page says where it is every few seconds; one that falls silent is gone after this. */
const life = 30_000
/** A connection that breaks is mostly there again at once. */
const grace = 5_000
const sweepInterval = 1_000

/** Who is looking or writing where, right now; in memory, because nobody asks for it later. */
export class Presence implements Disposable {
  readonly #places = new Map<string, Place & { until: number }>()
  readonly #listeners = new Set<(change: PresenceChange) => void>()
  readonly #channel: PresenceChannel | null
  readonly #now: () => number
  readonly #node = randomUUID()
  #sweep: NodeJS.Timeout | null = null

  constructor(channel: PresenceChannel | null, now: () => number = () => performance.now()) {
    this.#channel = channel
    this.#now = now
    channel?.onMessage((text) => this.#hear(text))
  }

  /** One place for each browser: the last one counts. */
  set(place: Place): void {
    this.#place(place)
    this.#channel?.publish(JSON.stringify({ node: this.#node, place }))
  }

  /** The page's connection has ended. */
  fade(session: string): void {
    const place = this.#places.get(session)
    if (place) place.until = Math.min(place.until, this.#now() + grace)
  }

  leave(session: string): void {
    const place = this.#places.get(session)
    if (place) this.set({ ...place, at: null })
  }

  at(threadId: string): Onlooker[] {
    const people = new Map<string, Onlooker>()
    for (const { user, at, doing, draftId } of this.#places.values()) {
      if (at?.threadId !== threadId || people.get(user.id)?.doing === 'writing') continue
      people.set(user.id, { ...user, doing, ...(draftId === undefined ? {} : { draftId }) })
    }
    return [...people.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  /** Every thread that somebody is at. */
  threads(): PresenceChange[] {
    return [...this.#places.values()].flatMap(({ at }) => at ?? [])
  }

  onChange(listener: (change: PresenceChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #place(place: Place): void {
    const before = this.#places.get(place.session)
    if (place.at) this.#places.set(place.session, { ...place, until: this.#now() + life })
    else this.#places.delete(place.session)
    this.#sweep ??= setInterval(() => this.#forget(), sweepInterval).unref()
    if (before?.at && before.at.threadId !== place.at?.threadId) this.#tell(before.at)
    const same =
      before?.at?.threadId === place.at?.threadId &&
      before?.doing === place.doing &&
      before?.draftId === place.draftId
    if (place.at && !same) this.#tell(place.at)
  }

  #forget(): void {
    const now = this.#now()
    for (const [session, { at, until }] of this.#places) {
      if (until > now) continue
      this.#places.delete(session)
      if (at) this.#tell(at)
    }
    if (this.#places.size > 0 || !this.#sweep) return
    clearInterval(this.#sweep)
    this.#sweep = null
  }

  #tell(change: PresenceChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  /** From another node, or whoever else writes there. One's own words come back late, and are known. */
  #hear(text: string): void {
    try {
      const { node, place } = Told.parse(JSON.parse(text))
      if (node !== this.#node) this.#place(place)
    } catch {
      // Not ours.
    }
  }

  [Symbol.dispose](): void {
    if (this.#sweep) clearInterval(this.#sweep)
  }
}
