/** Style sheets and style attributes cut into rules and declarations by css-tree's tokenizer. */

import { ident, tokenTypes, tokenize } from 'css-tree'
import { spend } from '../../work.ts'

export interface Declaration {
  name: string
  value: string
  important: boolean
}

export interface StyleRule {
  kind: 'rule'
  prelude: string
  declarations: Declaration[]
  children: Rule[]
}

export interface AtRule {
  kind: 'at'
  name: string
  prelude: string
  declarations: Declaration[]
  /** Null for a statement such as `@layer a, b;`. */
  children: Rule[] | null
}

export type Rule = StyleRule | AtRule

/** Blocks deeper than this are passed over. */
const deepest = 32

interface Tokens {
  source: string
  types: number[]
  starts: number[]
  ends: number[]
  at: number
}

const { Ident, AtKeyword, Function: FunctionToken, WhiteSpace, Comment, CDO, CDC } = tokenTypes
const { Colon, Semicolon, LeftCurlyBracket, RightCurlyBracket, LeftParenthesis, RightParenthesis } =
  tokenTypes
const { LeftSquareBracket, RightSquareBracket } = tokenTypes

function readTokens(source: string): Tokens {
  const tokens: Tokens = { source, types: [], starts: [], ends: [], at: 0 }
  tokenize(source, (type, start, end) => {
    if (type === Comment) return
    tokens.types.push(type)
    tokens.starts.push(start)
    tokens.ends.push(end)
  })
  return tokens
}

export function parseSheet(source: string): Rule[] {
  spend(2 * source.length)
  return readContents(readTokens(source), true, 0).rules
}

export function parseDeclarations(source: string): Declaration[] {
  return readContents(readTokens(source), false, 0).declarations
}

/** What stands in a block (or, `top`, in a whole sheet) up to its closing brace. */
function readContents(
  tokens: Tokens,
  top: boolean,
  depth: number,
): { declarations: Declaration[]; rules: Rule[] } {
  const declarations: Declaration[] = []
  const rules: Rule[] = []
  while (tokens.at < tokens.types.length) {
    const type = tokens.types[tokens.at]
    if (type === WhiteSpace || type === Semicolon || (top && (type === CDO || type === CDC))) tokens.at += 1
    else if (type === RightCurlyBracket) {
      tokens.at += 1
      if (depth > 0) break
    } else if (type === AtKeyword) rules.push(readAtRule(tokens, depth))
    else {
      const start = tokens.at
      const declaration = top ? null : readDeclaration(tokens)
      if (declaration) declarations.push(declaration)
      else {
        tokens.at = start
        const rule = readStyleRule(tokens, top, depth)
        if (rule) rules.push(rule)
      }
    }
  }
  return { declarations, rules }
}

function readAtRule(tokens: Tokens, depth: number): AtRule {
  const name = decodeName(text(tokens, tokens.at, tokens.at + 1).slice(1))
  tokens.at += 1
  const start = tokens.at
  skipUntil(tokens, true, true)
  const prelude = text(tokens, start, tokens.at).trim()
  const rule: AtRule = { kind: 'at', name, prelude, declarations: [], children: null }
  const type = tokens.types[tokens.at]
  if (type === Semicolon) tokens.at += 1
  if (type !== LeftCurlyBracket) return rule
  Object.assign(rule, readBlock(tokens, depth))
  return rule
}

function readStyleRule(tokens: Tokens, top: boolean, depth: number): StyleRule | null {
  const start = tokens.at
  skipUntil(tokens, !top, depth > 0)
  const prelude = text(tokens, start, tokens.at).trim()
  if (tokens.types[tokens.at] !== LeftCurlyBracket) {
    // Nothing was a rule here: step over what stopped the search.
    if (tokens.at === start || tokens.types[tokens.at] === Semicolon) tokens.at += 1
    return null
  }
  const { declarations, children } = readBlock(tokens, depth)
  return { kind: 'rule', prelude, declarations, children }
}

function readBlock(tokens: Tokens, depth: number): { declarations: Declaration[]; children: Rule[] } {
  if (depth >= deepest) {
    skipBlock(tokens)
    return { declarations: [], children: [] }
  }
  tokens.at += 1
  const { declarations, rules } = readContents(tokens, false, depth + 1)
  return { declarations, children: rules }
}

/** Name, colon, value up to `;` or `}`; null when this is none. */
function readDeclaration(tokens: Tokens): Declaration | null {
  if (tokens.types[tokens.at] !== Ident) return null
  const name = decodeName(text(tokens, tokens.at, tokens.at + 1))
  tokens.at += 1
  while (tokens.types[tokens.at] === WhiteSpace) tokens.at += 1
  if (tokens.types[tokens.at] !== Colon) return null
  tokens.at += 1
  const start = tokens.at
  skipUntil(tokens, true, true)
  if (tokens.types[tokens.at] === LeftCurlyBracket) {
    // Only a custom property may hold a block; elsewhere this is a nested rule such as `a:hover {`.
    if (!name.startsWith('--')) return null
    skipBlock(tokens)
    skipUntil(tokens, true, true)
  }
  let value = decodeEscapes(text(tokens, start, tokens.at).trim())
  let important = false
  const mark = value.lastIndexOf('!')
  if (mark >= 0 && /^!\s*important$/i.test(value.slice(mark))) {
    important = true
    value = value.slice(0, mark).trim()
  }
  return { name, value, important }
}

/** Moves to the next `{`, or `;` or `}` where these end it, stepping over brackets. */
function skipUntil(tokens: Tokens, semicolonEnds: boolean, braceEnds: boolean): void {
  let brackets = 0
  for (; tokens.at < tokens.types.length; tokens.at += 1) {
    const type = tokens.types[tokens.at]
    if (type === LeftParenthesis || type === FunctionToken || type === LeftSquareBracket) brackets += 1
    else if (type === RightParenthesis || type === RightSquareBracket) brackets -= 1
    else if (brackets > 0) continue
    else if (type === LeftCurlyBracket) return
    else if (type === Semicolon && semicolonEnds) return
    else if (type === RightCurlyBracket && braceEnds) return
  }
}

function skipBlock(tokens: Tokens): void {
  let depth = 0
  for (; tokens.at < tokens.types.length; tokens.at += 1) {
    const type = tokens.types[tokens.at]
    if (type === LeftCurlyBracket) depth += 1
    else if (type === RightCurlyBracket) depth -= 1
    if (depth === 0) break
  }
  tokens.at += 1
}

/** The source of some tokens, comments left out. */
function text(tokens: Tokens, from: number, to: number): string {
  if (from >= to) return ''
  const { source, starts, ends } = tokens
  const whole = source.slice(starts[from], ends[to - 1])
  if (!whole.includes('/*')) return whole
  let result = ''
  for (let at = from; at < to; at += 1) {
    if (at > from && starts[at] !== ends[at - 1] && tokens.types[at - 1] !== WhiteSpace) result += ' '
    result += source.slice(starts[at], ends[at])
  }
  return result
}

function decodeName(name: string): string {
  const decoded = name.includes('\\') ? ident.decode(name) : name
  return decoded.startsWith('--') ? decoded : decoded.toLowerCase()
}

/** Escapes spell words too: `n\6fne` is `none`. */
function decodeEscapes(value: string): string {
  if (!value.includes('\\')) return value
  return value.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gis, (_, hex: string | undefined, char: string) => {
    if (hex === undefined) return char
    const code = Number.parseInt(hex, 16)
    return code === 0 || code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code)
  })
}
