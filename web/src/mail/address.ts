import type { MailAddress } from '../../../src/model/thread.ts'

/** `Carla Brandt <carla@brandt.example>` or a bare address; null if invalid. */
export function readAddress(text: string): MailAddress | null {
  const bare = text.trim().replace(/[,;]+$/, '')
  const [, name = '', inside = bare] = /^(.*?)\s*<([^<>]+)>$/.exec(bare) ?? []
  const address = inside.trim()
  if (!/^[^\s@<>",;]+@[^\s@<>",;]+$/.test(address)) return null
  return { name: name.replace(/^"(.*)"$/, '$1').trim() || null, address }
}

/** Splits a pasted list of addresses. Outlook writes `Brandt, Carla <carla@brandt.example>`, without quotes. */
export function splitAddresses(text: string): string[] {
  const parts = text.match(/[^,;\n@<>"]+,[^,;\n@<>"]+<[^>]*>|(?:"[^"]*"|<[^>]*>|[^,;\n])+/g) ?? []
  return parts.map((part) => part.trim()).filter(Boolean)
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
