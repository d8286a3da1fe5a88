import { tokenTypes } from 'css-tree'
import type { CssToken } from './declarations.ts'

/** A mail's own classes and ids carry this, so that they meet no class, id or named property of the page. */
export const namePrefix = 'm-'

const plainName = /^-?[a-z_][\w-]*$/i
const plainType = /^[a-z][a-z0-9]*$/i
const combinators = new Set(['>', '+', '~'])
const pseudoClasses = new Set(
  'hover link visited active focus first-child last-child only-child first-of-type last-of-type'.split(' '),
)

/** The selectors of one rule, each bound to `scope`; those that are not understood fall away. */
export function cleanSelectors(tokens: readonly CssToken[], scope: string): string {
  const selectors: string[] = []
  let start = 0
  for (let i = 0; i <= tokens.length; i++) {
    if (i < tokens.length && tokens[i]!.type !== tokenTypes.Comma) continue
    const selector = cleanSelector(tokens.slice(start, i), scope)
    if (selector) selectors.push(selector)
    start = i + 1
  }
  return selectors.join(',')
}

function cleanSelector(tokens: readonly CssToken[], scope: string): string | null {
  const parts = trimSpace(tokens)
  let written = ''
  for (let i = 0; i < parts.length; i++) {
    const { type, text } = parts[i]!
    const next = parts[i + 1]
    if (type === tokenTypes.WhiteSpace) written += ' '
    else if (type === tokenTypes.Ident && plainType.test(text)) written += writeType(text, scope)
    else if (type === tokenTypes.Hash && plainName.test(text.slice(1)))
      written += `#${namePrefix}${text.slice(1)}`
    else if (type === tokenTypes.Delim && text === '.' && next && plainName.test(next.text)) {
      written += `.${namePrefix}${next.text}`
      i++
    } else if (type === tokenTypes.Colon && next && pseudoClasses.has(next.text.toLowerCase())) {
      written += `:${next.text.toLowerCase()}`
      i++
    } else if (type === tokenTypes.LeftSquareBracket) {
      const name = readClassTest(parts, i)
      if (name === null) return null
      written += `.${namePrefix}${name}`
      i += 4
    } else if (type === tokenTypes.Delim && (text === '*' || combinators.has(text))) written += text
    else return null
  }
  if (!written) return null
  return startsAtRoot(parts) ? stepIntoRoot(written, scope) : `.${scope} ${written}`
}

/** `[class=name]`, an old way around one mail program, is the class itself. */
function readClassTest(tokens: readonly CssToken[], at: number): string | null {
  const [attribute, equals, value, end] = tokens.slice(at + 1, at + 5)
  if (attribute?.text.toLowerCase() !== 'class' || equals?.text !== '=') return null
  if (end?.type !== tokenTypes.RightSquareBracket || value === undefined) return null
  const name = value.type === tokenTypes.String ? value.text.slice(1, -1) : value.text
  return plainName.test(name) ? name : null
}

function writeType(name: string, scope: string): string {
  return isRoot(name) ? `.${scope}` : name.toLowerCase()
}

const isRoot = (name: string) => /^(?:html|body)$/i.test(name)

function startsAtRoot(tokens: readonly CssToken[]): boolean {
  return tokens[0]?.type === tokenTypes.Ident && isRoot(tokens[0].text)
}

/** `html body` is one and the same element here: the wrapper. */
function stepIntoRoot(selector: string, scope: string): string {
  const twice = `.${scope} .${scope}`
  return selector.startsWith(twice) ? selector.slice(scope.length + 2) : selector
}

function trimSpace(tokens: readonly CssToken[]): readonly CssToken[] {
  let from = 0
  let to = tokens.length
  while (from < to && tokens[from]!.type === tokenTypes.WhiteSpace) from++
  while (to > from && tokens[to - 1]!.type === tokenTypes.WhiteSpace) to--
  return tokens.slice(from, to)
}
