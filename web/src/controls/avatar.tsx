import type { JSX } from 'preact'

/** Initials on a muted background colour that depends on the name. */
export function Avatar({ name, title }: { name: string; title?: string }): JSX.Element {
  const said =
    title === undefined
      ? { 'aria-hidden': 'true' as const }
      : { role: 'img' as const, title, 'aria-label': title }
  return <span class={`av av-${hueOf(name)}`} data-initials={initialsOf(name)} {...said} />
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

function hueOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 997
  return sum % 5
}
