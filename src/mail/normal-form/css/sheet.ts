/** Splits style sheets and style attributes into rules and declarations with css-tree's tokenizer. */

import { tokenTypes, tokenize } from 'css-tree/tokenizer'
import { attribute, isElement, type Document, type Element, type Node } from '../../html-document.ts'
import { spend } from '../../work.ts'
import { mediaApplies } from './media.ts'

export interface Declaration {
  name: string
  value: string
  important: boolean
}

export interface Rule {
  selectors: string
  declarations: Declaration[]
}

/** Characters of all sheets together; a sheet that exceeds this is not read. */
const longest = 1_000_000
/** Conditions nested deeper than this are skipped. */
const deepest = 8

export function findSheets(document: Document): string[] {
  const sheets: string[] = []
  const pending: Node[] = [document]
  let length = 0
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isElement(node)) {
      const sheet = readSheet(node)
      if (sheet !== null && length + sheet.length <= longest) {
        length += sheet.length
        sheets.push(sheet)
      }
    }
    if ('childNodes' in node)
      for (let at = node.childNodes.length - 1; at >= 0; at -= 1) pending.push(node.childNodes[at] as Node)
  }
  return sheets
}

function readSheet(element: Element): string | null {
  if (element.tagName !== 'style' || !/^(?:text\/css)?$/i.test(attribute(element, 'type') ?? '')) return null
  if (!mediaApplies(attribute(element, 'media') ?? '')) return null
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
}

interface Tokens {
  source: string
  types: number[]
  starts: number[]
  ends: number[]
  at: number
}

const { AtKeyword, Function: FunctionToken, WhiteSpace, Comment, CDO, CDC } = tokenTypes
const { Semicolon, LeftCurlyBracket, RightCurlyBracket, LeftParenthesis, RightParenthesis } = tokenTypes
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

/** The rules that apply in the assumed window, in order. Only `@media` at-rules have an effect, nested rules none. */
export function parseSheet(source: string): Rule[] {
  spend(2 * source.length)
  const rules: Rule[] = []
  readRules(readTokens(source), 0, rules)
  return rules
}

export function parseDeclarations(source: string): Declaration[] {
  return readDeclarations(readTokens(source), false)
}

function readRules(tokens: Tokens, depth: number, rules: Rule[]): void {
  const { types } = tokens
  while (tokens.at < types.length) {
    const start = tokens.at
    const type = types[start]
    if (type === RightCurlyBracket && depth > 0) break
    if (type === WhiteSpace || type === CDO || type === CDC || type === RightCurlyBracket) {
      tokens.at += 1
      continue
    }
    skipUntil(tokens, type === AtKeyword, depth > 0)
    if (types[tokens.at] !== LeftCurlyBracket) {
      if (types[tokens.at] === Semicolon) tokens.at += 1
      continue
    }
    const prelude = textOf(tokens, start, tokens.at).trim()
    if (type === AtKeyword && !(depth < deepest && mediaApplies(/^@media(?![\w-])(.*)/is.exec(prelude)?.[1])))
      skipBlock(tokens)
    else {
      tokens.at += 1
      if (type === AtKeyword) readRules(tokens, depth + 1, rules)
      else rules.push({ selectors: prelude, declarations: readDeclarations(tokens, true) })
      if (type === AtKeyword) tokens.at += 1
    }
  }
}

/** Reads up to the closing brace of a block, or to the end. */
function readDeclarations(tokens: Tokens, isBlock: boolean): Declaration[] {
  const { types } = tokens
  const declarations: Declaration[] = []
  while (tokens.at < types.length) {
    const start = tokens.at
    skipUntil(tokens, true, true)
    if (types[tokens.at] === LeftCurlyBracket) {
      skipBlock(tokens)
      continue
    }
    const declaration = readDeclaration(textOf(tokens, start, tokens.at))
    if (declaration) declarations.push(declaration)
    tokens.at += 1
    if (isBlock && types[tokens.at - 1] === RightCurlyBracket) break
  }
  return declarations
}

function readDeclaration(text: string): Declaration | null {
  const colon = text.indexOf(':')
  // A trailing `\9` targets a single browser.
  if (colon < 0 || /\\[09]\s*$/.test(text)) return null
  const name = decodeEscapes(text.slice(0, colon)).trim()
  const value = decodeEscapes(text.slice(colon + 1)).trim()
  const mark = value.lastIndexOf('!')
  const important = mark >= 0 && /^!\s*important$/i.test(value.slice(mark))
  return {
    name: name.startsWith('--') ? name : name.toLowerCase(),
    value: important ? value.slice(0, mark).trim() : value,
    important,
  }
}

/** Moves to the next `{`, or to the next `;` or `}` where these end it, skipping brackets. */
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

/** The source text of a range of tokens, without comments. */
function textOf({ source, types, starts, ends }: Tokens, from: number, to: number): string {
  if (from >= to) return ''
  const whole = source.slice(starts[from], ends[to - 1])
  if (!whole.includes('/*')) return whole
  let result = ''
  for (let at = from; at < to; at += 1) {
    if (at > from && starts[at] !== ends[at - 1] && types[at - 1] !== WhiteSpace) result += ' '
    result += source.slice(starts[at], ends[at])
  }
  return result
}

/** Escapes can spell keywords: `n\6fne` is `none`. */
function decodeEscapes(value: string): string {
  if (!value.includes('\\')) return value
  return value.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gis, (_, hex: string | undefined, char: string) => {
    if (hex === undefined) return char
    const code = Number.parseInt(hex, 16)
    return code === 0 || code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code)
  })
}
