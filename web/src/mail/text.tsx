import type { JSX } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { Marked } from '../search/marked.tsx'
import { findQuote } from './quote-search.ts'

const address = /\bhttps?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?]/g

/** The text of a mail, with links and with highlighted citations. */
export function MessageText({
  text,
  cited,
  lit,
  onUnderlined,
}: {
  text: string
  cited: readonly string[]
  lit: string | null
  onUnderlined(quotes: readonly string[]): void
}) {
  const places = cited
    .flatMap((quote) => {
      const place = findQuote(text, quote)
      return place ? [{ ...place, quote }] : []
    })
    .toSorted((one, other) => one.start - other.start)
  const underlined = places.map(({ quote }) => quote)
  useLayoutEffect(() => onUnderlined(underlined), [underlined.join('\n')])
  const parts: JSX.Element[] = []
  let at = 0
  for (const { start, end, quote } of places) {
    // If quotes overlap, only the rest of the later one is marked.
    const from = Math.max(start, at)
    if (from >= end) continue
    parts.push(...withLinks(text.slice(at, from), at))
    parts.push(
      <mark key={`cite${from}`} class={quote === lit ? 'cite lit' : 'cite'}>
        {text.slice(from, end)}
      </mark>,
    )
    at = end
  }
  parts.push(...withLinks(text.slice(at), at))
  return <div class="mail-text">{parts}</div>
}

function withLinks(text: string, offset: number): JSX.Element[] {
  const parts: JSX.Element[] = []
  let at = 0
  for (const found of text.matchAll(address)) {
    parts.push(
      <Marked key={offset + at} text={text.slice(at, found.index)} hits />,
      <a
        key={`link${offset + found.index}`}
        href={found[0]}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        <Marked text={found[0]} hits />
      </a>,
    )
    at = found.index + found[0].length
  }
  return [...parts, <Marked key={offset + at} text={text.slice(at)} hits />]
}
