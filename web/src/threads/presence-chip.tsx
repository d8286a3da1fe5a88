import { texts } from '../page/texts.ts'
import { onlookers } from './presence.ts'

/** Who else is here, and whether they are writing. */
export function Presence({ id }: { id: string }) {
  const people = onlookers.value.get(id) ?? []
  if (people.length === 0) return null
  const writing = people.filter(({ doing }) => doing === 'writing')
  const shown = writing.length > 0 ? writing : people
  const names = shown.map(({ name }) => name.split(' ')[0]!)
  const said = writing.length > 0 ? texts.thread.writing(names) : texts.thread.reading(names)
  return (
    <span class={writing.length > 0 ? 'chip presence writing' : 'chip presence'} role="status">
      {said}
    </span>
  )
}
