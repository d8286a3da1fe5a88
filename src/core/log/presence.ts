import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { doings, type Onlooker } from '../../model/live.ts'

const PresenceEntry = z.object({
  session: z.string(),
  user: z.object({ id: z.string(), name: z.string() }),
  /** Null after leaving. For a draft without a thread, `threadId` is the id of the draft. */
  at: z.object({ threadId: z.string(), inboxId: z.string() }).nullable(),
  doing: z.enum(doings),
  draftId: z.string().optional(),
})
export type PresenceEntry = z.infer<typeof PresenceEntry>
const PresenceMessage = z.object({ node: z.string(), place: PresenceEntry })

/** How nodes exchange presence; without it each knows only its own pages. */
export interface PresenceChannel {
  publish(text: string): void
  onMessage(listener: (text: string) => void): void
}

export type PresenceChange = NonNullable<PresenceEntry['at']>

/** A page reports its position every few seconds; without a report it expires after this. */
const life = 30_000
/** A broken connection usually reconnects at once. */
const grace = 5_000
const sweepInterval = 1_000

/** Who is reading or writing where right now. Kept in memory only. */
export class Presence implements Disposable {
  readonly #entries = new Map<string, PresenceEntry & { until: number }>()
  readonly #listeners = new Set<(change: PresenceChange) => void>()
  readonly #channel: PresenceChannel | null
  readonly #node = randomUUID()
  #sweep: NodeJS.Timeout | null = null

  constructor(channel: PresenceChannel | null) {
    this.#channel = channel
    channel?.onMessage((text) => this.#hear(text))
  }

  /** One entry per session: the last report wins. */
  set(entry: PresenceEntry): void {
    this.#update(entry)
    this.#channel?.publish(JSON.stringify({ node: this.#node, place: entry }))
  }

  /** The page's connection has closed. */
  fade(session: string): void {
    const entry = this.#entries.get(session)
    if (entry) entry.until = Math.min(entry.until, performance.now() + grace)
  }

  leave(session: string): void {
    const entry = this.#entries.get(session)
    if (entry) this.set({ ...entry, at: null })
  }

  at(threadId: string): Onlooker[] {
    const people = new Map<string, Onlooker>()
    for (const { user, at, doing, draftId } of this.#entries.values()) {
      if (at?.threadId !== threadId || people.get(user.id)?.doing === 'writing') continue
      people.set(user.id, { ...user, doing, ...(draftId === undefined ? {} : { draftId }) })
    }
    return [...people.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  /** Every thread that somebody has open. */
  threads(): PresenceChange[] {
    return [...this.#entries.values()].flatMap(({ at }) => at ?? [])
  }

  onChange(listener: (change: PresenceChange) => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) }
  }

  #update(entry: PresenceEntry): void {
    const before = this.#entries.get(entry.session)
    if (entry.at) this.#entries.set(entry.session, { ...entry, until: performance.now() + life })
    else this.#entries.delete(entry.session)
    this.#sweep ??= setInterval(() => this.#forget(), sweepInterval).unref()
    if (before?.at && before.at.threadId !== entry.at?.threadId) this.#publish(before.at)
    const same =
      before?.at?.threadId === entry.at?.threadId &&
      before?.doing === entry.doing &&
      before?.draftId === entry.draftId
    if (entry.at && !same) this.#publish(entry.at)
  }

  #forget(): void {
    const now = performance.now()
    for (const [session, { at, until }] of this.#entries) {
      if (until > now) continue
      this.#entries.delete(session)
      if (at) this.#publish(at)
    }
    if (this.#entries.size > 0 || !this.#sweep) return
    clearInterval(this.#sweep)
    this.#sweep = null
  }

  #publish(change: PresenceChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  /** From another node, or any other publisher on the channel. Our own messages come back too and are skipped. */
  #hear(text: string): void {
    try {
      const { node, place } = PresenceMessage.parse(JSON.parse(text))
      if (node !== this.#node) this.#update(place)
    } catch {
      // Not a presence message.
    }
  }

  [Symbol.dispose](): void {
    if (this.#sweep) clearInterval(this.#sweep)
  }
}
