import { sentences } from './other-parts.ts'
import type { UuFile } from './uuencode.ts'

const begin = '-----BEGIN PGP MESSAGE-----'
const end = '-----END PGP MESSAGE-----'

/** Extracts encrypted messages from a text: each becomes a file, and a sentence replaces it. */
export function extractArmour(text: string): { text: string; files: UuFile[] } {
  const files: UuFile[] = []
  let rest = text
  for (let from = rest.indexOf(begin); from !== -1; from = rest.indexOf(begin, from + 1)) {
    if (from > 0 && rest[from - 1] !== '\n') continue
    const last = rest.indexOf(end, from)
    if (last === -1 || files.length === 20) break
    const to = last + end.length
    files.push({ name: 'encrypted.asc', content: new Uint8Array(Buffer.from(rest.slice(from, to))) })
    rest = rest.slice(0, from) + sentences.pgp + rest.slice(to)
  }
  return { text: rest, files }
}
