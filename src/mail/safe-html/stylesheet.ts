import { tokenTypes } from 'css-tree'
import { cleanDeclarations, closes, opens, readCssTokens } from './declarations.ts'
import type { CssToken } from './declarations.ts'
import { cleanSelectors } from './selectors.ts'

const longestSheet = 256 * 1024
const mostRules = 2000

// No quote, backslash, comment or brace: it can only be a list of conditions.
const plainMedia = /^[a-z0-9 :(),.-]{1,300}$/i

/**
 * A mail's style sheet with allowed properties only, every selector bound to `scope`; `''` when nothing is left.
 * The result never holds `<`, so it cannot end the `<style>` element it is written into.
 */
export function cleanStyleSheet(css: string, media: string | null, scope: string): string {
  if (css.length > longestSheet) return ''
  const rules = cleanRules(readCssTokens(css), scope, { left: mostRules }, true)
  const sheet = media === null || rules === '' ? rules : wrapInMedia(media, rules)
  return sheet.includes('<') ? '' : sheet
}

function cleanRules(
  tokens: readonly CssToken[],
  scope: string,
  budget: { left: number },
  mediaAllowed: boolean,
): string {
  let written = ''
  let at = 0
  while (at < tokens.length && budget.left > 0) {
    const block = findNext(tokens, at)
    if (block === null) break
    const prelude = tokens.slice(at, block)
    if (tokens[block]!.type !== tokenTypes.LeftCurlyBracket) {
      // A statement such as `@import …;`, or a stray brace.
      at = block + 1
      continue
    }
    const end = findBlockEnd(tokens, block)
    const content = tokens.slice(block + 1, end)
    budget.left--
    written += cleanRule(prelude, content, scope, budget, mediaAllowed)
    at = end + 1
  }
  return written
}

function cleanRule(
  prelude: readonly CssToken[],
  content: readonly CssToken[],
  scope: string,
  budget: { left: number },
  mediaAllowed: boolean,
): string {
  const lead = prelude.find((token) => !isFiller(token))
  if (lead?.type === tokenTypes.AtKeyword) {
    if (!mediaAllowed || lead.text.toLowerCase() !== '@media') return ''
    const rules = cleanRules(content, scope, budget, false)
    const conditions = prelude.slice(prelude.indexOf(lead) + 1)
    return rules && wrapInMedia(conditions.map((token) => token.text).join(''), rules)
  }
  const selectors = cleanSelectors(
    prelude.filter((token) => token.type !== tokenTypes.CDO && token.type !== tokenTypes.CDC),
    scope,
  )
  const declarations = selectors && cleanDeclarations(content)
  return declarations ? `${selectors}{${declarations}}\n` : ''
}

function wrapInMedia(conditions: string, rules: string): string {
  const media = conditions.replaceAll(/[\t\n\f\r ]+/g, ' ').trim()
  return plainMedia.test(media) && isBalanced(media) ? `@media ${media}{\n${rules}}\n` : ''
}

function isBalanced(media: string): boolean {
  let depth = 0
  for (const sign of media) {
    if (sign === '(') depth++
    else if (sign === ')' && --depth < 0) return false
  }
  return depth === 0
}

function isFiller(token: CssToken): boolean {
  return (
    token.type === tokenTypes.WhiteSpace || token.type === tokenTypes.CDO || token.type === tokenTypes.CDC
  )
}

function findNext(tokens: readonly CssToken[], from: number): number | null {
  for (let i = from; i < tokens.length; i++) {
    const { type } = tokens[i]!
    if (type === tokenTypes.LeftCurlyBracket || type === tokenTypes.RightCurlyBracket) return i
    if (type === tokenTypes.Semicolon) return i
  }
  return null
}

/** The matching brace; the end of the sheet when it is missing. */
function findBlockEnd(tokens: readonly CssToken[], open: number): number {
  let depth = 0
  for (let i = open; i < tokens.length; i++) {
    const { type } = tokens[i]!
    if (opens(type)) depth++
    else if (closes(type) && --depth === 0) return i
  }
  return tokens.length
}
