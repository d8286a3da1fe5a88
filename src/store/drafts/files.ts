import type { Selectable } from 'kysely'
import { keepContent, readContent } from '../threads/attachments.ts'
import type { Db, Tx } from '../db.ts'
import { findRow, insertRow } from '../rows.ts'
import type { Tables } from '../tables.ts'

export type DraftFile = Selectable<Tables['draft_attachments']>

export async function insertDraftFile(db: Tx, file: DraftFile, content: Uint8Array | null): Promise<void> {
  if (content) await keepContent(db, file.hash, content)
  await insertRow(db, 'draft_attachments', file)
}

export async function findDraftFile(db: Db, draft: string, id: string) {
  const file = await findRow(db, 'draft_attachments', { draft, id })
  if (!file) return undefined
  const pieces: Uint8Array[] = []
  for await (const piece of readContent(db, file)) pieces.push(piece)
  return { ...file, content: Buffer.concat(pieces) }
}
