import { writeFrame } from './frame-policy.ts'
import type { FoundWords } from '../search/words.ts'
import { QuoteSearch, type Place } from './quote-search.ts'

/** The elements that the server marked as left out of `newText`. */
const quotes = '.spool-fold'

/** The server numbers these the same way. */
const remotePictures = 'img[data-remote-src]'

/** A picture that is not loaded (yet): its text in a thin border as wide as it; without text, a limited grey area. */
const unloaded = `${remotePictures}:not([src])`
const glyph = `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 16' fill='none' stroke='%23888'%3E%3Crect x='.5' y='.5' width='19' height='15' rx='2'/%3E%3Cpath d='m3 13 5-6 4 4 2-2 4 4'/%3E%3C/svg%3E")`

const styles = `
:root{color-scheme:light;scrollbar-gutter:stable}
body{margin:0;padding:2px;font:14px/1.5 system-ui,sans-serif;color:#1c1a17;background:#fff}
.spool-form blockquote{border-inline-start:2px solid #e4e0d8}
mark.spool-found{background:#ffe58f;color:#1c1a17}
mark.spool-cited{background:none;color:inherit;border-bottom:2px dotted #6246ea}
${unloaded}{max-height:96px;border-radius:6px;background:#8882 ${glyph} center/20px 16px no-repeat}
${unloaded}:not([height]){min-height:48px}
${unloaded}:not([width]){min-width:72px}
${unloaded}.spool-spacer{min-width:0;min-height:0;background:none}
span.spool-picture{box-sizing:border-box;padding-inline-end:4px}
.spool-picture:not(:has(>${unloaded})){font-size:12px}
.spool-picture:has(>${unloaded}){box-sizing:border-box;padding:6px 10px;border:1px solid color-mix(in srgb,currentColor 30%,transparent);border-radius:6px}
span.spool-picture:has(>${unloaded}){max-width:calc(100% - 4px);margin:1px 0;margin-inline-end:4px}
.spool-picture>${unloaded}{display:block;min-height:0;height:0}
.spool-picture>${unloaded}+br{display:none}
`

/** Examines a mail's HTML; it is only parsed, in a document that is never rendered. */
export function examineHtml(html: string) {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  return {
    html,
    /** Whether quoted text was recognised. */
    hasQuote: parsed.querySelector(quotes) !== null,
    /** How many pictures are on the sender's servers. */
    remote: parsed.querySelectorAll(remotePictures).length,
    /** Attachments shown inside the mail. */
    inline: [...parsed.querySelectorAll('img[src]')].flatMap((image) => attachmentId(image) ?? []),
  }
}

function attachmentId(image: Element): string | null {
  return /^\/(?:app\/api|api\/v1)\/attachments\/(att_\w+)/.exec(image.getAttribute('src') ?? '')?.[1] ?? null
}

export interface FrameOptions {
  folded: boolean
  cited: readonly string[]
  /** Search words to highlight. */
  found: FoundWords | null
  /** Pictures as `data:` URLs: attached ones by attachment, remote ones by number. */
  inline: ReadonlyMap<string, string>
  remote: ReadonlyMap<number, string>
}

/** The complete document for the frame that shows a mail, and the quotes that are underlined and visible in it. */
export function writeDocument(html: string, { folded, cited, found, inline, remote }: FrameOptions) {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  for (const image of parsed.querySelectorAll('img[src]')) {
    const id = attachmentId(image)
    if (id === null) continue
    const data = inline.get(id)
    if (data === undefined) image.removeAttribute('src')
    else image.setAttribute('src', data)
  }
  for (const [number, image] of parsed.querySelectorAll(remotePictures).entries()) {
    const data = remote.get(number)
    if (data !== undefined) image.setAttribute('src', data)
    else if (isSpacer(image)) image.classList.add('spool-spacer')
  }
  if (found) markWords(parsed, found)
  const underlined = cited.filter((quote) => markQuote(parsed, quote, folded))
  const fold = folded ? `${quotes}{display:none!important}` : ''
  return { text: writeFrame(`<style>${styles}${fold}</style>`, parsed.body.innerHTML), underlined }
}

/** The page finds matches to jump to by this class. */
export const foundClass = 'spool-found'

function markWords(parsed: Document, found: FoundWords): void {
  const nodes: Text[] = []
  const walker = parsed.createTreeWalker(parsed.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) nodes.push(walker.currentNode as Text)
  for (const node of nodes) {
    if (node.parentElement?.tagName === 'STYLE' || !found.isIn(node.data)) continue
    const pieces = found.cut(node.data).map((piece) => {
      if (!piece.found) return piece.text
      const mark = parsed.createElement('mark')
      mark.className = foundClass
      mark.textContent = piece.text
      return mark
    })
    node.replaceWith(...pieces)
  }
}

/** A picture used only for spacing. A grey area in its place would be confusing. */
function isSpacer(image: Element): boolean {
  return ['width', 'height'].some((side) => Number(image.getAttribute(side) ?? 99) < 16)
}

const blocks = /^(?:div|p|h\d|ul|ol|li|blockquote|table|tbody|tr|td|br|hr)$/i

/** Underlines a quote, which may span several elements. Returns whether it was found in visible text. */
function markQuote(parsed: Document, quote: string, folded: boolean): boolean {
  const search = new QuoteSearch()
  const nodes: Text[] = []
  const read = (element: Element): void => {
    if (element.tagName === 'STYLE' || (folded && element.matches(quotes))) return
    search.addEdge(blocks.test(element.tagName))
    for (const node of element.childNodes) {
      if (node instanceof Element) read(node)
      else if (node instanceof Text) {
        nodes.push(node)
        search.add(node.data)
      }
    }
    search.addEdge(blocks.test(element.tagName))
  }
  read(parsed.body)
  const place = search.find(quote)
  if (place) underline(parsed, nodes, place)
  return place !== null
}

function underline(parsed: Document, nodes: readonly Text[], place: Place): void {
  let start = 0
  for (const node of nodes) {
    const { length } = node.data
    const from = Math.max(place.start - start, 0)
    const to = Math.min(place.end - start, length)
    start += length
    if (from >= to) continue
    const part = from > 0 ? node.splitText(from) : node
    if (to - from < part.data.length) part.splitText(to - from)
    const mark = parsed.createElement('mark')
    mark.className = 'spool-cited'
    part.replaceWith(mark)
    mark.append(part)
  }
}

/** Whether the HTML has formatting worth showing. */
export function isFormatted(html: string): boolean {
  return /<(?:img|table|h[1-6]|ul|ol|b|strong|em|i|u|font|pre|a|center|hr)\b/i.test(html)
}
