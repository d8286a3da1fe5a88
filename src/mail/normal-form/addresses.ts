const longestLink = 8192
const longestRemoteImage = 2048
/** Big enough for a logo or a signature's icon; larger pictures belong in attachments. */
const longestDataImage = 64 * 1024

const linkSchemes = new Set(['http:', 'https:', 'mailto:', 'tel:'])
const dataImage = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/** The URL a link may keep, as the URL standard serialises it; null if it is invalid or its scheme is not allowed. */
export function cleanLink(value: string): string | null {
  const url = readUrl(value, longestLink)
  return url && linkSchemes.has(url.protocol) ? url.href : null
}

export type ImageSource =
  | { kind: 'shown'; src: string }
  | { kind: 'remote'; address: string }
  | { kind: 'missing' }

export function cleanImageSource(
  value: string,
  inlineImage: (contentId: string) => string | null,
): ImageSource {
  const compact = value.length <= longestDataImage ? value.replaceAll(/[\t\n\f\r ]/g, '') : ''
  if (/^cid:/i.test(compact)) {
    const contentId = decodeAddress(value.trim().slice('cid:'.length))
    const path = inlineImage(contentId.replace(/^</, '').replace(/>$/, ''))
    // Only a path on this server: `//host` would be another server.
    return path !== null && /^\/[^/\\]/.test(path) ? { kind: 'shown', src: path } : { kind: 'missing' }
  }
  if (dataImage.test(compact)) return { kind: 'shown', src: compact }
  const url = readUrl(value, longestRemoteImage)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return { kind: 'remote', address: url.href }
  return { kind: 'missing' }
}

/** Absolute URLs only: a relative one would resolve against the page that shows the mail. */
function readUrl(value: string, longest: number): URL | null {
  return value.length <= longest ? URL.parse(value) : null
}

/** Unchanged if it is not percent-encoded after all. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
