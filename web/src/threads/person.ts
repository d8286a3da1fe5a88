import { signal, type Signal } from '@preact/signals'
import type { MailAddress } from '../../../src/model/thread.ts'
import type { OpenThread, ThreadRow } from '../../../src/model/work.ts'
import { get } from '../page/api.ts'

/** The threads a person started, newest first. */
export interface PersonThreads {
  open: ThreadRow[]
  earlier: ThreadRow[]
}

/** The person the user selected; null for the thread's own person. */
export const askedPerson = signal<MailAddress | null>(null)

/** The other party: the newest sender, or the recipient if all mail is outbound. */
export function personOf({ history, sender }: OpenThread): MailAddress {
  const messages = history.filter((entry) => entry.type === 'message')
  const inbound = messages.findLast(({ direction }) => direction === 'inbound')
  return inbound?.from ?? messages.at(-1)?.to[0] ?? sender
}

const most = 50
const freshFor = 60_000
const known = new Map<string, { at: number; threads: Signal<PersonThreads | null> }>()

export function threadsOf(address: string): Signal<PersonThreads | null> {
  const key = address.toLowerCase()
  const entry = known.get(key) ?? { at: 0, threads: signal(null) }
  known.delete(key)
  known.set(key, entry)
  if (known.size > most) known.delete(known.keys().next().value!)
  return entry.threads
}

/** Loads them, unless they were requested within the last minute. */
export async function loadThreadsOf(address: string): Promise<void> {
  const threads = threadsOf(address)
  const entry = known.get(address.toLowerCase())!
  if (Date.now() - entry.at < freshFor) return
  entry.at = Date.now()
  // A mail can claim any sender; an invalid address cannot have started a thread.
  if (!/^[^\s@,]+@[^\s@,]+$/.test(address) || address.length > 300) {
    threads.value = { open: [], earlier: [] }
    return
  }
  const ask = async (status: string): Promise<ThreadRow[]> =>
    (await get('/threads', { query: { from: address, status, limit: '6' } })).data
  try {
    const [open, earlier] = await Promise.all([ask('open,waiting,snoozed'), ask('closed')])
    threads.value = { open, earlier }
  } catch {
    entry.at = 0
  }
}
