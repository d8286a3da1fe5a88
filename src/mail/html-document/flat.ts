/**
 * A plain tree builder for hostile markup: one pass, no repair beyond closing what is open.
 * Used only where the browsers' own rules would let the tree outgrow the mail.
 */

import { defaultTreeAdapter, html as htmlNames, Tokenizer, TokenizerMode } from 'parse5'
import type { DefaultTreeAdapterTypes as Tree, Token, TokenHandler } from 'parse5'

const voids = new Set(
  'area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen'.split(
    ' ',
  ),
)
const raw: Record<string, number | undefined> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
}

type CreateElement = (
  tagName: string,
  namespaceURI: Tree.Element['namespaceURI'],
  attrs: Tree.Element['attrs'],
) => Tree.Element

export function parseFlat(html: string, createElement: CreateElement): Tree.Document {
  const document = defaultTreeAdapter.createDocument()
  const root = createElement('html', htmlNames.NS.HTML, [])
  const body = createElement('body', htmlNames.NS.HTML, [])
  defaultTreeAdapter.appendChild(document, root)
  defaultTreeAdapter.appendChild(root, body)
  const open: Tree.Element[] = [body]
  const openCount = new Map<string, number>()
  const current = () => open[open.length - 1] ?? body
  const addText = (token: Token.CharacterToken) => defaultTreeAdapter.insertText(current(), token.chars)

  function close(tagName: string): void {
    if ((openCount.get(tagName) ?? 0) === 0) return
    for (let closed = ''; closed !== tagName && open.length > 1;) {
      closed = open.pop()?.tagName ?? tagName
      openCount.set(closed, (openCount.get(closed) ?? 1) - 1)
    }
  }

  const handler: TokenHandler = {
    onStartTag(token) {
      if (token.tagName === 'html' || token.tagName === 'head') return
      if (token.tagName === 'body') {
        defaultTreeAdapter.adoptAttributes(body, token.attrs)
        return
      }
      const element = createElement(token.tagName, htmlNames.NS.HTML, token.attrs)
      defaultTreeAdapter.appendChild(current(), element)
      if (voids.has(token.tagName) || token.selfClosing) return
      open.push(element)
      openCount.set(token.tagName, (openCount.get(token.tagName) ?? 0) + 1)
      const mode = raw[token.tagName]
      if (mode !== undefined) tokenizer.state = mode as typeof tokenizer.state
    },
    onEndTag(token) {
      close(token.tagName)
    },
    onComment(token) {
      defaultTreeAdapter.appendChild(current(), defaultTreeAdapter.createCommentNode(token.data))
    },
    onCharacter: addText,
    onNullCharacter() {},
    onWhitespaceCharacter: addText,
    onDoctype() {},
    onEof() {},
    onParseError: null,
  }
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handler)
  tokenizer.write(html, true)
  return document
}
