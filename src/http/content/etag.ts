import { hash } from 'node:crypto'

/** Equal content has an equal tag, whatever coding it is sent in: so it is weak. */
export function tagOf(content: string | Uint8Array): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 27)}"`
}

export function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const wanted = opaque(etag)
  return ifNoneMatch.split(',').some((candidate) => ['*', wanted].includes(opaque(candidate.trim())))
}

/** Without the mark of a weak tag, as RFC 9110 compares them here. */
function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}
