/** Numbered, listed by hand, one step each; they import no live code, so that an old one stays what it was. */
export interface Migration {
  name: string
  statements(sql: DialectSql): string[]
}

/** Where the two databases spell the same thing differently. */
export interface DialectSql {
  /** A primary key given by the database. */
  number: string
  integer: string
  bytes: string
  /** Ids are compared byte by byte, whatever the language of the database. */
  id: string
  /** For small rows that are only ever found by their key. */
  clustered: string
  /** `message_search`: for each message the words that stand in it. */
  searchTable: string[]
  /** What a database needs beyond the indexes of 0001 to read every list in order. */
  listIndexes: string[]
  /** A member of an object in JSON text, as JSON; names lead into objects inside. */
  jsonMember(json: string, ...names: string[]): string
  /** The same where it is a text, as that text. */
  textMember(json: string, ...names: string[]): string
}
