import type { Inbox } from '../../model/access.ts'
import { StoreUnavailable } from '../../model/errors.ts'
import { transaction } from '../../store/database.ts'
import { receiveBatch, type Incoming } from './receive.ts'
import type { Spool } from '../spool.ts'

interface Waiting {
  incoming: Incoming
  inboxes: readonly Inbox[]
  resolve(messageId: string): void
  reject(error: unknown): void
}

/** Mails per commit; more would make the first of them wait. */
const mostTogether = 50

/**
 * Mail whose sender is waiting for the acknowledgement. Mail that arrives during a commit shares the next one, so that
 * many clients do not wait for as many disk syncs.
 */
export class Intake {
  readonly #spool: Spool
  readonly #waiting: Waiting[] = []
  #isRunning = false

  constructor(spool: Spool) {
    this.#spool = spool
  }

  /** Resolves once committed and synced, in every inbox or in none; returns its id in the first inbox. */
  take(inboxes: readonly Inbox[], incoming: Incoming): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
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
      const ids = await this.#receive(batch)
      for (const { resolve, inboxes, incoming } of batch) resolve(ids.get(incoming)![inboxes[0]!.number]!)
    } catch (error) {
      const [only, ...others] = batch
      if (others.length === 0 || error instanceof StoreUnavailable) {
        for (const { reject } of batch) reject(error)
      } else {
        // One of them cannot be stored: retry them one by one, so that the others are.
        for (const each of [only!, ...others]) await this.#commit([each])
      }
    }
  }

  /** The ids each mail got, by inbox number. */
  async #receive(batch: readonly Waiting[]): Promise<Map<Incoming, Record<number, string>>> {
    const byInbox = new Map<Inbox, Incoming[]>()
    const inboxes = new Map<number, Inbox>()
    for (const { inboxes: some, incoming } of batch)
      for (const each of some) {
        const inbox = inboxes.get(each.number) ?? each
        inboxes.set(inbox.number, inbox)
        byInbox.set(inbox, [...(byInbox.get(inbox) ?? []), incoming])
      }
    return transaction(this.#spool.db, async (db) => {
      const ids = new Map(batch.map(({ incoming }) => [incoming, {} as Record<number, string>]))
      for (const [inbox, mails] of byInbox) {
        const received = await receiveBatch(db, this.#spool, inbox, mails)
        for (const [index, mail] of mails.entries()) ids.get(mail)![inbox.number] = received[index]!.messageId
      }
      return ids
    })
  }
}
