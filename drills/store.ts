import { receiveMail } from '../src/core/receiving/receive.ts'
import { parseMail } from '../src/mail/parse.ts'
import type { FreshDatabase } from '../test/support/databases.ts'
import { openStore } from '../test/support/desk-opener.ts'
import { writeMail } from '../test/support/letter.ts'

export interface Filled {
  token: string
  /** Ids of the threads, each with one message. */
  threads: string[]
}

/** An inbox with mail. Every subject is a unique word, and every text contains one: `word0`, `word1`, … */
export async function fillStore(database: FreshDatabase, messages: number): Promise<Filled> {
  await using store = await openStore(database)
  const how = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
  const threads: string[] = []
  for (let first = 0; first < messages; first += 100) {
    const mails = Array.from({ length: Math.min(100, messages - first) }, (_, n) =>
      parseMail(
        Buffer.from(
          writeMail({
            subject: `before${first + n}drill`,
            text: `About word${first + n}. ${'Where is my order? '.repeat(n % 10 === 0 ? 1500 : 60)}`,
          }),
        ),
      ),
    )
    const incoming = (await Promise.all(mails)).map((mail) => ({ mail, ...how }))
    const received = await receiveMail(store.spool, store.inbox, incoming)
    threads.push(...received.map(({ threadId }) => threadId))
  }
  return { token: store.token, threads }
}

/** What programs typically request, one kind after the other; much of it is not yet in the server's cache. */
export function mixedPath(threads: readonly string[], n: number): string {
  const some = Math.floor(n / 5) * 7919
  const paths = [
    `/api/v1/threads/${threads[some % threads.length]}`,
    '/api/v1/threads?limit=50',
    `/api/v1/threads?q=word${some % threads.length}&limit=20`,
    `/api/v1/threads?status=open&limit=${20 + (some % 30)}`,
    '/api/v1/events?limit=50',
  ]
  return paths[n % paths.length]!
}

/** A search in all mail, which no earlier answer serves. */
export function searchPath(n: number): string {
  const since = new Date(Date.UTC(2020, 0, 1) + n * 1000).toISOString()
  return `/api/v1/threads?q=order&limit=50&updatedSince=${since}`
}
