/** Limits on reading a message, fixed before its first part is looked at. */
export interface MailLimits {
  /** Bytes of a whole message; only the header of a larger one is read. */
  size: number
  parts: number
  /** How deep multiparts may be nested. */
  depth: number
  /** Bytes of one header, the message's or a part's. */
  headerSize: number
  /** Bytes of plain text that are read from all parts together. */
  plainSize: number
  /** Bytes of HTML that are read from all parts together: the HTML written from them has to fit into a megabyte. */
  htmlSize: number
  /** Steps of work per message (see `work.ts`), each roughly a tenth of a microsecond. */
  steps: number
  /** Steps for a message that others queue behind: one that needs more is put aside and parsed on its own. */
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
