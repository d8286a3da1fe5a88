/** Part of a file; `end` is exclusive. */
export interface ByteRange {
  start: number
  end: number
}
