import { hash } from 'node:crypto'

/** For `ETag`: of the same there is the same. */
export function tagOf(content: string | Uint8Array): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 27)}"`
}
