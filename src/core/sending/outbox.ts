import { randomUUID } from 'node:crypto'
import { system } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Letter } from '../../model/mail/letter.ts'
import type { MailServer } from '../../model/mail/server.ts'
import { transaction } from '../../store/database.ts'
import type { Db, Tx } from '../../store/db.ts'
import { loadDraft, updateDraft, type DraftRow } from '../../store/drafts/drafts.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { claimLease, dropLease, holdsLease, renewLease } from '../../store/leases.ts'
import { findMessageById } from '../../store/threads/messages.ts'
import { dueDrafts, loadOutgoing, saveSource } from '../../store/drafts/outgoing.ts'
import { listThreadMessages, type ThreadMessage } from '../../store/threads/thread-messages.ts'
import { readSource } from '../sources.ts'
import { becomeUnknown } from '../drafts/end.ts'
import { reopenDraft } from '../drafts/state.ts'
import { outcomeOf } from '../drafts/view.ts'
import { openMailServer } from '../mailboxes/mail-servers.ts'
import type { Spool } from '../spool.ts'

/**
 * How far sending has come, kept in `phase`:
 * - `ready`: claimed; until `over` nothing can have been delivered, so it may be started again.
 * - `over`: the server has everything but the final dot. A crash after this leaves the draft `unknown`.
 * - `waiting`: the server refused for now; waiting to retry.
 * - `believed`: a person says that an `unknown` one was delivered.
 * - `copy`: sent, but not yet filed in the Sent folder.
 */
export interface Claim {
  draft: string
  messageId: string
  /** Unique to this claim, so that an earlier holder of the lease cannot pass for this one. */
  holder: string
}

export type Task = Claim & { inbox: number } & (
    | {
        kind: 'send'
        inboxId: string
        letter: Letter
        source: Uint8Array | null
        ancestry: Awaited<ReturnType<typeof readAncestry>>
        server: MailServer | null
      }
    | { kind: 'believe'; source: Uint8Array }
    | { kind: 'look' | 'copy'; source: Uint8Array; server: MailServer | null }
  )

/** How long an unrenewed lease lasts: another node takes over a dead node's work after this. */
export const leaseLife = 30_000
const giveUpAfter = 24 * 3_600_000

/** Claims due work, so that no other node does it. Usually nothing is due, which costs one read. */
export async function claimTasks(spool: Spool, limit: number): Promise<Task[]> {
  if ((await dueDrafts(spool.db, spool.now(), leaseLife, 1)).length === 0) return []
  return transaction(spool.db, async (db) => {
    const now = spool.now()
    const tasks: Task[] = []
    for (const id of await dueDrafts(db, now, leaseLife, limit)) {
      const holder = randomUUID()
      if (!(await claimLease(db, leaseName(id), holder, leaseLife))) continue
      const task = await takeUp(spool, db, await loadDraft(db, id), holder, now)
      if (task) tasks.push(task)
      else await dropLease(db, leaseName(id), holder)
    }
    return tasks
  })
}

