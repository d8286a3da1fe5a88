import { signal } from '@preact/signals'
import type { Event } from '../../../src/model/events.ts'
import type { LiveEvents, Onlooker } from '../../../src/model/live.ts'
import { urlOf } from '../page/api.ts'
import { resumeSession } from './session.ts'

/** Whether the live connection is up; false after a few seconds without one. */
export const connected = signal(true)

type Listener = (event: Event) => void
const listeners = new Set<Listener>()
const starts = new Set<() => void>()
const beginnings = new Set<() => void>()
const presences = new Set<(threadId: string, people: Onlooker[]) => void>()

export function onEvent(listener: Listener): void {
  listeners.add(listener)
}

/** Called when events may have been missed and everything has to be reloaded. */
export function onResync(listener: () => void): void {
  starts.add(listener)
}

/** Called on the first connection: data loaded before it may have changed unnoticed. */
export function onBeginning(listener: () => void): void {
  beginnings.add(listener)
}

export function onPresence(listener: (threadId: string, people: Onlooker[]) => void): void {
  presences.add(listener)
}

const noticeListeners = new Set<(unread: number) => void>()

/** Called with the number of unread notices whenever it may have changed. */
export function onNotices(listener: (unread: number) => void): () => void {
  noticeListeners.add(listener)
  return () => noticeListeners.delete(listener)
}

let lastSeq: string | null = null
let source: EventSource | null = null
let failures = 0

/** Follows the event log; after a disconnect it resumes where it stopped, so nothing is missed or reloaded. */
export function startLive(): void {
  if (source) return
  const opened = new EventSource(urlOf('/live', { query: { after: lastSeq } }))
  source = opened
  const hear = <Name extends keyof LiveEvents>(
    name: Name,
    listener: (data: LiveEvents[Name], seq: string) => void,
  ): void =>
    opened.addEventListener(name, ({ data, lastEventId }: MessageEvent) =>
      listener(JSON.parse(data), lastEventId),
    )
  opened.addEventListener('open', () => {
    // Without a position to resume from, what happened in between is unknown.
    if (failures > 0 && lastSeq === null) for (const each of starts) each()
    // Another tab may have signed out and in as somebody else, also before the first connection.
    void resumeSession().catch(() => undefined)
    failures = 0
    connected.value = true
  })
  hear('ready', (_, seq) => {
    const isFirst = lastSeq === null
    lastSeq = seq || lastSeq
    if (isFirst) for (const each of beginnings) each()
  })
  hear('message', (event, seq) => {
    if (seq) lastSeq = seq
    for (const each of listeners) each(event)
  })
  hear('presence', ({ threadId, people }) => {
    for (const each of presences) each(threadId, people)
  })
  hear('notices', ({ unread }) => {
    for (const each of noticeListeners) each(unread)
  })
  hear('resync', (_, seq) => {
    lastSeq = seq || null
    for (const each of starts) each()
  })
  opened.addEventListener('error', () => {
    opened.close()
    if (source !== opened) return
    source = null
    failures++
    if (failures > 1) connected.value = false
    // An expired session looks like a lost connection here.
    if (failures > 1) void resumeSession().catch(() => undefined)
    setTimeout(startLive, Math.min(15_000, 500 * 2 ** failures))
  })
}

export function stopLive(): void {
  source?.close()
  source = null
}

addEventListener('online', () => {
  if (source || failures === 0) return
  startLive()
})
