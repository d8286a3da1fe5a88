import type { Db, Tx } from '../db.ts'
import { updateRows } from '../rows.ts'
import { statement } from '../statement.ts'
import type { AttachmentRow } from './attachments.ts'
import type { MessageWithBody } from './history.ts'

/** Messages whose texts were derived by rules older than `form`. */
export async function countOldForms(db: Db, form: number): Promise<number> {
  const row = await db.first(
    db.build
      .selectFrom('messages')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('form', '<', form),
  )
  return Number(row?.count ?? 0)
}

const oldest = statement((build, { form }: { form: number }) =>
  build.selectFrom('messages').select('form').where('form', '<', form).orderBy('form').limit(1),
)

/** Some messages of the oldest form, newest first; an index finds them at once. */
export async function listOldForms(db: Db, form: number, limit: number): Promise<number[]> {
  const found = await db.first(oldest({ form }))
  if (!found) return []
  const rows = await db.all(
    db.build
      .selectFrom('messages')
      .select('number')
      .where('form', '=', found.form)
      .orderBy('number', 'desc')
      .limit(limit),
  )
  return rows.map(({ number }) => number)
}

const ofThread = statement((build, { thread, form }: { thread: number; form: number }) =>
  build.selectFrom('messages').select('number').where('thread', '=', thread).where('form', '<', form),
)

export async function oldFormsOfThread(db: Db, thread: number, form: number): Promise<number[]> {
  return (await db.all(ofThread({ thread, form }))).map(({ number }) => number)
}

/** The current thread of the message, if its texts have not been replaced since it was read. */
export async function threadToRenew(db: Tx, { number, form }: MessageWithBody): Promise<number | undefined> {
  const row = await db.first(
    db.build.selectFrom('messages').select('thread').where('number', '=', number).where('form', '=', form),
  )
  return row?.thread
}

/** Replaces what is derived from the message's source. */
export async function replaceTexts(
  db: Tx,
  message: MessageWithBody,
  files: readonly AttachmentRow[],
): Promise<void> {
  const { subject, sender, recipients, preview, hidden_text_removed, warnings, truncated, form } = message
  const derived = { subject, sender, recipients, preview, hidden_text_removed, warnings, truncated, form }
  const { number, text, new_text, html, links } = message
  await updateRows(db, 'messages', { number }, derived)
  await updateRows(db, 'message_bodies', { message: number }, { text, new_text, html, links })
  for (const { id, filename, inline } of files)
    await updateRows(db, 'attachments', { id }, { filename, inline })
}
