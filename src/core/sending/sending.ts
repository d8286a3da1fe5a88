import { requirePerson } from '../access/access.ts'
import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { actorReference, type Actor } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Draft } from '../../model/draft.ts'
import type { Letter } from '../../model/mail/letter.ts'
import { snapshot, transaction } from '../../store/database.ts'
import { loadRevision, updateDraft, type DraftRow } from '../../store/drafts/drafts.ts'
import { findMailServer } from '../../store/inboxes/mail-servers.ts'
import { saveOutgoing } from '../../store/drafts/outgoing.ts'
import { findDraft, requireRevision } from '../drafts/access.ts'
import { mostlyWrittenBy } from '../drafts/authorship.ts'
import type { Sender } from '../drafts/end.ts'
import { reopenDraft, requireStatus } from '../drafts/state.ts'
import { readContent, viewDraft } from '../drafts/view.ts'
import { sealOf, writeLetter } from './letter.ts'
import { requireSignedIn } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'
import { renewThread } from '../forms/forms.ts'

/** What a person is shown before sending, with the quoted original and their signature. */
export async function readLetter(spool: Spool, actor: Actor, draftId: string): Promise<Letter> {
  if (actor.type !== 'person')
    throw new SpoolError('forbidden', 'Only a person can preview what would be sent.')
  await renewThread(spool, (await findDraft(spool.db, actor, draftId)).thread)
  return snapshot(spool.db, async (db) => {
    const draft = await findDraft(db, actor, draftId)
    return writeLetter(db, actor.user, draft, readContent(await loadRevision(db, draft.id, draft.revision)))
  })
}

/**
 * The only way to send: by a signed-in person, and only exactly what that person was shown, including the newest mail.
 * What is mostly a colleague's text must be confirmed, as it may not be finished. It goes out when the undo window ends.
 */
export async function sendDraft(
  spool: Spool,
  actor: Actor,
  wanted: { draftId: string; revision: number; seal: string; close?: boolean; confirmed?: boolean },
): Promise<Draft> {
  return transaction(spool.db, async (db) => {
    const sender = await requireSignedIn(spool, db, actor)
    const draft = await findDraft(db, sender, wanted.draftId)
    requireStatus(draft, ['proposed', 'editing'], sendAgain(draft))
    await requireRevision(db, draft, wanted.revision)
    const content = readContent(await loadRevision(db, draft.id, draft.revision))
    const letter = await writeLetter(db, sender.user, draft, content)
    if (sealOf(letter) !== wanted.seal)
      throw new SpoolError(
        'conflict',
        'The mail has changed since you last saw it, so nothing was sent. Look at it again.',
        { details: { letter } },
      )
    if (letter.to.length + letter.cc.length + letter.bcc.length === 0)
      throw new SpoolError('conflict', 'This draft has no recipient. Add one.')
    if (!(await findMailServer(db, draft.inbox, 'smtp')))
      throw new SpoolError(
        'conflict',
        `${letter.from.address} has no SMTP server. An admin can add one in Settings, or with: spool inbox set ${letter.from.address} --smtp URL.`,
      )
    const writer = wanted.confirmed ? null : await mostlyWrittenBy(db, draft, sender.id)
    if (writer)
      throw new SpoolError(
        'conflict',
        `Most of this text was written by ${writer.name}, so nothing was sent. Confirm that it is ready to be sent.`,
        { details: { writer: writer.name } },
      )
    const now = spool.now()
    const by: Sender = { actor: actorReference(sender), userId: sender.id, closes: wanted.close ?? false }
    await saveOutgoing(db, draft.id, JSON.stringify(letter))
    await updateDraft(db, draft, {
      status: 'scheduled',
      message_id: makeMessageId(letter.from.address),
      due_at: now + spool.undoSeconds * 1000,
      sender: JSON.stringify(by),
      phase: null,
      attempts: 0,
      give_up_at: null,
      problem: null,
      updated_at: now,
    })
    return viewDraft(db, draft)
  })
}

function sendAgain({ status }: DraftRow): string {
  if (status === 'stale')
    return 'The thread has changed since it was written: read it and confirm the draft first.'
  return status === 'failed' ? 'Open it for editing first.' : 'Nothing was sent by this.'
}

function makeMessageId(from: string): string {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return `<${randomUUID()}@${domainToASCII(domain) || 'spool.invalid'}>`
}

/** Possible in the undo window, and while waiting to retry after a refusal: as long as nothing was handed over. */
export async function takeBackDraft(spool: Spool, actor: Actor, draftId: string): Promise<Draft> {
  requirePerson(actor)
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const draft = await findDraft(db, actor, draftId)
    const waits = draft.status === 'sending' && draft.phase === 'waiting'
    if (!waits) requireStatus(draft, ['scheduled'], 'It is too late to undo.')
    await reopenDraft(db, draft, actor, now)
    return viewDraft(db, draft)
  })
}

/** A person decides what Spool cannot know (`unknown`), or reopens what failed. */
export async function settleDraft(
  spool: Spool,
  actor: Actor,
  { draftId, as }: { draftId: string; as: 'sent' | 'editing' },
): Promise<Draft> {
  requirePerson(actor)
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const draft = await findDraft(db, actor, draftId)
    requireStatus(draft, as === 'sent' ? ['unknown'] : ['unknown', 'failed'], 'There is nothing to settle.')
    if (as === 'sent') {
      // The worker parses the mail and adds it to the thread.
      await updateDraft(db, draft, {
        status: 'sending',
        phase: 'believed',
        due_at: now,
        problem: null,
        updated_at: now,
      })
    } else await reopenDraft(db, draft, actor, now)
    return viewDraft(db, draft)
  })
}
