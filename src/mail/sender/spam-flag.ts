import { readHeader } from '../parse/header.ts'

/** Header bytes beyond this are not read. */
const longestHeader = 256 * 1024

/** Whether the header says `X-Spam-Flag: YES`, for callers that trust the host that wrote it. */
export function hasSpamFlag(raw: Uint8Array): boolean {
  const size = Math.min(raw.byteLength, longestHeader)
  const text = Buffer.from(raw.buffer, raw.byteOffset, size).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  const values = readHeader(end ? text.slice(0, end.index + 1) : text).get('x-spam-flag') ?? []
  // Headers are added at the top: the first is the newest.
  return /^\s*yes\b/i.test(values[0] ?? '')
}
