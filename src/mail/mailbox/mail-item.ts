/** One message out of a mailbox file or folder. */
export interface MailItem {
  raw: Uint8Array
  seen: boolean
  /** When the mailbox says it came: the From_ line of an mbox, the time of a file. */
  receivedAt: number | null
  /** For sentences about damage: `offset 1234`, or the name of a file. */
  name: string
}

/** A message that was passed over because it is larger than may be. */
export interface TooLarge {
  tooLarge: true
  name: string
  size: number
}
