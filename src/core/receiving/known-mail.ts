import type { ParsedMail } from '../../model/mail/mail.ts'
import type { Tx } from '../../store/db.ts'
import { addKeys, lookUpKeys } from '../../store/threads/keys.ts'
import { findSameMessages } from '../../store/threads/messages.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import { reserveNumbers } from '../../store/row-numbers.ts'
import { BatchWords } from '../forms/thread-words.ts'
import type { OpenThreads } from './open-threads.ts'
import { threadIds, threadKey } from './threading.ts'

/** Mails looked up together: on PostgreSQL each query is a round trip. */
const together = 32

interface Known {
  id: string
  thread: number
}

/**
 * What is already stored for the mail in a batch: duplicates, and the threads of the ids it names. Looked up for a part
 * of the batch at a time, and kept up to date while the batch is stored.
 */
export class KnownMail {
  readonly #db: Tx
  readonly #inbox: number
  readonly #messages = new Map<string, Known>()
  readonly #threads = new Map<string, number>()
  /** Words of the mail that this batch has stored. */
  readonly words = new BatchWords()
  /** The thread that each absorbed thread was merged into. */
  readonly #merged = new Map<number, number>()
  #asked = 0

  constructor(db: Tx, inbox: number) {
    this.#db = db
    this.#inbox = inbox
  }

  /** Call before the mail at `at` is stored. */
  async lookAhead(
    batch: readonly { mail: ParsedMail }[],
    at: number,
    openThreads: OpenThreads,
  ): Promise<void> {
    if (at < this.#asked) return
    const next = batch.slice(at, at + together)
    this.#asked = at + next.length
    // The first query flushes what was added before the batch; what the batch adds is known here.
    const db = at === 0 ? this.#db : this.#db.settled
    const identities = next.map(({ mail }) => mail.identity)
    const same = await findSameMessages(db, this.#inbox, identities)
    for (const { identity, id, thread } of same) this.#messages.set(spell(identity), { id, thread })
    const keys = new Map<string, Uint8Array>()
    for (const { mail } of next)
      for (const { name, key } of keysOf(mail)) if (!this.#threads.has(name)) keys.set(name, key)
    const found = await lookUpKeys(db, this.#inbox, [...keys.values()])
    for (const { key, thread } of found) this.#threads.set(spell(key), thread)
    const threads = [...same, ...found].map(({ thread }) => thread)
    await openThreads.open(db, threads)
    await reserveNumbers(this.#db, 'messages', next.length)
    await reserveNumbers(this.#db, 'threads', next.length)
  }

  same({ identity }: ParsedMail): Known | undefined {
    const found = this.#messages.get(spell(identity))
    return found && { id: found.id, thread: this.#now(found.thread) }
  }

  /** The threads of the ids a mail names, the one stored first at the front. */
  threadsOf(mail: ParsedMail): number[] {
    const threads = keysOf(mail).flatMap(({ name }) => this.#threads.get(name) ?? [])
    return [...new Set(threads.map((thread) => this.#now(thread)))].sort((a, b) => a - b)
  }

  async store(mail: ParsedMail, { id, thread }: Known): Promise<void> {
    this.#messages.set(spell(mail.identity), { id, thread })
    const unknown = keysOf(mail).filter(({ name }) => !this.#threads.has(name))
    for (const { name } of unknown) this.#threads.set(name, thread)
    const keys = unknown.map(({ key }) => key)
    await addKeys(this.#db, this.#inbox, keys, thread)
  }

  merge(survivor: ThreadRow, absorbed: ThreadRow): void {
    this.#merged.set(absorbed.number, survivor.number)
    this.words.merge(survivor, absorbed)
  }

  #now(thread: number): number {
    const survivor = this.#merged.get(thread)
    return survivor === undefined ? thread : this.#now(survivor)
  }
}

interface NamedKey {
  name: string
  key: Uint8Array
}

/** Cache: the keys of every mail are read three times. */
const keysRead = new WeakMap<ParsedMail, readonly NamedKey[]>()

function keysOf(mail: ParsedMail): readonly NamedKey[] {
  let keys = keysRead.get(mail)
  if (!keys) {
    keys = threadIds(mail).map((id) => {
      const key = threadKey(id)
      return { name: spell(key), key }
    })
    keysRead.set(mail, keys)
  }
  return keys
}

const spell = (key: Uint8Array): string =>
  Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
