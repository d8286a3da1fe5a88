import {
  hasValues,
  isValues,
  operatorNamed,
  operatorNames,
  type SearchOperator,
} from '../../../src/model/search/query.ts'
import { get } from '../page/api.ts'
import { session } from '../session/session.ts'
import { team } from '../threads/people.ts'
import { searchTexts } from './texts.ts'

/** A completion of the word being typed: its text and its meaning. */
export interface Offer {
  text: string
  label: string
}

const days = ['today', 'yesterday']
const ages = ['1d', '7d', '30d', '1y']
const most = 8

/** The word at the end of the text. */
export function lastWord(typed: string): string {
  return /(?:[^\s"]|"[^"]*"?)*$/.exec(typed)![0]
}

export function complete(typed: string, offer: Offer): string {
  const end = offer.text.endsWith(':') ? '' : ' '
  return `${typed.slice(0, typed.length - lastWord(typed).length)}${offer.text}${end}`
}

/** Completions that need no request to the server. */
export function offersFor(typed: string): Offer[] {
  const word = lastWord(typed).toLowerCase()
  const [, name = '', value = ''] = /^([a-z_]+):"?(.*)$/.exec(word) ?? []
  const operator = operatorNamed(name)
  if (operator !== null)
    return valuesOf(operator)
      .filter(({ text, label }) => [text, label].some((each) => each.toLowerCase().startsWith(value)))
      .map(({ text, label }) => ({ text: `${operator}:${text}`, label }))
      .filter(({ text }) => text !== word)
      .slice(0, most)
  return operatorNames
    .filter((each) => each.startsWith(word) && (word !== '' || typed.trim() === ''))
    .slice(0, most)
    .map((each) => ({ text: `${each}:`, label: searchTexts.operators[each] }))
}

function valuesOf(operator: SearchOperator): Offer[] {
  const plain = (values: readonly string[]): Offer[] => values.map((text) => ({ text, label: '' }))
  switch (operator) {
    case 'is':
      return plain(isValues)
    case 'has':
      return plain(hasValues)
    case 'in':
      return (session.value?.inboxes ?? []).map(({ name, address }) => ({ text: address, label: name }))
    case 'assignee':
      return [
        ...plain(['me', 'none']),
        ...(team.value ?? []).map(({ name, email }) => ({ text: email, label: name })),
      ]
    case 'before':
    case 'after':
    case 'on':
      return plain(days)
    case 'older_than':
    case 'newer_than':
      return plain(ages)
    default:
      return []
  }
}

/** Addresses of earlier correspondents. */
export async function offerPeople(typed: string): Promise<Offer[]> {
  const [, name, value] = /^(from|to|cc):"?(\S+)$/i.exec(lastWord(typed)) ?? []
  if (!name || !value) return []
  const { data } = await get('/addresses', { query: { q: value } })
  return data
    .slice(0, most)
    .map((person) => ({ text: `${name.toLowerCase()}:${person.address}`, label: person.name ?? '' }))
}
