import type { JSX } from 'preact'
import { findQuote } from './marks.ts'

const address = /\bhttps?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?]/g

/** The text of a mail, with links and with highlighted citations. */
export function MessageText({
  text,
  cited,
  lit,
}: {
  text: string
  cited: readonly string[]
  lit: string | null
}): JSX.Element {
  const places = cited
    .flatMap((quote) => {
      const place = findQuote(text, quote)
      return place ? [{ ...place, quote }] : []
    })
    .toSorted((one, other) => one.start - other.start)
  const parts: (string | JSX.Element)[] = []
  let at = 0
  for (const { start, end, quote } of places) {
    if (start < at) continue
    parts.push(...withLinks(text.slice(at, start), at))
    parts.push(
      <mark key={`cite${start}`} class={quote === lit ? 'cite lit' : 'cite'}>
        {text.slice(start, end)}
      </mark>,
    )
    at = end
  }
  parts.push(...withLinks(text.slice(at), at))
  return <div class="mail-text">{parts}</div>
}

function withLinks(text: string, offset: number): (string | JSX.Element)[] {
  const parts: (string | JSX.Element)[] = []
  let at = 0
  for (const found of text.matchAll(address)) {
    parts.push(
      text.slice(at, found.index),
      <a
        key={`link${offset + found.index}`}
        href={found[0]}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        {found[0]}
      </a>,
    )
    at = found.index + found[0].length
  }
  return [...parts, text.slice(at)]
}
