/** Part of a file; `end` is the byte after its last. */
export interface ByteRange {
  start: number
  end: number
}
