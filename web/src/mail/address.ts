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
