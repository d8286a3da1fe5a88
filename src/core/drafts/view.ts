import { parseNames } from '../../model/characters/names.ts'
import type { ActorReference } from '../../model/access.ts'
import type { Draft, DraftOutcome, DraftRevision } from '../../model/draft.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import type { Db } from '../../store/db.ts'
import { loadRevision, type DraftRow, type RevisionRow } from '../../store/drafts/drafts.ts'

/** The content of one revision; never changed later. */
export interface DraftContent extends Pick<
  Draft,
  'text' | 'to' | 'cc' | 'bcc' | 'subject' | 'citations' | 'unsupported' | 'notices'
> {
  /** The inbox address it is sent from; drafts from before inboxes could have several addresses have none. */
  from?: string
  attachments: DraftFile[]
}

export type DraftFile = Draft['attachments'][number] & { hash: string }

export function readContent({ content }: RevisionRow): DraftContent {
  return JSON.parse(content) as DraftContent
}

export async function viewDraft(db: Db, row: DraftRow): Promise<Draft> {
  return describeDraft(row, readContent(await loadRevision(db, row.id, row.revision)))
}

export function describeDraft(row: DraftRow, content: DraftContent): Draft {
  const { attachments, from = null, ...rest } = content
  return {
    id: row.id,
    threadId: row.thread_id,
    inboxId: row.inbox_id,
    kind: row.kind as Draft['kind'],
    status: row.status as Draft['status'],
    revision: row.revision,
    author: parseNames(row.author) as ActorReference,
    edited: row.edited === 1,
    createdAt: toTime(row.created_at),
    updatedAt: toTime(row.updated_at),
    ...rest,
    from,
    answers: row.answers,
    newestMessageId: row.newest_message,
    attachments: attachments.map(({ hash: _, ...file }) => file),
    sendsAt: row.status === 'scheduled' ? toTimeOrNull(row.due_at) : null,
    problem: row.problem,
    outcome: outcomeOf(row),
  }
}

export function outcomeOf({ outcome }: DraftRow): DraftOutcome | null {
  return outcome === null ? null : (JSON.parse(outcome) as DraftOutcome)
}

export function viewRevision(row: RevisionRow): DraftRevision {
  const { text, to, cc, bcc, subject } = readContent(row)
  const actor = parseNames(row.actor) as ActorReference
  return { revision: row.revision, actor, timestamp: toTime(row.created_at), text, to, cc, bcc, subject }
}
