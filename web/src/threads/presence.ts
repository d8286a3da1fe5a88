import { signal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import type { Onlooker } from '../../../src/model/live.ts'
import { ask } from '../page/api.ts'
import { onPresence } from '../session/live.ts'
import { session } from '../session/session.ts'

/** Who else is at which thread right now, or at which draft that has none yet. */
export const onlookers = signal<ReadonlyMap<string, Onlooker[]>>(new Map())

const beat = 12_000
const nowhere = { threadId: null, draftId: null }
let here: { threadId: string | null; draftId: string | null } = nowhere
/** When a key was last pressed in a draft, and in which: null before it is saved for the first time. */
let writing: { at: number; draftId: string | null } = { at: 0, draftId: null }

export function followPresence(): void {
  onPresence((threadId, people) => setOnlookers(threadId, people))
  setInterval(() => {
    if (here !== nowhere && document.visibilityState === 'visible') tellPresence()
  }, beat)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') tellPresence()
  })
}

export function setOnlookers(threadId: string, people: readonly Onlooker[]): void {
  const others = people.filter(({ id }) => id !== session.value?.user.id)
  onlookers.value = new Map(onlookers.value).set(threadId, others)
}

/** A draft is a place of its own only where it has no thread. */
export function lookAt(threadId: string | null, draftId: string | null = null): void {
  if (here.threadId === threadId && here.draftId === draftId) return
  // Who is at a draft that was just saved for the first time is still writing it.
  if (here !== nowhere || draftId === null) writing = { at: 0, draftId: null }
  here = threadId === null && draftId === null ? nowhere : { threadId, draftId }
  tellPresence()
}

/** Told when it begins, not with each letter. */
export function startWriting(draftId: string | null): void {
  const told = isWriting() && writing.draftId === draftId
  writing = { at: Date.now(), draftId }
  if (!told) tellPresence()
}

function isWriting(): boolean {
  return Date.now() - writing.at < beat
}

/** Who else is writing it right now. What has just been begun is told before it has a name. */
export function writersOf({ id, threadId, author }: Draft): Onlooker[] {
  return (onlookers.value.get(threadId ?? id) ?? []).filter(
    (person) =>
      person.doing === 'writing' &&
      (person.draftId === undefined ? person.id === author.id : person.draftId === id),
  )
}

function tellPresence(): void {
  const at = here
  const doing = isWriting() ? 'writing' : 'reading'
  const draftId = at.draftId ?? (isWriting() ? writing.draftId : null)
  if (at === nowhere && doing === 'writing') return
  ask('POST', '/presence', { threadId: at.threadId, draftId, doing }, { quiet: true }).then(
    ({ people }) => {
      const place = at.threadId ?? at.draftId
      if (place !== null) setOnlookers(place, people)
    },
    () => undefined,
  )
}
