/** Of a header that is longer, or has more lines, no signature is looked at: its reader takes the square of the time. */
const longestHeader = 262_144
const mostLines = 4_000

/** What people are shown, how the text is read, and what joins a thread. */
const decidingFields = new Set([
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
])

export function isHeaderPlain(raw: Uint8Array): boolean {
  const header = headerOf(raw)
  return header !== null && header.split('\n').length <= mostLines
}

/**
 * A signature is about the last of two equal fields, and reads a name that is folded away from its colon: somebody on the
 * way can put another before it, which is shown.
 */
export function isReadTwoWays(raw: Uint8Array): boolean {
  const seen = new Set<string>()
  for (const [, name, gap] of (headerOf(raw) ?? '').matchAll(/^([!-9;-~]+)([ \t\r\n]*):/gm)) {
    const field = name!.toLowerCase()
    if (!decidingFields.has(field)) continue
    if (seen.has(field) || gap!.includes('\n')) return true
    seen.add(field)
  }
  return false
}

/** Null where it does not end within the bounds. */
function headerOf(raw: Uint8Array): string | null {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, longestHeader))
  const text = start.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  if (end) return text.slice(0, end.index)
  return raw.byteLength <= longestHeader ? text : null
}
