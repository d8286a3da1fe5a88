import { transcode } from 'node:buffer'

/** Shorter texts gain nothing. */
const shortest = 5_000
const scratch = Buffer.allocUnsafeSlow(256 * 1024)

/**
 * The text in UTF-8. If a character is beyond Latin-1, as in most mail, `Buffer.from` takes four times as long as the way
 * through UTF-16.
 */
export function toUtf8(text: string): Buffer {
  if (text.length < shortest) return Buffer.from(text)
  const length = 2 * text.length
  const utf16 = length <= scratch.length ? scratch.subarray(0, length) : Buffer.allocUnsafe(length)
  utf16.write(text, 'utf16le')
  try {
    return transcode(utf16, 'utf16le', 'utf8') as Buffer
  } catch {
    // Half a surrogate pair
    return Buffer.from(text)
  }
}
