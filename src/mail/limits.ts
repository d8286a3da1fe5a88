/** Bounds that hold before the first part of a message is looked at. */
export interface MailLimits {
  /** Bytes of a whole message; of a larger one only the header is read. */
  size: number
  parts: number
  /** How many multiparts may stand inside each other. */
  depth: number
  /** Bytes of one header, the message's or a part's. */
  headerSize: number
  /** Bytes of plain text that are read, of all parts together. */
  plainSize: number
  /** Bytes of HTML that are read, of all parts together: what is written of them has to fit into a megabyte. */
  htmlSize: number
  /** Work on one message (see `work.ts`): a tenth of a microsecond each, roughly. */
  steps: number
  /** Work on a message that others wait behind: one that takes more is put aside and read by itself. */
  stepsInLine: number
}

export const defaultLimits: MailLimits = {
  size: 50 * 1024 * 1024,
  parts: 1000,
  depth: 100,
  headerSize: 256 * 1024,
  plainSize: 1024 * 1024,
  htmlSize: 900_000,
  steps: 6_000_000,
  stepsInLine: 250_000,
}
