/** One message from a mailbox file or folder. */
export interface MailItem {
  raw: Uint8Array
  seen: boolean
  /** Arrival time according to the mailbox: from the From_ line of an mbox, or the name or time of a file. */
  receivedAt: number | null
  /** For error messages: `offset 1234`, or the name of a file. */
  name: string
}

/** A message that was skipped because it exceeds the size limit. */
export interface TooLarge {
  tooLarge: true
  name: string
  size: number
}

/** A draft, or a message that somebody has deleted. */
export interface LeftOut {
  leftOut: true
  name: string
  size: number
}

/** Windows programs write a byte order mark before the text of a file. It is no part of the mail. */
export function withoutMark(start: Buffer): Buffer {
  return start.subarray(start.indexOf('\ufeff') === 0 ? 3 : 0)
}
