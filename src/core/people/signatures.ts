import type { Actor } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { transaction } from '../../store/database.ts'
import { readSignature, saveSignature } from '../../store/people/signatures.ts'
import { findInboxInView, requirePerson } from '../access/access.ts'
import { checkDraftText } from '../drafts/mail-fields.ts'
import type { Spool } from '../spool.ts'

const longestSignature = 2000

/** Appended to one's mail from this inbox; one per person and inbox. */
export async function getSignature(spool: Spool, actor: Actor, inboxId: string): Promise<string> {
  const { number } = await findInboxInView(spool.db, actor, inboxId)
  return readSignature(spool.db, actor.id!, number)
}

export async function setSignature(spool: Spool, actor: Actor, inboxId: string, text: string): Promise<void> {
  const person = requirePerson(actor)
  const signature = checkDraftText(text).trim()
  if (signature.length > longestSignature)
    throw new SpoolError('bad_parameter', `A signature can have at most ${longestSignature} characters.`)
  await transaction(spool.db, async (db) => {
    const { number } = await findInboxInView(db, actor, inboxId)
    await saveSignature(db, person.id, number, signature)
  })
}
