import { splitWords } from '../../../src/model/words.ts'

/**
 * Whether what was typed begins somebody's address or name (`first`), or a later part of the name: as the server completes
 * addresses.
 */
export function matchPerson(
  typed: string,
  { name, address }: { name: string | null; address: string },
): 'first' | 'later' | null {
  const parts = splitWords(name ?? '')
  const wanted = splitWords(typed).join(' ')
  const at = wanted === '' ? -1 : parts.findIndex((_, from) => parts.slice(from).join(' ').startsWith(wanted))
  if (at === 0 || address.toLowerCase().startsWith(typed.trim().toLowerCase())) return 'first'
  return at > 0 ? 'later' : null
}
