import { createHash } from 'node:crypto'
import type { ByteRange } from '../../model/files/byte-range.ts'
import { checksumBytes, checksumOf } from '../../model/mail/checksum.ts'
import { bulkInsert } from '../bulk.ts'
import { readBatches } from '../copies/rows.ts'
import type { Table } from '../copies/tables.ts'
import type { Db, Tx } from '../db.ts'
import { updateRows } from '../rows.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { sql } from '../kysely.ts'

const insert = bulkInsert('message_sources', { message: 'bigint', source: 'bytea', checksum: 'bytea' })

export async function insertSource(db: Tx, row: Tables['message_sources']): Promise<void> {
  await db.add(insert, row)
}

/** Byte for byte as received or sent; null if it no longer matches its checksum. */
export async function findSource(db: Db, message: number): Promise<Uint8Array | null | undefined> {
  const row = await db.first(
    db.build.selectFrom('message_sources').select(['source', 'checksum']).where('message', '=', message),
  )
  return row && (isAsStored(row) ? row.source : null)
}

function isAsStored({ source, checksum }: { source: Uint8Array; checksum: Uint8Array | null }): boolean {
  return checksum === null || Buffer.compare(checksumOf(source), checksum) === 0
}

interface MeasuredSource {
  size: number
  checksum: Uint8Array | null
}

export async function measureSource(db: Db, message: number): Promise<MeasuredSource | undefined> {
  return db.first(
    db.build
      .selectFrom('message_sources')
      .select([sql<number>`length(source)`.as('size'), 'checksum'])
      .where('message', '=', message),
  )
}

/** Most mail fits into one piece; of larger mail no more than this is held for a slow reader. */
const pieceBytes = 1_048_576
type Piece = { message: number; from: number; length: number }
const sourcePiece = statement((build, { message, from, length }: Piece) =>
  build
    .selectFrom('message_sources')
    .select(sql<Uint8Array>`substr(source, ${from}, ${length})`.as('piece'))
    .where('message', '=', message),
)

export async function* readSourceRange(
  db: Db,
  message: number,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += pieceBytes) {
    const length = Math.min(pieceBytes, end - at)
    const found = await db.first(sourcePiece({ message, from: at + 1, length }))
    if (!found) throw new Error('The source of a message is missing in the store.')
    yield found.piece
  }
}

/** The check of `findSource`, for a source that is read in pieces and never held in memory as a whole. */
export async function isSourceAsStored(
  db: Db,
  message: number,
  { size, checksum }: MeasuredSource,
): Promise<boolean> {
  if (checksum === null) return true
  const digest = createHash('sha256')
  for await (const piece of readSourceRange(db, message, { start: 0, end: size })) digest.update(piece)
  return Buffer.compare(digest.digest().subarray(0, checksumBytes), checksum) === 0
}

const sources: Table = {
  name: 'message_sources',
  columns: [
    { name: 'message', type: 'INTEGER' },
    { name: 'source', type: 'BLOB' },
    { name: 'checksum', type: 'BLOB' },
  ],
  key: ['message'],
}

/** In the order of the messages, a few megabytes at a time. */
export async function* checkSources(db: Db, after: number) {
  for await (const { rows } of readBatches(db, sources, after === 0 ? null : [after])) {
    const read = rows as unknown as { message: number; source: Uint8Array; checksum: Uint8Array | null }[]
    yield {
      last: read.at(-1)!.message,
      checked: read.length,
      bytes: read.reduce((sum, { source }) => sum + source.length, 0),
      damaged: read.filter((row) => !isAsStored(row)).map(({ message }) => message),
      // Messages without a checksum, each with the one to store.
      unmarked: read
        .filter(({ checksum }) => checksum === null)
        .map(({ message, source }) => ({ message, checksum: checksumOf(source) })),
    }
  }
}

export async function markSource(db: Tx, message: number, checksum: Uint8Array): Promise<void> {
  await updateRows(db, 'message_sources', { message, checksum: null }, { checksum })
}

const pieces: Table = {
  name: 'attachment_pieces',
  columns: [
    { name: 'hash', type: 'BLOB' },
    { name: 'position', type: 'INTEGER' },
    { name: 'content', type: 'BLOB' },
  ],
  key: ['hash', 'position'],
}

/** Files are stored by their hash, so each can be verified. Yields the hashes of damaged files. */
export async function* findDamagedFiles(db: Db): AsyncGenerator<Uint8Array> {
  let name: Uint8Array | null = null
  let digest = createHash('sha256')
  const isDamaged = (): boolean => name !== null && Buffer.compare(digest.digest(), name) !== 0
  for await (const { rows } of readBatches(db, pieces))
    for (const row of rows as unknown as { hash: Uint8Array; content: Uint8Array }[]) {
      if (name === null || Buffer.compare(name, row.hash) !== 0) {
        if (isDamaged()) yield name!
        name = row.hash
        digest = createHash('sha256')
      }
      digest.update(row.content)
    }
  if (isDamaged()) yield name!
}
