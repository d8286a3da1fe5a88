/** Where a link leads, in a form fit to read. */

const longest = 2000

/** Null for addresses a reader could not follow from text. */
export function linkAddress(href: string | null): string | null {
  const text = href?.trim() ?? ''
  if (!/^(?:https?|mailto|tel):/i.test(text)) return null
  try {
    const url = new URL(text)
    // What a mail link would write into subject and body is nothing a person sees.
    if (url.protocol === 'mailto:') url.search = ''
    return url.href.length > longest ? `${url.href.slice(0, longest)}…` : url.href
  } catch {
    return null
  }
}
