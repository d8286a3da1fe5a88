export interface MailLink {
  text: string
  href: string
}

const most = 200
const longestText = 300
const anchor = /<a (?:[^>]* )?href="([^"]*)"[^>]*>(.*?)<\/a>/gs
const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#96': '`',
}

/** Where the links of a message lead, from its cleaned HTML, in which links do not nest and everything is escaped. */
export function readLinks(html: string | null): MailLink[] {
  const links: MailLink[] = []
  if (html === null || !html.includes('<a ')) return links
  for (const [, href = '', inside = ''] of html.matchAll(anchor)) {
    const text = plain(inside.replaceAll(/<[^>]*>/g, ''))
      .replaceAll(/\s+/g, ' ')
      .trim()
    links.push({ text: text.slice(0, longestText).toWellFormed(), href: plain(href) })
    if (links.length === most) break
  }
  return links
}

const plain = (escaped: string): string =>
  escaped.replaceAll(/&(amp|lt|gt|quot|#39|#96);/g, (_, name: string) => entities[name] ?? '')
