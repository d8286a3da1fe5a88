import { hash } from 'node:crypto'

/** A strong ETag: equal content has an equal tag. */
export function tagOf(content: string | Uint8Array): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 27)}"`
}

export function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim()))
}
