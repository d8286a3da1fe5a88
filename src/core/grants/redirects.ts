import { isLoopback } from '../../model/mail/server.ts'

/** Schemes of known programs; others need a dot, as in `com.example.app:` (RFC 8252), so none starts unexpectedly. */
const knownSchemes = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'claude:', 'zed:'])
const longest = 500

/** Null if a client may be redirected there, else why not. */
export function findRedirectProblem(text: string): string | null {
  if (text.length > longest || /[^\x21-\x7e]|\\/.test(text) || !URL.canParse(text))
    return 'is not a valid URL'
  const { protocol, hostname, username, password } = new URL(text)
  // Without "//" and a host, browsers take it as a path of the page they are on, and other parsers as a host.
  if (/^https?:/i.test(text) && !/^https?:\/\/[^/?]/i.test(text)) return 'has no // and host after its scheme'
  // RFC 8252: com.example.app:/back has one slash, because there is no host; vscode://publisher.name has two.
  if (!/^[^:]+:\//.test(text)) return 'has no / after its scheme'
  if (text.includes('#')) return 'has a fragment'
  if (username !== '' || password !== '' || /^[^/?]*\/\/[^/?]*@/.test(text)) return 'has a user name'
  if (protocol === 'https:') return null
  if (protocol === 'http:')
    return isLoopback(hostname.replace(/^\[|\]$/g, '')) ? null : 'is neither https nor on this computer'
  return knownSchemes.has(protocol) || protocol.includes('.') ? null : `has the scheme ${protocol}`
}

/** Must equal a registered address; on loopback the port may differ, because programs take a free one (RFC 8252). */
export function matchesRedirect(registered: readonly string[], given: string): boolean {
  // One that was registered under earlier rules.
  if (findRedirectProblem(given) !== null) return false
  if (registered.includes(given)) return true
  const wanted = withoutPort(given)
  return (
    wanted !== null && URL.canParse(given) && registered.some((address) => withoutPort(address) === wanted)
  )
}

/** Compares text, so that no two URL parsers need to agree. Null if the address is not loopback. */
function withoutPort(address: string): string | null {
  const parts = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/s.exec(address)
  return parts && parts[1]! + parts[2]!
}

/** Appended as text, so that the address stays exactly what was registered. */
export function addParameters(address: string, parameters: Record<string, string>): string {
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(parameters).toString()}`
}
