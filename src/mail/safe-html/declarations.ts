import { tokenize, tokenTypes } from 'css-tree'

/** One CSS token: its type in css-tree's numbering, and its source. */
export interface CssToken {
  type: number
  text: string
}

const longestStyle = 8192
const mostDeclarations = 64

/** How things look inside their own place; nothing that loads, moves over other things, or generates content. */
const properties = new Set(
  (
    'color background background-color background-image background-repeat background-position background-size ' +
    'opacity visibility display float clear overflow overflow-x overflow-y box-sizing ' +
    'font font-family font-size font-style font-variant font-weight font-stretch line-height letter-spacing word-spacing ' +
    'text-align text-decoration text-decoration-color text-decoration-line text-decoration-style text-indent ' +
    'text-transform text-overflow white-space word-break word-wrap overflow-wrap hyphens direction unicode-bidi ' +
    'vertical-align width height min-width min-height max-width max-height ' +
    'margin margin-top margin-right margin-bottom margin-left ' +
    'padding padding-top padding-right padding-bottom padding-left ' +
    'border border-top border-right border-bottom border-left border-color border-style border-width ' +
    'border-top-color border-right-color border-bottom-color border-left-color ' +
    'border-top-style border-right-style border-bottom-style border-left-style ' +
    'border-top-width border-right-width border-bottom-width border-left-width ' +
    'border-radius border-top-left-radius border-top-right-radius border-bottom-left-radius ' +
    'border-bottom-right-radius border-collapse border-spacing ' +
    'list-style list-style-type list-style-position table-layout caption-side empty-cells ' +
    'flex flex-direction flex-wrap flex-grow flex-shrink flex-basis justify-content align-items align-self ' +
    'align-content gap row-gap column-gap order object-fit color-scheme'
  ).split(' '),
)

/** Elsewhere a negative length could pull the mail over the page around it. */
const mayBeNegative = new Set(['letter-spacing', 'word-spacing', 'text-indent', 'vertical-align', 'order'])
const mayHoldStrings = new Set(['font', 'font-family'])
const mayLoseUrl = new Set(['background', 'background-image'])

const functions = new Set([
  'rgb(',
  'rgba(',
  'hsl(',
  'hsla(',
  'calc(',
  'min(',
  'max(',
  'clamp(',
  'linear-gradient(',
  'radial-gradient(',
])

