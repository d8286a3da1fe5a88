import type { Reads } from '../../model/reads.ts'
import { transaction } from '../../store/database.ts'
import type { Database } from '../../store/db.ts'
import { addTokenReads, noteFirstCall } from '../../store/people/token-reads.ts'

export const dayMilliseconds = 86_400_000
/** Somebody may be waiting for a token's first call. */
const soon = 50

interface Count extends Reads {
  token: string
  day: number
  calls: number
}

/**
 * Counts each token's calls and reads per day. Counted in memory, because requests come by the thousands a second, and
 * flushed to the store regularly: a killed process loses only the last few seconds.
 */
export class ReadingTally implements AsyncDisposable {
  readonly #db: Database
  readonly #onFailure: (error: unknown) => void
  #counts = new Map<string, Count>()
  /** Counts of days that ended since the last flush. */
  #ended: Count[] = []
  #firsts = new Map<string, { at: number; call: string | null }>()
  /** Tokens whose first use, or first use and first call, is already recorded. */
  readonly #seen = new Map<string, 'used' | 'called'>()
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Database, onFailure: (error: unknown) => void = () => undefined) {
    this.#db = db
    this.#onFailure = onFailure
  }

  /** `call` is the tool or route; null for anything else, such as a client's handshake. */
  noteCall(token: string, call: string | null, now: number): void {
    this.#countOf(token, now).calls++
    const seen = this.#seen.get(token)
    if (seen !== 'called' && (seen === undefined || call !== null)) this.#noteFirst(token, call, now)
  }

  noteReads(token: string, { threads, messages, notes }: Reads, now: number): void {
    const count = this.#countOf(token, now)
    count.threads += threads
    count.messages += messages
    count.notes += notes
  }

  #countOf(token: string, now: number): Count {
    const day = Math.floor(now / dayMilliseconds)
    const known = this.#counts.get(token)
    if (known?.day === day) return known
    if (known) this.#ended.push(known)
    const count = { token, day, calls: 0, threads: 0, messages: 0, notes: 0 }
    this.#counts.set(token, count)
    return count
  }

  #noteFirst(token: string, call: string | null, at: number): void {
    this.#seen.set(token, call === null ? 'used' : 'called')
    this.#firsts.set(token, { at: this.#firsts.get(token)?.at ?? at, call })
    setTimeout(() => void this.write().catch(this.#onFailure), soon).unref()
  }

  /** Flushes one at a time; what fails is written with the next flush. */
  async write(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const counts = [...this.#ended, ...this.#counts.values()]
    const firsts = this.#firsts
    if (counts.length === 0) return
    this.#ended = []
    this.#counts = new Map()
    this.#firsts = new Map()
    try {
      await transaction(this.#db, async (db) => {
        for (const { token, ...count } of counts) await addTokenReads(db, { token_id: token, ...count })
        for (const [token, { at, call }] of firsts) await noteFirstCall(db, token, at, call)
      })
    } catch (error) {
      this.#ended.push(...counts)
      for (const [token, first] of firsts)
        this.#firsts.set(token, { at: first.at, call: first.call ?? this.#firsts.get(token)?.call ?? null })
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.write().catch(this.#onFailure)
  }
}
