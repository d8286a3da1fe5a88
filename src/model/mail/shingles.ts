/** A text as the runs of words in it, whatever their line breaks, quote marks and white space. */

/** Words in a run: fewer are said by many people in many mails. */
export const runLength = 5
/** Of so many runs in a row one is a fingerprint: texts that share eight words in a row share one. */
const runsInARow = 4

export interface WordList {
  hashes: Int32Array
  /** The line each word stands on. */
  lines: Int32Array
  /** Letters of scripts without blanks count as words of their own, and for less. */
  weights: Float32Array
}

/** Longer texts are compared by their beginning. */
const longest = 30_000
const hashesRead = new Int32Array(longest + 1)
const linesRead = new Int32Array(longest + 1)
const weightsRead = new Float32Array(longest + 1)

/** One pass over the characters. */
export function readWords(text: string): WordList {
  const count = scan(text)
  return {
    hashes: hashesRead.slice(0, count),
    lines: linesRead.slice(0, count),
    weights: weightsRead.slice(0, count),
  }
}

function scan(text: string): number {
  const length = Math.min(text.length, longest)
  let count = 0
  let hash = 0
  let line = 0
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? text.charCodeAt(at) : 0
    if (isLetter(code)) {
      const small = code < 0x5b && code > 0x40 ? code | 0x20 : code
      hash = (Math.imul(hash ^ small, 0x01000193) + 0x9e3779b9) | 0 || 1
      continue
    }
    if (hash !== 0) {
      hashesRead[count] = hash
      linesRead[count] = line
      weightsRead[count] = 1
      count += 1
      hash = 0
    }
    if (code === 0x0a) line += 1
    else if (isIdeograph(code)) {
      hashesRead[count] = Math.imul(code, 0x9e3779b1) | 1
      linesRead[count] = line
      weightsRead[count] = 0.5
      count += 1
    }
  }
  return count
}

function isLetter(code: number): boolean {
  if (code < 0x80)
    return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)
  if (code < 0xaa || isIdeograph(code)) return false
  return !((code >= 0x2000 && code <= 0x206f) || (code >= 0x3000 && code <= 0x303f) || code >= 0xfe00)
}

function isIdeograph(code: number): boolean {
  return code >= 0x3040 && code <= 0x9fff
}

/** The hash of every run, by the place of its first word. */
export function readRuns(hashes: Int32Array): Int32Array {
  const runs = new Int32Array(Math.max(0, hashes.length - runLength + 1))
  for (let at = 0; at < runs.length; at += 1) {
    let run = 0
    for (let word = 0; word < runLength; word += 1)
      run = (Math.imul(run, 0x01000193) + hashes[at + word]!) | 0
    runs[at] = run
  }
  return runs
}

/** A few of the runs, chosen so that any longer stretch of a text has one, wherever it stands. */
export function readFingerprints(text: string): Int32Array {
  const runs = readRuns(hashesRead.subarray(0, scan(text)))
  const chosen = new Int32Array(runs.length)
  let count = 0
  let last = -1
  for (let at = 0; at + runsInARow <= runs.length || (at === 0 && runs.length > 0); at += 1) {
    const end = Math.min(runs.length, at + runsInARow)
    // The least of the row before is still in this one, mostly.
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
