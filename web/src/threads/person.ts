import { signal, type Signal } from '@preact/signals'
import type { MailAddress } from '../../../src/model/thread.ts'
import type { OpenThread, ThreadRow } from '../../../src/model/work.ts'
import { beginRequest, get } from '../page/api.ts'
import { onEvent } from '../session/live.ts'

/** The threads a person started, newest first. */
export interface PersonThreads {
  open: ThreadRow[]
  earlier: ThreadRow[]
}

/** The other party: the newest sender, or the recipient if all mail is outbound. */
export function personOf({ history, sender }: OpenThread): MailAddress {
  const messages = history.filter((entry) => entry.type === 'message')
  const inbound = messages.findLast(({ direction }) => direction === 'inbound')
  return inbound?.from ?? messages.at(-1)?.to[0] ?? sender
}

const most = 50
/** In milliseconds. Users who only pass through a thread cause no request. */
const delay = 250
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

let shown: string | null = null

/** Loads them and keeps them current, until the returned function is called. */
export function showThreadsOf(address: string): () => void {
  shown = address
  const timer = setTimeout(() => void load(address), delay)
  return () => {
    shown = null
    clearTimeout(timer)
  }
}

onEvent(({ type, data }) => {
  if (type !== 'thread.status_changed' && type !== 'thread.merged') return
  const ids = new Set<unknown>([data.threadId, data.changes?.['threadId']?.from])
  for (const entry of known.values()) {
    const { open, earlier } = entry.threads.peek() ?? { open: [], earlier: [] }
    if ([...open, ...earlier].some(({ id }) => ids.has(id))) entry.at = 0
  }
  if (shown !== null) void load(shown)
})

/** Loads them, unless they were requested within the last minute. */
async function load(address: string): Promise<void> {
  const threads = threadsOf(address)
  const entry = known.get(address.toLowerCase())!
  if (Date.now() - entry.at < freshFor) return
  entry.at = Date.now()
  const isNew = beginRequest(threads)
  // A mail can claim any sender; an invalid address cannot have started a thread.
  if (!/^[^\s@,]+@[^\s@,]+$/.test(address) || address.length > 300) {
    threads.value = { open: [], earlier: [] }
    return
  }
  const ask = async (status: string): Promise<ThreadRow[]> =>
    (await get('/threads', { query: { from: address, status, limit: '6' } })).data
  try {
    const [open, earlier] = await Promise.all([ask('open,waiting,snoozed'), ask('closed')])
    if (isNew()) threads.value = { open, earlier }
  } catch {
    entry.at = 0
  }
}
