import { hash } from 'node:crypto'

/** A weak tag: equal content has the same tag, whatever coding it is sent in. */
export function tagOf(content: string | Uint8Array): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 27)}"`
}

export function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const wanted = opaque(etag)
  return ifNoneMatch.split(',').some((candidate) => ['*', wanted].includes(opaque(candidate.trim())))
}

/** The tag without its weak prefix: RFC 9110 requires weak comparison for If-None-Match. */
function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}
