const lineFeed = 0x0a
const greater = 0x3e
const from = Buffer.from('From ')

/** Finds lines of any number of `>` and "From ": yields the start of each and how many `>` it has. */
function* findFromLines(message: Buffer): Generator<{ start: number; depth: number }> {
  for (let at = message.indexOf(from); at !== -1; at = message.indexOf(from, at + from.length)) {
    let start = at
    while (start > 0 && message[start - 1] === greater) start--
    if (start === 0 || message[start - 1] === lineFeed) yield { start, depth: at - start }
  }
}

export function countFromLines(message: Buffer): number {
  let count = 0
  for (const { depth } of findFromLines(message)) if (depth === 0) count++
  return count
}

/** Removes one `>` from each escaped line: mboxrd escapes lines that are already escaped again, mboxo does not. */
export function unescapeFromLines(message: Buffer, isNested: boolean): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(message.length)
  let length = 0
  let position = 0
  const copy = (end: number) => {
    result.set(message.subarray(position, end), length)
    length += end - position
  }
  for (const { start, depth } of findFromLines(message)) {
    if (depth === 0 || (depth > 1 && !isNested)) continue
    copy(start)
    position = start + 1
  }
  copy(message.length)
  return length === result.length ? result : result.slice(0, length)
}
