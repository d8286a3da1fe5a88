import { parseNames } from '../../model/characters/names.ts'
import { numbersOf, type Actor, type ActorReference } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { toTime } from '../../model/time.ts'
import type { Db } from '../../store/db.ts'
import { findVisibleDraft, loadRevision, type DraftRow } from '../../store/drafts/drafts.ts'
import { noSuch, requireWriter, viewOf } from '../access/access.ts'
import { describeDraft, readContent } from './view.ts'

export type Author = Exclude<Actor, { type: 'system' }>

/** Scoped to the actor's inboxes; an agent also sees only drafts made with a token of the same user. */
export async function findDraft(db: Db, actor: Actor, id: string): Promise<DraftRow> {
  const draft = await findVisibleDraft(db, id, numbersOf(await viewOf(db, actor)))
  const own = actor.type !== 'agent' || (draft?.token_id !== null && draft?.user_id === actor.user.id)
  if (!draft || !own) throw noSuch('draft')
  return draft
}

export function requireAuthor(actor: Actor): Author {
  if (actor.type === 'system') throw new SpoolError('forbidden', 'Drafts are written by people and agents.')
  requireWriter(actor)
  return actor
}

/** Only the agent that people read as its author changes a draft, and only until a person has edited it. */
export function requireChangeable(draft: DraftRow, agent: Author): void {
  if (draft.token_id !== agent.id)
    throw new SpoolError(
      'forbidden',
      'Another agent proposed this draft, so you can only read it; propose one of your own.',
    )
  if (draft.edited === 1)
    throw new SpoolError(
      'conflict',
      'A person has edited this draft, so you can no longer change it; read its outcome, or propose another.',
      { details: { status: draft.status, revision: draft.revision } },
    )
}

/** The conflict includes the newer revision, which saves the caller a request. */
export async function requireRevision(db: Db, draft: DraftRow, revision: number): Promise<void> {
  if (draft.revision === revision) return
  const newest = await loadRevision(db, draft.id, draft.revision)
  const { name } = parseNames(newest.actor) as ActorReference
  throw new SpoolError(
    'conflict',
    `This draft is at revision ${draft.revision}, which ${name} wrote at ${toTime(newest.created_at)}; yours was based on revision ${revision}. Read the newer one and apply your change to it.`,
    { details: { draft: describeDraft(draft, readContent(newest)) } },
  )
}
