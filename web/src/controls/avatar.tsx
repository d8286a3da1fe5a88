/** Initials on a muted background in the name's colour. */
export function Avatar({ name, title }: { name: string; title?: string }) {
  const said =
    title === undefined
      ? { 'aria-hidden': 'true' as const }
      : { role: 'img' as const, title, 'aria-label': title }
  return <span class="av" style={{ '--hue': hueOf(name) }} data-initials={initialsOf(name)} {...said} />
}

export function initialsOf(name: string): string {
  const parts = name
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .trim()
    .split(/\s+/)
  const letters = parts.length > 1 ? [parts[0], parts.at(-1)] : [parts[0]?.slice(0, 2)]
  return letters
    .map((part, _, all) => [...(part ?? '')].slice(0, all.length > 1 ? 1 : 2).join(''))
    .join('')
    .toUpperCase()
}

const hues = 12
/** Hues by name. There are twelve distinct hues; a hue is reused only when all are taken. */
const given = new Map<string, number>()

function hueOf(name: string): number {
  const known = given.get(name)
  if (known !== undefined) return known
  let sum = 0
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 997
  const taken = new Set([...given.values()].slice(-(hues - 1)))
  let hue = sum % hues
  while (taken.has(hue * (360 / hues))) hue = (hue + 5) % hues
  given.set(name, hue * (360 / hues))
  return hue * (360 / hues)
}
