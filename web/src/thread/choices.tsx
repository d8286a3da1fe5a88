import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Teammate } from '../api.ts'
import { Avatar } from '../avatar.tsx'
import { MenuItem } from '../menu.tsx'
import { session } from '../session/session.ts'
import { futureTime } from '../times.ts'
import { words } from '../words.ts'
import { loadTeam, team } from './people.ts'
import { readFutureTime, suggestTimes } from './snooze.ts'

export function AssignItems({
  current,
  onChoose,
}: {
  current: string | null
  onChoose: (to: Teammate | null) => void
}): JSX.Element {
  useEffect(loadTeam, [])
  const me = session.value?.user.id
  const people = team.value.toSorted((one, other) => Number(other.id === me) - Number(one.id === me))
  return (
    <>
      {people.map((person) => (
        <MenuItem key={person.id} current={person.id === current} onChoose={() => onChoose(person)}>
          <Avatar name={person.name} /> {person.id === me ? words.thread.me(person.name) : person.name}
        </MenuItem>
      ))}
      <MenuItem current={current === null} onChoose={() => onChoose(null)}>
        {words.thread.nobody}
      </MenuItem>
    </>
  )
}

/** A time in one's own words, or one of the usual. */
export function SnoozeItems({ onChoose }: { onChoose: (until: string) => void }): JSX.Element {
  const said = useSignal('')
  const wrong = useSignal(false)
  const at = readFutureTime(said.value)
  return (
    <>
      <form
        class="snooze"
        onSubmit={(event) => {
          event.preventDefault()
          if (at) onChoose(at.toISOString())
          else wrong.value = true
        }}
      >
        <label>
          {words.thread.snoozeUntil}
          <input
            value={said.value}
            placeholder={words.thread.snoozeHint}
            onInput={(event) => {
              said.value = event.currentTarget.value
              wrong.value = false
            }}
          />
        </label>
        <small aria-live="polite" class={wrong.value ? 'wrong' : ''}>
          {wrong.value ? words.thread.snoozeBad : at ? futureTime(at.toISOString()) : '\u00a0'}
        </small>
      </form>
      <div role="menu" aria-label={words.thread.snooze}>
        {suggestTimes().map((each) => (
          <MenuItem
            key={each.words}
            hint={futureTime(each.at.toISOString())}
            onChoose={() => onChoose(each.at.toISOString())}
          >
            {each.words}
          </MenuItem>
        ))}
      </div>
    </>
  )
}
