import type { Selectable } from 'kysely'
import type { Db, Tx } from './db.ts'
import { keepContent } from './messages.ts'
import type { Tables } from './tables.ts'

export type DraftFile = Selectable<Tables['draft_attachments']>

export async function insertDraftFile(db: Tx, file: DraftFile, content: Uint8Array | null): Promise<void> {
  if (content) await keepContent(db, file.hash, content)
  await db.run(db.build.insertInto('draft_attachments').values(file))
}

export async function findDraftFile(
  db: Db,
  draft: string,
  id: string,
): Promise<(DraftFile & { content: Uint8Array }) | undefined> {
  return db.first(
    db.build
      .selectFrom('draft_attachments')
      .innerJoin('attachment_contents', 'attachment_contents.hash', 'draft_attachments.hash')
      .selectAll('draft_attachments')
      .select('attachment_contents.content')
      .where('draft_attachments.draft', '=', draft)
      .where('draft_attachments.id', '=', id),
  )
}

/** Files of a message, to be sent on with a forward. */
export async function filesOfMessage(db: Db, message: number): Promise<Selectable<Tables['attachments']>[]> {
  return db.all(
    db.build.selectFrom('attachments').selectAll().where('message', '=', message).orderBy('position'),
  )
}
