/** Limits on reading a message, fixed before its first part is looked at. */
export const defaultLimits = {
  /** Bytes of a whole message; only the header of a larger one is read. */
  size: 50 * 1024 * 1024,
  parts: 1000,
  /** How deep multiparts may be nested. */
  depth: 100,
  /** Bytes of one header, the message's or a part's. */
  headerSize: 256 * 1024,
  /** Bytes of plain text that are read from all parts together. */
  plainSize: 1024 * 1024,
  /** Bytes of HTML that are read from all parts together: the HTML written from them has to fit into a megabyte. */
  htmlSize: 900_000,
  /** Steps of work per message (see `work.ts`), each roughly a tenth of a microsecond. */
  steps: 6_000_000,
  /** Steps for a message that others queue behind: one that needs more is put aside and parsed on its own. */
  stepsInLine: 250_000,
}

export type MailLimits = typeof defaultLimits
