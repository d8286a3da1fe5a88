import type { Address } from '../mail/mail.ts'
import { longestTerm, mostCharacters, notAscii, termsOf } from './terms.ts'

/** The search terms of a mail: from its subject, its people and its text. */
export function termsOfMail(
  { subject, from, to, cc }: { subject: string; from: Address | null; to: Address[]; cc: Address[] },
  text: string,
): string {
  const people = [...(from ? [from] : []), ...to, ...cc]
  const texts = [subject, ...people.flatMap(({ name, address }) => [name ?? '', address]), text]
  const whole = texts.join('\n')
  return (notAscii.test(whole) ? null : asciiTerms(whole)) ?? [...termsOf(texts)].join(' ')
}

/** Lower-case letters and digits map to themselves, capitals to lower case; 0 ends a term. */
const folded = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase()
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0
})
const blank = 0x20

/** Size of the buffers kept between two texts. */
const usualRoom = 64 * 1024
/** Bounds the work for words chosen to share a hash, which would otherwise all be compared with each other. */
const mostProbes = 64

/** The terms found so far, each followed by a space. */
let found = Buffer.alloc(usualRoom)
/** Hash table: the position of each term in `found`, counted from 1; 0 is a free slot. */
let places = new Int32Array(usualRoom)

/**
 * The terms that `termsOf` returns for an ASCII text, separated by spaces; null if its words were chosen to make this
 * slow. Most mail is ASCII and most words repeat, so terms are compared byte by byte without creating a string for
 * each. That takes half the time of a regular expression and a `Set`, which took a fifth of the parsing time.
 */
function asciiTerms(text: string): string | null {
  const end = collectTerms(text, makeRoom(text.length))
  return end === -1 ? null : found.toString('latin1', 0, Math.max(0, end - 1))
}

/** Returns the end of the terms found, including the space after the last one; -1 if it gave up. */
function collectTerms(text: string, mask: number): number {
  let characters = 0
  let start = 0
  let end = 0
  let hash = 0
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? folded[text.charCodeAt(at)]! : 0
    if (code !== 0) {
      if (end - start === longestTerm) continue
      found[end++] = code
      hash = Math.imul(hash ^ code, 0x01000193)
    } else if (end > start) {
      const slot = findSlot(start, end, hash, mask)
      if (slot === -1) return -1
      if (places[slot] === 0) {
        places[slot] = start + 1
        characters += end - start
        if (characters > mostCharacters) break
        found[end] = blank
        start = end + 1
      }
      end = start
      hash = 0
    }
  }
  return start
}

/** At least two slots per term, which keeps probing short. Returns the mask for a hash. */
function makeRoom(characters: number): number {
  let size = 1024
  while (size <= characters + 1) size *= 2
  const room = Math.max(size, usualRoom)
  if (found.length !== room) {
    found = Buffer.alloc(room)
    places = new Int32Array(room)
  } else places.fill(0, 0, size)
  return size - 1
}

/** The slot of the term between `start` and `end`, or the free slot where it belongs; -1 if neither is near. */
function findSlot(start: number, end: number, hash: number, mask: number): number {
  const first = hash ^ (hash >>> 15)
  for (let probe = 0; probe < mostProbes; probe += 1) {
    const slot = (first + probe) & mask
    const place = places[slot]!
    if (place === 0 || isSame(place - 1, start, end)) return slot
  }
  return -1
}

function isSame(place: number, start: number, end: number): boolean {
  const length = end - start
  for (let at = 0; at < length; at += 1) if (found[place + at] !== found[start + at]) return false
  return found[place + length] === blank
}
