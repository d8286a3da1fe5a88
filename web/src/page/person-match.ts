import { splitTerms } from '../../../src/model/search/terms.ts'

/**
 * Whether the typed text is a prefix of an address or name (`first`), or of a later part of the name; the same rule
 * as the server's address completion.
 */
export function matchPerson(
  typed: string,
  { name, address }: { name: string | null; address: string },
): 'first' | 'later' | null {
  const parts = splitTerms(name ?? '')
  const wanted = splitTerms(typed).join(' ')
  const at = wanted === '' ? -1 : parts.findIndex((_, from) => parts.slice(from).join(' ').startsWith(wanted))
  if (at === 0 || address.toLowerCase().startsWith(typed.trim().toLowerCase())) return 'first'
  return at > 0 ? 'later' : null
}
