import type { MailAddress } from '../../../src/model/thread.ts'

/** `Carla Brandt <carla@brandt.example>` or a bare address; null if invalid. */
export function readAddress(text: string): MailAddress | null {
  const bare = text.trim().replace(/[,;]+$/, '')
  const [, name = '', inside = bare] = /^(.*?)\s*<([^<>]+)>$/.exec(bare) ?? []
  const address = inside.trim()
  if (!/^[^\s@<>",;]+@[^\s@<>",;]+$/.test(address)) return null
  return { name: name.replace(/^"(.*)"$/, '$1').trim() || null, address }
}

/** Splits a pasted list of addresses. */
export function splitAddresses(text: string): string[] {
  return (text.match(/(?:"[^"]*"|<[^>]*>|[^,;\n])+/g) ?? []).map((part) => part.trim()).filter(Boolean)
}

export function nameOf({ name, address }: MailAddress): string {
  return name || address
}

/** Each address once, and none that is in `seen`. */
export function withoutDoubles(list: readonly MailAddress[], seen: readonly MailAddress[]): MailAddress[] {
  const known = new Set(seen.map(({ address }) => address.toLowerCase()))
  return list.flatMap(({ name, address }) => {
    const key = address.toLowerCase()
    if (known.has(key)) return []
    known.add(key)
    return [{ name, address }]
  })
}
