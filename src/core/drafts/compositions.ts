import type { Actor } from '../../model/access.ts'
import type { Draft } from '../../model/draft.ts'
import { newId } from '../../model/ids.ts'
import { transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import { insertDraftFile } from '../../store/drafts/files.ts'
import { listAttachments } from '../../store/threads/attachments.ts'
import { loadRevision, updateRevisionContent } from '../../store/drafts/drafts.ts'
import { findMessageById } from '../../store/threads/messages.ts'
import { listThreadMessages } from '../../store/threads/thread-messages.ts'
import { findInboxInView, noSuch, viewOf, requirePerson } from '../access/access.ts'
import { findDraft } from './access.ts'
import { beginDraft, writeContent, type DraftInput } from './revisions.ts'
import { readContent, type DraftContent, type DraftFile } from './view.ts'
import { forwardSubject } from './envelope.ts'
import { checkDraftText } from './mail-fields.ts'
import type { Spool } from '../spool.ts'

type CompositionInput = Omit<DraftInput, 'text' | 'citations'> & { text?: string }

/** Starts a new conversation; its thread is created when it is sent. */
export async function startConversation(
  spool: Spool,
  actor: Actor,
  { inboxId, idempotencyKey, ...input }: CompositionInput & { inboxId: string; idempotencyKey?: string },
): Promise<Draft> {
  const person = requirePerson(actor)
  return transaction(spool.db, async (db) => {
    const { number: inbox } = await findInboxInView(db, actor, inboxId)
    const context = { messages: [], answered: null, inbox }
    const content = await writeContent(db, person, context, null, asWritten(input))
    return beginDraft(db, person, content, spool.now(), {
      inbox,
      thread: null,
      kind: 'new',
      answers: null,
      newest_message: null,
      idempotency_key: idempotencyKey ?? null,
    })
  })
}

/** Forwards a message with its files; the draft stays in the message's thread. */
export async function forwardMessage(
  spool: Spool,
  actor: Actor,
  { messageId, ...input }: CompositionInput & { messageId: string },
): Promise<Draft> {
  const person = requirePerson(actor)
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const inboxes = await viewOf(db, actor)
    const found = await findMessageById(db, messageId)
    if (!found || !inboxes.some(({ number }) => number === found.inbox)) throw noSuch('message')
    const messages = await listThreadMessages(db, found.thread)
    const answered = messages.find(({ id }) => id === messageId)!
    const context = { messages, answered, inbox: found.inbox }
    const written = asWritten(input, forwardSubject(answered.subject))
    const content = await writeContent(db, person, context, null, written)
    const draft = await beginDraft(db, person, content, now, {
      inbox: found.inbox,
      thread: found.thread,
      kind: 'forward',
      answers: messageId,
      newest_message: messages.at(-1)!.id,
    })
    const files = (await listAttachments(db, [found.number])).map(
      ({ content_type: contentType, hash, ...file }) => ({
        ...file,
        contentType,
        hash: Buffer.from(hash).toString('hex'),
      }),
    )
    return copyFiles(db, draft, content, files, now)
  })
}

/** Somebody ended the draft while this person was writing: what they wrote becomes a new one of its kind, with its files. */
export async function startAgain(
  spool: Spool,
  actor: Actor,
  { after, idempotencyKey, ...input }: CompositionInput & { after: string; idempotencyKey?: string },
): Promise<Draft> {
  const person = requirePerson(actor)
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const ended = await findDraft(db, actor, after)
    const { attachments } = readContent(await loadRevision(db, ended.id, ended.revision))
    const { inbox, thread, kind, answers } = ended
    const messages = thread === null ? [] : await listThreadMessages(db, thread)
    const answered = messages.find(({ id }) => id === answers) ?? null
    const content = await writeContent(db, person, { messages, answered, inbox }, null, asWritten(input))
    const draft = await beginDraft(db, person, content, now, {
      inbox,
      thread,
      kind,
      answers,
      newest_message: messages.at(-1)?.id ?? null,
      idempotency_key: idempotencyKey ?? null,
    })
    // A repeated first save has its files already.
    if (draft.revision > 1 || draft.attachments.length > 0) return draft
    return copyFiles(db, draft, content, attachments, now)
  })
}

/** Contents are stored once per hash, so only the references are copied. */
async function copyFiles(
  db: Tx,
  draft: Draft,
  content: DraftContent,
  files: readonly Omit<DraftFile, 'id'>[],
  now: number,
): Promise<Draft> {
  if (files.length === 0) return draft
  const attachments = files.map(({ filename, contentType, size, hash }) => ({
    id: newId('att', now),
    filename,
    contentType,
    size,
    hash,
  }))
  for (const { contentType: content_type, hash, ...file } of attachments)
    await insertDraftFile(
      db,
      { ...file, draft: draft.id, content_type, hash: Buffer.from(hash, 'hex') },
      null,
    )
  await updateRevisionContent(db, draft.id, 1, JSON.stringify({ ...content, attachments }))
  return { ...draft, attachments: attachments.map(({ hash: _, ...file }) => file) }
}

/** What the person left out stays empty; only a reply has its recipients filled in. */
function asWritten(input: CompositionInput, usualSubject = ''): DraftInput {
  const { text = '', to = [], cc = [], bcc = [], subject = usualSubject } = input
  return { ...input, text: checkDraftText(text), to, cc, bcc, subject }
}
