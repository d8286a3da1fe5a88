/** Numbered, listed by hand, one step each. Migrations import no live code, so that an old one never changes. */
export interface Migration {
  name: string
  statements(sql: DialectSql): string[]
}

/** Where the two dialects differ. */
export interface DialectSql {
  /** An auto-incrementing primary key. */
  number: string
  integer: string
  bytes: string
  /** Ids compare byte by byte, whatever the database's collation. */
  id: string
  /** For small rows that are only looked up by their key. */
  clustered: string
  /** `message_search`: the search terms of each message. */
  searchTable: string[]
  /** `message_words`: the words of `message_search`, where searching that by prefix is too slow. */
  searchWords: string[]
  /** Indexes beyond 0001 that this database needs to read every list in order. */
  listIndexes: string[]
  /** A member of a JSON object, as JSON; further names descend into nested objects. */
  jsonMember(json: string, ...names: string[]): string
  /** The same for a string member, as text. */
  textMember(json: string, ...names: string[]): string
}
