import type { Authentication } from '../../model/mail/mail.ts'
import { readTopHeader } from '../parse/header.ts'
import type { SenderVerdict } from './verdict.ts'

const verdicts = new Set(['none', 'pass', 'fail', 'softfail', 'neutral', 'policy', 'temperror', 'permerror'])

/**
 * The verdict of the team's own mail server, from the Authentication-Results (RFC 8601) it wrote under its id. Headers
 * are added at the top, so reading stops at the first one with another id: the sender may have forged those below.
 */
export function readAuthenticationResults(mail: Uint8Array, authservId: string): SenderVerdict | null {
  const header = readTopHeader(mail)
  const fields = header.get('authentication-results') ?? []
  const found: Authentication = { spf: null, dkim: null, dmarc: null }
  let isFound = false
  let author = plainAuthor(header.get('from') ?? [])
  for (const field of fields) {
    const [id = '', ...results] = withoutComments(field).split(';')
    if (id.trim().split(/\s+/)[0]?.toLowerCase().replaceAll('"', '') !== authservId) break
    isFound = true
    for (const result of results) {
      const match = /^\s*(spf|dkim|dmarc)\s*=\s*([a-z]+)/i.exec(result)
      const [method, verdict] = [match?.[1]?.toLowerCase(), match?.[2]?.toLowerCase() ?? '']
      if (method === undefined || !verdicts.has(verdict)) continue
      const name = method as keyof Authentication
      // One valid signature out of several is enough.
      if (found[name] !== null && (name !== 'dkim' || verdict !== 'pass')) continue
      found[name] = verdict
      if (name === 'dmarc') author = /\sheader\.from\s*=\s*"?([^\s";]+)/i.exec(result)?.[1] ?? author
    }
  }
  return isFound ? { authentication: found, author, isCut: found.dmarc === 'temperror' } : null
}

const atom = String.raw`[^\s"\\<>(),;:@]+`
const name = String.raw`(?:"[^"\\<>]*"[ \t]*|[^"\\<>(),;:@[\]]*)`
const plainFrom = new RegExp(`^(?:${name}<${atom}@(${atom})>|${atom}@(${atom}))$`)

/** The domain of an unambiguous From, or null. For servers that do not report which From they have checked. */
function plainAuthor(fields: readonly string[]): string | null {
  const [, bracketed, bare] = plainFrom.exec(fields.length === 1 ? fields[0]! : '') ?? []
  return bracketed ?? bare ?? null
}

/** Comments may contain semicolons and other comments. */
function withoutComments(text: string): string {
  let depth = 0
  let kept = ''
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (character === '\\') {
      if (depth === 0) kept += text.slice(i, i + 2)
      i++
      continue
    }
    if (depth === 0 && character === '"') isQuoted = !isQuoted
    if (!isQuoted && character === '(') depth++
    else if (!isQuoted && character === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) kept += character
  }
  return kept
}