// None of these admits a backslash, so no escape can hide another meaning.
const plainIdent = /^-?[a-z][a-z0-9-]*$/i
const fontIdent = /^[\p{L}\p{N}_-]+$/u
const fontString = /^(["'])[\p{L}\p{N} ._,-]*\1$/u
const plainNumber = /^[+-]?[0-9.]{1,20}(?:%|[a-z]{1,4})?$/i
const hexColour = /^#[0-9a-f]{3,8}$/i
const signs = new Set(['/', '+', '-', '*'])

export function readCssTokens(css: string): CssToken[] {
  const tokens: CssToken[] = []
  tokenize(css, (type, start, end) => {
    if (type !== tokenTypes.Comment) tokens.push({ type, text: css.slice(start, end) })
  })
  return tokens
}

/** Mail repeats the same few styles on cell after cell, and so does the next mail of its sender. */
const known = new Map<string, string>()
const mostKnown = 2000
const longestKnown = 500

/** The content of a `style` attribute with only what is allowed; `''` when nothing is. */
export function cleanStyle(style: string): string {
  if (style.length > longestStyle) return ''
  const before = known.get(style)
  if (before !== undefined) return before
  const clean = cleanDeclarations(readCssTokens(style))
  if (style.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear()
    known.set(style, clean)
  }
  return clean
}

export function cleanDeclarations(tokens: readonly CssToken[]): string {
  const declarations: string[] = []
  let start = 0
  let depth = 0
  for (let i = 0; i <= tokens.length && declarations.length < mostDeclarations; i++) {
    const type = tokens[i]?.type
    if (type !== undefined && opens(type)) depth++
    else if (type !== undefined && closes(type)) depth = Math.max(0, depth - 1)
    if (type !== undefined && (type !== tokenTypes.Semicolon || depth > 0)) continue
    const declaration = cleanDeclaration(tokens.slice(start, i))
    if (declaration) declarations.push(declaration)
    start = i + 1
  }
  return declarations.join(';')
}

export function opens(type: number): boolean {
  return (
    type === tokenTypes.Function ||
    type === tokenTypes.LeftParenthesis ||
    type === tokenTypes.LeftSquareBracket ||
    type === tokenTypes.LeftCurlyBracket
  )
}

export function closes(type: number): boolean {
  return (
    type === tokenTypes.RightParenthesis ||
    type === tokenTypes.RightSquareBracket ||
    type === tokenTypes.RightCurlyBracket
  )
}

function cleanDeclaration(tokens: readonly CssToken[]): string | null {
  const colon = tokens.findIndex((token) => token.type === tokenTypes.Colon)
  if (colon < 1) return null
  const name = tokens
    .slice(0, colon)
    .map((token) => token.text)
    .join('')
    .trim()
    .toLowerCase()
  if (!properties.has(name)) return null
  const value = cleanValue(
    name,
    mayLoseUrl.has(name) ? withoutUrls(tokens, colon + 1) : tokens.slice(colon + 1),
  )
  return value ? `${name}:${value}` : null
}

/** A colour often stands beside a picture, and light text may rest on it: the colour stays. */
function withoutUrls(tokens: readonly CssToken[], from: number): CssToken[] {
  const rest: CssToken[] = []
  for (let i = from; i < tokens.length; i++) {
    const token = tokens[i]!
    if (token.type === tokenTypes.Url) continue
    if (token.type === tokenTypes.Function && token.text.toLowerCase() === 'url(') {
      while (i < tokens.length && tokens[i]!.type !== tokenTypes.RightParenthesis) i++
      continue
    }
    rest.push(token)
  }
  return rest
}

function cleanValue(name: string, tokens: readonly CssToken[]): string | null {
  let value = ''
  let depth = 0
  for (const [i, token] of tokens.entries()) {
    const written = token.text
    switch (token.type) {
      case tokenTypes.WhiteSpace:
        value += ' '
        continue
      case tokenTypes.Ident:
        if (!plainIdent.test(written) && !(mayHoldStrings.has(name) && fontIdent.test(written))) return null
        break
      case tokenTypes.Number:
      case tokenTypes.Percentage:
      case tokenTypes.Dimension:
        if (!plainNumber.test(written) || (written.startsWith('-') && !mayBeNegative.has(name))) return null
        break
      case tokenTypes.Hash:
        if (!hexColour.test(written)) return null
        break
      case tokenTypes.String:
        if (!mayHoldStrings.has(name) || !fontString.test(written)) return null
        break
      case tokenTypes.Function:
        if (!functions.has(written.toLowerCase()) || ++depth > 4) return null
        break
      case tokenTypes.LeftParenthesis:
        if (depth === 0 || ++depth > 4) return null
        break
      case tokenTypes.RightParenthesis:
        if (--depth < 0) return null
        break
      case tokenTypes.Comma:
        break
      case tokenTypes.Delim:
        if (written === '!') {
          if (depth > 0 || !isImportant(tokens, i)) return null
          return value.trim() ? `${value.trim()}!important` : null
        }
        if (!signs.has(written)) return null
        break
      default:
        return null
    }
    value += written
  }
  return depth === 0 ? value.replaceAll(/ +/g, ' ').trim() || null : null
}

function isImportant(tokens: readonly CssToken[], at: number): boolean {
  const rest = tokens
    .slice(at + 1)
    .map((token) => token.text)
    .join('')
  return rest.trim().toLowerCase() === 'important'
}
