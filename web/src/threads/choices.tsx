import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Colleague } from '../../../src/model/work.ts'
import { Avatar } from '../controls/avatar.tsx'
import { Choices, Menu, MenuItem, type Choice } from '../controls/menu.tsx'
import { matchPerson } from '../page/person-match.ts'
import { session } from '../session/session.ts'
import { futureTime } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import type { ThreadAction } from './actions.ts'
import { loadTeam, team, teamProblem } from './people.ts'
import { readFutureTime, suggestTimes } from './snooze.ts'

interface ActionMenu {
  button: ComponentChildren
  align?: 'start' | 'end'
  act: (action: ThreadAction) => void
}

export function AssignMenu({
  label = texts.thread.assign,
  current,
  act,
  ...menu
}: ActionMenu & { label?: string } & Pick<Assigning, 'current'>) {
  return (
    <Menu label={label} command="assign" form {...menu}>
      {(close) => <AssignItems current={current} onChoose={(to) => (close(), act({ type: 'assign', to }))} />}
    </Menu>
  )
}

export function SnoozeMenu({ act, ...menu }: ActionMenu) {
  return (
    <Menu label={texts.thread.snooze} command="snooze" form {...menu}>
      {(close) => (
        <SnoozeItems onChoose={(until) => (close(), act({ type: 'status', status: 'snoozed', until }))} />
      )}
    </Menu>
  )
}

interface Assigning {
  /** Undefined: not the same for all threads. */
  current: string | null | undefined
  onChoose: (to: Colleague | null) => void
}

/** Everyone who can be assigned, the user first, and Nobody. */
function AssignItems({ current, onChoose }: Assigning) {
  useEffect(loadTeam, [])
  const me = session.value?.user.id
  const people = team.value?.toSorted((one, other) => Number(other.id === me) - Number(one.id === me))
  const choices = people?.map((person): Choice => ({
    key: person.id,
    match: (typed) => matchPerson(typed, { name: person.name, address: person.email }),
    content: (
      <>
        <Avatar name={person.name} /> {person.id === me ? texts.thread.me(person.name) : person.name}
      </>
    ),
    current: person.id === current,
    onChoose: () => onChoose(person),
  }))
  const nobody: Choice = {
    key: 'nobody',
    match: (typed) => matchPerson(typed, { name: texts.thread.nobody, address: texts.thread.nobody }),
    content: texts.thread.nobody,
    current: current === null,
    onChoose: () => onChoose(null),
  }
  return (
    <Choices
      label={texts.thread.assignTo}
      choices={choices ? [...choices, nobody] : null}
      problem={teamProblem.value}
    />
  )
}

/** A typed time, or a suggestion. */
function SnoozeItems({ onChoose }: { onChoose: (until: string) => void }) {
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
          {texts.thread.snoozeUntil}
          <input
            value={said.value}
            placeholder={texts.thread.snoozeHint}
            onInput={(event) => {
              said.value = event.currentTarget.value
              wrong.value = false
            }}
          />
        </label>
        <small aria-live="polite" class={wrong.value ? 'wrong' : ''}>
          {wrong.value ? texts.thread.snoozeBad : at ? futureTime(at.toISOString()) : '\u00a0'}
        </small>
      </form>
      <div role="menu" aria-label={texts.thread.snooze}>
        {suggestTimes().map((each) => (
          <MenuItem
            key={each.phrase}
            hint={futureTime(each.at.toISOString())}
            onChoose={() => onChoose(each.at.toISOString())}
          >
            {each.phrase}
          </MenuItem>
        ))}
      </div>
    </>
  )
}
