/** Represents a text as runs of words, ignoring line breaks, quote marks and white space. */

/** Words in a run: shorter runs are phrases that many people use in many mails. */
export const runLength = 5
/** One of this many consecutive runs is a fingerprint: texts that share eight words in a row share one. */
const runsInARow = 4

/** Only the beginning of longer texts is compared. */
const longest = 30_000
const hashesRead = new Int32Array(longest + 1)
const linesRead = new Int32Array(longest + 1)
const weightsRead = new Float32Array(longest + 1)
const endsRead = new Int32Array(longest + 1)

const factor = 0x01000193
const blank = 0x20

/** One pass over the characters. */
export function readWords(text: string) {
  const count = scan(text)
  return {
    hashes: hashesRead.slice(0, count),
    /** The line number of each word. */
    lines: linesRead.slice(0, count),
    /** Characters of scripts without spaces count as words of their own, with half the weight. */
    weights: weightsRead.slice(0, count),
  }
}

function scan(text: string): number {
  const length = Math.min(text.length, longest)
  let count = 0
  let hash = 0
  let line = 0
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? text.charCodeAt(at) : blank
    if (code < 0x80 ? isAscii[code] === 1 : isLetter(code)) {
      // Lower-cases letters: digits and lower-case letters have this bit set anyway.
      hash = (Math.imul(hash ^ (code < 0x80 ? code | 0x20 : code), factor) + 0x9e3779b9) | 0 || 1
      continue
    }
    if (hash !== 0) noteWord(count++, hash, line, 1, at)
    hash = 0
    if (code === 0x0a) line += 1
    else if (isIdeograph(code)) noteWord(count++, Math.imul(code, 0x9e3779b1) | 1, line, 0.5, at + 1)
  }
  return count
}

function noteWord(at: number, hash: number, line: number, weight: number, end: number): void {
  hashesRead[at] = hash
  linesRead[at] = line
  weightsRead[at] = weight
  endsRead[at] = end
}

export function hasWords(text: string): boolean {
  return scan(text) > 0
}

/** What follows the first `count` words. */
export function textAfter(text: string, count: number): string {
  return scan(text) < count ? '' : text.slice(endsRead[count - 1])
}

/** 1 for letters and digits. */
const isAscii = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
)

function isLetter(code: number): boolean {
  if (code < 0xaa || isIdeograph(code)) return false
  return !((code >= 0x2000 && code <= 0x206f) || (code >= 0x3000 && code <= 0x303f) || code >= 0xfe00)
}

function isIdeograph(code: number): boolean {
  return code >= 0x3040 && code <= 0x9fff
}

/** The factor that the first word of a run has been multiplied by. */
const oldest = Array.from({ length: runLength - 1 }).reduce<number>((power) => Math.imul(power, factor), 1)

/** The hash of every run, indexed by the position of its first word. */
export function readRuns(hashes: Int32Array): Int32Array {
  const runs = new Int32Array(Math.max(0, hashes.length - runLength + 1))
  let run = 0
  for (let at = 0; at < hashes.length; at += 1) {
    // Rolling hash: the oldest word leaves the run, the next one enters it.
    if (at >= runLength) run = (run - Math.imul(hashes[at - runLength]!, oldest)) | 0
    run = (Math.imul(run, factor) + hashes[at]!) | 0
    if (at >= runLength - 1) runs[at - runLength + 1] = run
  }
  return runs
}

/** Winnowing: selects a few runs so that any longer stretch of text contains one, wherever it occurs. */
export function readFingerprints(text: string): Int32Array {
  const runs = readRuns(hashesRead.subarray(0, scan(text)))
  const chosen = new Int32Array(runs.length)
  let count = 0
  let last = -1
  for (let at = 0; at + runsInARow <= runs.length || (at === 0 && runs.length > 0); at += 1) {
    const end = Math.min(runs.length, at + runsInARow)
    // The minimum of the previous window is usually still in this one.
    let least = Math.max(last, at)
    for (let next = last < at ? at + 1 : end - 1; next < end; next += 1)
      if (runs[next]! <= runs[least]!) least = next
    if (least === last) continue
    chosen[count] = runs[least]!
    count += 1
    last = least
  }
  return chosen.slice(0, count)
}
