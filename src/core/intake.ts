import type { Inbox } from '../model/access.ts'
import { StoreUnavailable } from '../model/errors.ts'
import { transaction } from '../store/database.ts'
import { receiveBatch, type Incoming } from './receive.ts'
import type { Spool } from './spool.ts'

interface Waiting {
  incoming: Incoming
  inboxes: readonly Inbox[]
  resolve(): void
  reject(error: unknown): void
}

/** Together in one commit; more would make the first of them wait. */
const mostTogether = 50

/**
 * Mail that somebody waits for to be acknowledged. What arrives while a commit is under way shares the next one, so that
 * many clients at once do not wait for as many syncs of the disk.
 */
export class Intake {
  readonly #spool: Spool
  readonly #waiting: Waiting[] = []
  #isRunning = false

  constructor(spool: Spool) {
    this.#spool = spool
  }

  /** Resolves when it is committed and synced, in every inbox or in none. */
  take(inboxes: readonly Inbox[], incoming: Incoming): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ incoming, inboxes, resolve, reject })
    if (!this.#isRunning) void this.#run()
    return promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, mostTogether))
    this.#isRunning = false
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#receive(batch)
      for (const { resolve } of batch) resolve()
    } catch (error) {
      const [only, ...others] = batch
      if (others.length === 0 || error instanceof StoreUnavailable) {
        for (const { reject } of batch) reject(error)
      } else {
        // One of them cannot be stored: it must not take the others with it.
        for (const each of [only!, ...others]) await this.#commit([each])
      }
    }
  }

  async #receive(batch: readonly Waiting[]): Promise<void> {
    const mails = new Map<number, { inbox: Inbox; mails: Incoming[] }>()
    for (const { inboxes, incoming } of batch)
      for (const inbox of inboxes) {
        const known = mails.get(inbox.number) ?? { inbox, mails: [] }
        known.mails.push(incoming)
        mails.set(inbox.number, known)
      }
    await transaction(this.#spool.db, async (db) => {
      for (const { inbox, mails: some } of mails.values()) await receiveBatch(db, this.#spool, inbox, some)
    })
  }
}
