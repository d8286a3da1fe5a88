import type { MailAddress } from '../../../src/model/thread.ts'
import { splitTerms } from '../../../src/model/search/terms.ts'
import { Avatar } from '../controls/avatar.tsx'
import type { Choice } from '../controls/menu.tsx'
import { actions } from '../page/action-table.ts'
import { canRun, run } from '../page/keys.ts'
import { matchPerson } from '../page/person-match.ts'
import { go, placePath } from '../page/router.ts'
import { team } from '../threads/people.ts'
import { listPlaces } from './places.ts'
import { texts } from './texts.ts'

/** Actions and places available here; also people and a search once something is typed. */
export function makeChoices(typed: string, customers: readonly MailAddress[], close: () => void): Choice[] {
  const does = (act: () => void) => (): void => {
    close()
    act()
  }
  const search = (q: string) => does(() => go(placePath({ type: 'search', q })))
  const choices: Choice[] = actions
    .filter(({ command }) => command !== 'palette' && canRun(command))
    .map(({ command, title, keys }) => ({
      ...named(command, title, keys),
      onChoose: does(() => void run(command)),
    }))
  for (const { title, path, keys } of listPlaces())
    choices.push({ ...named(path, title, keys), onChoose: does(() => go(path)) })
  if (typed === '') return choices
  for (const { id, name, email } of team.value ?? [])
    choices.push({
      key: id,
      match: () => matchPerson(typed, { name, address: email }),
      content: facing(name),
      hint: texts.assigned,
      onChoose: search(`assignee:${email}`),
    })
  for (const { name, address } of customers)
    choices.push({
      key: address,
      match: () => 'later',
      content: facing(name ?? address),
      ...(name === null ? {} : { hint: address }),
      onChoose: search(address),
    })
  choices.push({
    key: 'search',
    match: () => 'later',
    content: texts.search(typed),
    onChoose: search(typed),
  })
  return choices
}

function named(key: string, title: string, keys: readonly string[]): Omit<Choice, 'onChoose'> {
  return {
    key,
    match: (typed) => matchTitle(typed, title),
    content: title,
    ...(keys.length === 0 ? {} : { hint: keys.join(' ') }),
  }
}

function facing(name: string) {
  return (
    <>
      <Avatar name={name} /> {name}
    </>
  )
}

/** Every typed word must be the start of a word in the title. */
function matchTitle(typed: string, title: string): 'first' | 'later' | null {
  const [wanted, words] = [splitTerms(typed), splitTerms(title)]
  if (wanted.length === 0 || !wanted.every((part) => words.some((word) => word.startsWith(part)))) return null
  return words.join(' ').startsWith(wanted.join(' ')) ? 'first' : 'later'
}
