import { signal, type Signal } from '@preact/signals'
import type { MailAddress } from '../../../src/model/thread.ts'
import type { OpenThread, ThreadRow } from '../../../src/model/work.ts'
import { get } from '../page/api.ts'

/** The threads a person began, newest first. */
export interface PersonThreads {
  open: ThreadRow[]
  earlier: ThreadRow[]
}

/** Whom the reader asked for; otherwise it is the person of the thread. */
export const askedPerson = signal<MailAddress | null>(null)

/** Who is on the other side: the newest sender, or the recipient where only we wrote. */
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

/** Asks for them, unless they were asked for a moment ago. */
export async function loadThreadsOf(address: string): Promise<void> {
  const threads = threadsOf(address)
  const entry = known.get(address.toLowerCase())!
  if (Date.now() - entry.at < freshFor) return
  entry.at = Date.now()
  // A mail may claim to be from anything; what is no address began no thread.
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
