import { createHash } from 'node:crypto'
import type { Answer } from './route.ts'

export function toParts(body: Answer['body']): readonly Uint8Array[] {
  if (typeof body === 'string') return [Buffer.from(body)]
  return body instanceof Uint8Array ? [body] : body
}

export function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((length, part) => length + part.length, 0)
}

/** For `ETag`: the same bytes have the same. */
export function tagOf(parts: readonly Uint8Array[]): string {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return `"${sum.digest('base64url').slice(0, 27)}"`
}
