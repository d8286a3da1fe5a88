import { readTopHeader } from '../parse/header.ts'

/** Beyond these, signatures are not checked: parsing a header and hashing a line take quadratic time. */
const longestHeader = 262_144
const mostLines = 4_000
/** Trimming such a gap takes quadratic time, too. */
const longGap = /[ \t\r\n]{500}/
/** Each field that a signature names is looked for in all lines. */
const mostLookups = 20_000_000
const longestLine = 1_000_000
/** Each signature costs a query, and may hash the whole mail by itself. */
const mostSignatures = 20
const mostHashed = 200_000_000

/** Fields that are displayed, decide how the text is read, or join a thread. */
const decidingFields = new Set(
  (
    'from sender reply-to to cc subject date message-id in-reply-to references ' +
    'mime-version content-type content-transfer-encoding content-disposition'
  ).split(' '),
)

/** Whether checking the mail takes a time that others can wait for. */
export function isCheckable(raw: Uint8Array): boolean {
  const header = headerOf(raw)
  if (header === null || longGap.test(header)) return false
  const lines = header.split('\n').length
  if (lines > mostLines || lines * header.split(':').length > mostLookups) return false
  // The first line may begin with a gap. Of an ARC chain, only the newest signature is checked.
  const signed = header.match(/^[ \t]*dkim-signature\s*:/gim)?.length ?? 0
  const signatures = signed + (/^[ \t]*arc-message-signature\s*:/im.test(header) ? 1 : 0)
  if (signatures === 0) return true
  return signatures <= mostSignatures && signatures * raw.byteLength <= mostHashed && !hasLongLine(raw)
}

const longestAuthor = 10_000

/** A mail with the author of this one and nothing else, of which SPF and DMARC can always be checked. */
export function onlyAuthor(raw: Uint8Array): Buffer {
  const authors = readTopHeader(raw, 4 * longestHeader).get('from') ?? []
  const fields = authors.map((author) => `From: ${author.replaceAll(/\s+/g, ' ')}\r\n`).join('')
  return Buffer.from(fields.length <= longestAuthor ? `${fields}\r\n` : '\r\n', 'latin1')
}

function hasLongLine(raw: Uint8Array): boolean {
  for (let from = 0; from + longestLine < raw.length;) {
    const end = raw.lastIndexOf(0x0a, from + longestLine)
    if (end < from) return true
    from = end + 1
  }
  return false
}

/**
 * A signature covers the last of two equal fields, and a name that is folded away from its colon: in transit, somebody
 * can insert another field before it, which is then the one shown.
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

/** Null if the header does not end within the limit. */
function headerOf(raw: Uint8Array): string | null {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, longestHeader))
  const text = start.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  if (end) return text.slice(0, end.index)
  return raw.byteLength <= longestHeader ? text : null
}