async function takeUp(
  spool: Spool,
  db: Tx,
  draft: DraftRow,
  holder: string,
  now: number,
): Promise<Task | null> {
  const due_at = now + leaseLife
  const claim = { draft: draft.id, inbox: draft.inbox, messageId: draft.message_id!, holder }
  // An unreadable password must not block other drafts.
  const server = (kind: 'smtp' | 'imap') =>
    openMailServer(spool, db, draft.inbox, kind).catch((error: unknown) => {
      if (error instanceof SpoolError && error.code === 'conflict') return null
      throw error
    })
  switch (`${draft.status} ${draft.phase ?? ''}`.trim()) {
    case 'scheduled':
    case 'sending ready':
    case 'sending waiting': {
      const inbox = (await listInboxes(db)).find(({ number }) => number === draft.inbox)
      if (!inbox) {
        await reopenDraft(db, draft, system, now)
        return null
      }
      await updateDraft(db, draft, {
        status: 'sending',
        phase: 'ready',
        due_at,
        attempts: draft.attempts + 1,
        give_up_at: draft.give_up_at ?? now + giveUpAfter,
      })
      const { letter, source } = await loadOutgoing(db, draft.id)
      return {
        ...claim,
        kind: 'send',
        inboxId: inbox.id,
        letter: JSON.parse(letter) as Letter,
        source,
        ancestry: await readAncestry(spool, db, draft),
        server: await server('smtp'),
      }
    }
    case 'sending over':
      await becomeUnknown(db, draft, 'Spool was interrupted while handing over the mail.', now)
      return null
    case 'sending believed':
      await updateDraft(db, draft, { due_at })
      return { ...claim, kind: 'believe', source: (await loadOutgoing(db, draft.id)).source! }
    case 'unknown': {
      await updateDraft(db, draft, { due_at, attempts: draft.attempts + 1 })
      const { source } = await loadOutgoing(db, draft.id)
      return { ...claim, kind: 'look', source: source!, server: await server('imap') }
    }
    case 'sent copy': {
      const message = await findMessageById(db, outcomeOf(draft)!.messageId!)
      const source = await readSource(spool, message!.number, db)
      // No copy is better than a damaged one.
      if (!source) {
        await updateDraft(db, draft, { due_at: null, phase: null })
        return null
      }
      await updateDraft(db, draft, { due_at, attempts: draft.attempts + 1 })
      return { ...claim, kind: 'copy', source, server: await server('imap') }
    }
    default:
      await updateDraft(db, draft, { due_at: null })
      return null
  }
}

/** What a mail replies to, for its References header. */
async function readAncestry(spool: Spool, db: Db, draft: DraftRow) {
  if (draft.thread === null) return { messageId: null, source: null, ancestors: [], threadIds: [] }
  const messages = await listThreadMessages(db, draft.thread)
  const answered = messages.find(({ id }) => id === draft.answers)
  return {
    /** Message-ID of the answered message. */
    messageId: answered?.messageId ?? null,
    source: answered ? ((await readSource(spool, answered.number, db)) ?? null) : null,
    /** The messages it replies to in turn, as far back as the thread knows, oldest first. */
    ancestors: answered ? ancestorsOf(answered, messages) : [],
    /** All Message-IDs of the thread, oldest first; used if the answered message has none. */
    threadIds: messages
      .toSorted((a, b) => a.timestamp - b.timestamp)
      .flatMap(({ messageId }) => messageId ?? []),
  }
}

/** Some mail programs name only the message they reply to; the thread knows the rest. */
function ancestorsOf(answered: ThreadMessage, messages: readonly ThreadMessage[]): string[] {
  const byId = new Map(messages.map((message) => [message.messageId, message]))
  const ids = new Set<string>()
  for (let id = answered.inReplyTo; id !== null && !ids.has(id); id = byId.get(id)?.inReplyTo ?? null)
    ids.add(id)
  return [...ids].toReversed()
}

/** False if another node has taken over, or if the attempt has been settled: then this one must stop. */
export async function renewClaim(spool: Spool, { draft, holder }: Claim): Promise<boolean> {
  return transaction(spool.db, async (db) => {
    if (!(await renewLease(db, leaseName(draft), holder, leaseLife))) return false
    const row = await loadDraft(db, draft)
    if (row.due_at !== null) await updateDraft(db, row, { due_at: spool.now() + leaseLife })
    return true
  })
}

/** Stores the mail exactly as it will be sent before connecting to the server. */
export async function keepSource(spool: Spool, claim: Claim, source: Uint8Array): Promise<void> {
  await transaction(spool.db, async (db) => {
    await requireClaim(db, claim)
    await saveSource(db, claim.draft, source)
  })
}

/** The point of no return: after this commit the final dot may be sent, and the mail is never resent automatically. */
export async function markOver(spool: Spool, claim: Claim): Promise<void> {
  await transaction(spool.db, async (db) => {
    const draft = await requireClaim(db, claim)
    await updateDraft(db, draft, { phase: 'over' })
  })
}

async function requireClaim(db: Db, claim: Claim): Promise<DraftRow> {
  const draft = await loadDraft(db, claim.draft)
  const mine = draft.status === 'sending' && draft.phase === 'ready' && draft.message_id === claim.messageId
  if (!mine || !(await holdsLease(db, leaseName(claim.draft), claim.holder)))
    throw new Error('Another node has taken over this draft.')
  return draft
}

export function leaseName(draft: string): string {
  return `draft ${draft}`
}
