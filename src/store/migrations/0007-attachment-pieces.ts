import type { Migration } from './migration.ts'

/** Files in pieces, so that a download never holds a whole file in memory. */
export const attachmentPieces: Migration = {
  name: '0007-attachment-pieces',
  statements: ({ integer, bytes }) => [
    `CREATE TABLE attachment_pieces (
      hash ${bytes} NOT NULL, position ${integer} NOT NULL, content ${bytes} NOT NULL, PRIMARY KEY (hash, position))`,
    `INSERT INTO attachment_pieces (hash, position, content)
      WITH RECURSIVE pieces (hash, position) AS (
        SELECT hash, 0 FROM attachment_contents
        UNION ALL
        SELECT p.hash, p.position + 1 FROM pieces p JOIN attachment_contents c ON c.hash = p.hash
        WHERE (p.position + 1) * 262144 < length(c.content))
      SELECT c.hash, p.position, coalesce(substr(c.content, p.position * 262144 + 1, 262144), c.content)
      FROM pieces p JOIN attachment_contents c ON c.hash = p.hash`,
    `DROP TABLE attachment_contents`,
  ],
}
