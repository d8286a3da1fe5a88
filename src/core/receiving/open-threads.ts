import type { Db, Tx } from '../../store/db.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import { loadThread, loadThreads, saveThread } from '../../store/threads/threads.ts'
import { findAnswers } from './reply-time.ts'
import { followThread, markUnread } from '../../store/threads/unread.ts'

/** The threads a batch of mail touches: each is read once and written once, however many messages it gets. */
export class OpenThreads {
  readonly #db: Tx
  readonly #threads = new Map<number, ThreadRow>()
  readonly #changed = new Set<ThreadRow>()
  readonly #unread = new Set<ThreadRow>()
  readonly #asked = new Set<ThreadRow>()

  constructor(db: Tx) {
    this.#db = db
  }

  /** Loads several threads at once, for later calls of `take`. */
  async open(db: Db, numbers: readonly number[]): Promise<void> {
    const missing = [...new Set(numbers)].filter((number) => !this.#threads.has(number))
    for (const thread of await loadThreads(db, missing)) this.#threads.set(thread.number, thread)
  }

  async take(number: number): Promise<ThreadRow> {
    let thread = this.#threads.get(number)
    if (!thread) this.#threads.set(number, (thread = await loadThread(this.#db, number)))
    return thread
  }

  /** A thread that was just inserted. */
  put(thread: ThreadRow): void {
    this.#threads.set(thread.number, thread)
  }

  change(thread: ThreadRow): void {
    this.#changed.add(thread)
  }

  /** Finds its first answer once the batch is stored: history comes newest first, each message an earlier question. */
  findAnswer(thread: ThreadRow): void {
    this.#asked.add(thread)
  }

  leaveUnread(thread: ThreadRow): void {
    this.#unread.add(thread)
  }

  /** `absorbed` was merged into `survivor`. */
  join(survivor: ThreadRow, absorbed: ThreadRow): void {
    if (this.#unread.delete(absorbed)) this.#unread.add(survivor)
    this.#changed.delete(absorbed)
    this.#asked.delete(absorbed)
    if (survivor.asked_at !== null) this.#asked.add(survivor)
    this.#changed.add(survivor)
    this.#threads.delete(absorbed.number)
  }

  async save(now: number, readers: readonly string[]): Promise<void> {
    await findAnswers(this.#db, [...this.#asked])
    for (const thread of this.#changed) {
      await saveThread(this.#db, thread, now)
      if (!this.#unread.has(thread)) await followThread(this.#db, thread)
    }
    for (const thread of this.#unread) await markUnread(this.#db, thread, readers)
  }
}
