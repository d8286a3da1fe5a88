import { signal } from '@preact/signals'
import { ask, type Onlooker } from '../api.ts'
import { onPresence } from '../live.ts'
import { session } from '../session/session.ts'

/** Who else is at which thread right now. */
export const onlookers = signal<ReadonlyMap<string, Onlooker[]>>(new Map())

const beat = 12_000
let here: string | null = null
let writing = 0

export function followPresence(): void {
  onPresence((threadId, people) => setOnlookers(threadId, people))
  setInterval(() => {
    if (here !== null && document.visibilityState === 'visible') tellPresence()
  }, beat)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') tellPresence()
  })
}

export function setOnlookers(threadId: string, people: readonly Onlooker[]): void {
  const others = people.filter(({ id }) => id !== session.value?.user.id)
  onlookers.value = new Map(onlookers.value).set(threadId, others)
}

export function lookAt(threadId: string | null): void {
  if (here === threadId) return
  here = threadId
  writing = 0
  tellPresence()
}

/** Told when it begins, not with each letter. */
export function startWriting(): void {
  const before = isWriting()
  writing = Date.now()
  if (!before) tellPresence()
}

function isWriting(): boolean {
  return Date.now() - writing < beat
}

function tellPresence(): void {
  const at = here
  ask<{ people: Onlooker[] }>(
    'POST',
    '/presence',
    { threadId: at, doing: isWriting() ? 'writing' : 'reading' },
    { quiet: true },
  ).then(
    ({ people }) => {
      if (at !== null) setOnlookers(at, people)
    },
    () => undefined,
  )
}
