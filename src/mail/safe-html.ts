import { createHash } from 'node:crypto'
import { Tokenizer, TokenizerMode } from 'parse5'
import type { Token, TokenHandler } from 'parse5'
import { bodyAttributes, cleanAttributes } from './safe-html/attributes.ts'
import type { BodyLooks, InlineImage } from './safe-html/attributes.ts'
import { cleanStyleSheet } from './safe-html/stylesheet.ts'
import { TagWriter } from './safe-html/writer.ts'

const mostBytes = 1_000_000
const chunkSize = 64 * 1024

/** Elements whose content a browser reads as text; of these only `xmp` and `plaintext` are shown. */
const textModes = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['noscript', TokenizerMode.RAWTEXT],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
])
const shownAsText = new Set(['xmp', 'plaintext'])

export interface SafeHtml {
  html: string
  /** The mail was longer than fits; the rest is missing. */
  truncated: boolean
}

/**
 * A mail's HTML for display: no script, no handler, no form, nothing that loads from elsewhere.
 *
 * The input is only ever read as a stream of tokens; each one is dropped or written anew from allowlists, fully
 * escaped. What is written holds no raw-text element but one clean `<style>` at the front and no foreign element,
 * so a browser cannot read it in another way than it was meant, whatever the input did.
 */
export function sanitizeHtml(html: string, inlineImage: InlineImage): SafeHtml {
  const scope = `spool-mail-${createHash('sha256').update(html).digest('hex').slice(0, 16)}`
  const writer = new TagWriter(mostBytes - 200)
  let body: BodyLooks | null = null
  let sheets = ''
  let style: { css: string; media: string | null } | null = null
  let withheld: string | null = null

  const handler: TokenHandler = {
    onStartTag(token) {
      const name = token.tagName
      if (name === 'body') body ??= keepBody(token.attrs)
      const mode = textModes.get(name)
      if (mode !== undefined) {
        tokenizer.state = mode
        if (!shownAsText.has(name)) withheld = name
      }
      if (name === 'style') {
        style = { css: '', media: token.attrs.find((attribute) => attribute.name === 'media')?.value ?? null }
      }
      writer.start(name, (written) => cleanAttributes(written, token.attrs, inlineImage))
    },
    onEndTag(token) {
      if (token.tagName === withheld) {
        withheld = null
        if (style) sheets += keepSheet(style.css, style.media)
        style = null
      }
      writer.end(token.tagName)
    },
    onCharacter: ({ chars }) => takeText(chars),
    onWhitespaceCharacter: ({ chars }) => takeText(chars),
    onNullCharacter() {},
    onComment() {},
    onDoctype() {},
    onEof() {},
  }
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handler)

  function takeText(chars: string): void {
    if (style) style.css += chars
    if (withheld === null) writer.text(chars)
  }

  function keepBody(attributes: readonly Token.Attribute[]): BodyLooks {
    const looks = bodyAttributes(attributes)
    const fits = writer.reserve(Buffer.byteLength(looks.classes + looks.rest))
    return fits ? looks : { classes: '', rest: '' }
  }

  function keepSheet(css: string, media: string | null): string {
    const sheet = cleanStyleSheet(css, media, scope)
    return writer.reserve(Buffer.byteLength(sheet)) ? sheet : ''
  }

  for (let at = 0; at < html.length && !writer.truncated; at += chunkSize) {
    tokenizer.write(html.slice(at, at + chunkSize), at + chunkSize >= html.length)
  }
  const content = writer.finish()
  return { html: wrap(content, sheets, scope, body), truncated: writer.truncated }
}

function wrap(content: string, sheets: string, scope: string, body: BodyLooks | null): string {
  const classes = ['spool-mail', sheets && scope, body?.classes].filter(Boolean).join(' ')
  const style = sheets && `<style>\n${sheets}</style>`
  return `<div class="${classes}"${body?.rest ?? ''}>${style}${content}</div>`
}
