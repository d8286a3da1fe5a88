import type { JSX } from 'preact'
import { texts } from '../page/texts.ts'
import { onlookers } from './presence.ts'

/** Who else is here, and whether they are writing. */
export function Presence({ id }: { id: string }): JSX.Element | null {
  const people = onlookers.value.get(id) ?? []
  if (people.length === 0) return null
  const writing = people.filter(({ doing }) => doing === 'writing')
  const shown = writing.length > 0 ? writing : people
  const names = shown.map(({ name }) => name.split(' ')[0]!).join(texts.thread.and)
  const t = texts.thread
  const say =
    writing.length > 0
      ? shown.length > 1
        ? t.writingMany
        : t.writing
      : shown.length > 1
        ? t.readingMany
        : t.reading
  return (
    <span class={writing.length > 0 ? 'chip presence writing' : 'chip presence'} role="status">
      {say(names)}
    </span>
  )
}
