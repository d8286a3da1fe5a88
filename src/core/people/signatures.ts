import type { Actor, Inbox } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { readSignature, saveSignature } from '../../store/people/signatures.ts'
import { noSuch, viewOf, requirePerson } from '../access/access.ts'
import { checkDraftText } from '../drafts/mail-fields.ts'
import type { Spool } from '../spool.ts'

const longestSignature = 2000

/** Appended to one's mail from this inbox; one per person and inbox. */
export async function getSignature(spool: Spool, actor: Actor, inboxId: string): Promise<string> {
  const { number } = await findOwnInbox(spool.db, actor, inboxId)
  return readSignature(spool.db, actor.id!, number)
}

export async function setSignature(spool: Spool, actor: Actor, inboxId: string, text: string): Promise<void> {
  const person = requirePerson(actor)
  const signature = checkDraftText(text).trim()
  if (signature.length > longestSignature)
    throw new SpoolError('bad_parameter', `A signature can have at most ${longestSignature} characters.`)
  await transaction(spool.db, async (db) => {
    const { number } = await findOwnInbox(db, actor, inboxId)
    await saveSignature(db, person.id, number, signature)
  })
}

async function findOwnInbox(db: Db, actor: Actor, inboxId: string): Promise<Inbox> {
  const inbox = (await viewOf(db, actor)).find(({ id }) => id === inboxId)
  if (!inbox) throw noSuch('inbox')
  return inbox
}
