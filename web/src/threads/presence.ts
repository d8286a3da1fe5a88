import { signal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import type { Onlooker } from '../../../src/model/live.ts'
import { ask } from '../page/api.ts'
import { onPresence } from '../session/live.ts'
import { session } from '../session/session.ts'

/** Who else has which thread open, or which draft that has no thread yet. */
export const onlookers = signal<ReadonlyMap<string, Onlooker[]>>(new Map())

const beat = 12_000
const nowhere = { threadId: null, draftId: null }
let here: { threadId: string | null; draftId: string | null } = nowhere
/** The last key press in a draft, and which draft; null before it is first saved. */
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

/** A draft counts as a place only if it has no thread. */
export function lookAt(threadId: string | null, draftId: string | null = null): void {
  if (here.threadId === threadId && here.draftId === draftId) return
  // After a draft's first save, its author is still writing it.
  if (here !== nowhere || draftId === null) writing = { at: 0, draftId: null }
  here = threadId === null && draftId === null ? nowhere : { threadId, draftId }
  tellPresence()
}

/** Sent when writing starts, not for each key. */
export function startWriting(draftId: string | null): void {
  const reported = isWriting(draftId)
  writing = { at: Date.now(), draftId }
  if (!reported) tellPresence()
}

export function isWriting(draftId = writing.draftId): boolean {
  return Date.now() - writing.at < beat && writing.draftId === draftId
}

/** Who else is writing it now. Writing is reported before a new draft has an id. */
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
