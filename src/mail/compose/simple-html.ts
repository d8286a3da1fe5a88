import { escapeAttribute, escapeText } from '../normal-form/escape.ts'

/** The same text for HTML readers: line breaks, links, and quotes with a bar on the left. */
export function simpleHtml(text: string): string {
  return `<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>${blocks(text.split('\n'), 0)}</body></html>`
}

/** Quotes nested deeper than this stay as written, because nobody reads them. */
const deepest = 20

function blocks(lines: readonly string[], depth: number): string {
  let html = ''
  for (let at = 0; at < lines.length;) {
    const quoted = isQuoted(lines[at]!)
    let end = at
    while (end < lines.length && isQuoted(lines[end]!) === quoted) end++
    const part = lines.slice(at, end)
    html += quoted && depth < deepest ? quote(part, depth) : paragraph(part)
    at = end
  }
  return html
}

function isQuoted(line: string): boolean {
  return line.startsWith('>')
}

function quote(lines: readonly string[], depth: number): string {
  const inner = lines.map((line) => line.slice(line.startsWith('> ') ? 2 : 1))
  return `<blockquote style="margin:0 0 0 0.8ex;border-left:1px solid #ccc;padding-left:1ex">${blocks(inner, depth + 1)}</blockquote>`
}

function paragraph(lines: readonly string[]): string {
  return `<div>${lines.map((line) => `${linked(line)}<br>`).join('\r\n')}</div>`
}

const linkForm = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?')\]]/gi

function linked(line: string): string {
  let html = ''
  let done = 0
  for (const match of line.matchAll(linkForm)) {
    html += `${words(line.slice(done, match.index))}<a href="${escapeAttribute(match[0])}">${escapeText(match[0])}</a>`
    done = match.index + match[0].length
  }
  return html + words(line.slice(done))
}

/** Preserves indentation and aligned columns. */
function words(text: string): string {
  return escapeText(text).replace(/^ +| {2,}/g, (spaces) => '&nbsp;'.repeat(spaces.length))
}
