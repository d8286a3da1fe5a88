import { parseNames } from '../../model/characters/names.ts'
import type { EventData } from '../../model/events.ts'
import type { NoticeDetail, NoticeKind } from '../../model/notices/words.ts'
import type { Following } from '../../model/notices/notices.ts'
import type { LoggedEvent } from '../../store/log/log.ts'
import type { Facts, Listener } from '../../store/notices/audience.ts'

/** A notification of one person about one thing. */
export interface Ring {
  userId: string
  kind: NoticeKind | 'test'
  /** Key of the notice: one per person and thing. A repeat raises its count. */
  about: string
  inbox: number | null
  thread: number | null
  data: NoticeData
  /** When it happened, for assignments. */
  at?: number
}

/** A ring from the log. */
type LoggedRing = Ring & { kind: NoticeKind }

export interface NoticeData {
  /** The name of a person of the team, never an agent's. */
  actor: string | null
  detail: NoticeDetail | null
  /** Id of the note, draft or webhook it links to. */
  id: string | null
}

/** Everything that decides who is notified of a set of events. */
export interface Knowledge {
  facts: Facts
  /** By thread number, then user id. */
  follows: ReadonlyMap<number, ReadonlyMap<string, Following>>
  listeners: ReadonlyMap<string, Listener>
}

const ringing = new Set([
  'note.created',
  'note.updated',
  'thread.assigned',
  'message.received',
  'message.failed',
  'message.unknown',
  'draft.proposed',
  'webhook.disabled',
])

export function mayRing({ type, quiet }: LoggedEvent): boolean {
  return quiet === 0 && ringing.has(type)
}

export function canSee(listener: Listener, inbox: number | null): boolean {
  return inbox === null || listener.role === 'admin' || listener.inboxes.has(inbox)
}

/** Undefined also if the assignee was removed or has lost the inbox: then the thread is nobody's. */
function assigneeOf(
  thread: { assignee: string | null } | undefined,
  { inbox }: LoggedEvent,
  { listeners }: Knowledge,
): Listener | undefined {
  const assignee = listeners.get(thread?.assignee ?? '')
  return assignee && canSee(assignee, inbox) ? assignee : undefined
}

/** Whom an event concerns. Whether they may see it and want to be notified is up to `want`. */
export function ringsOf(event: LoggedEvent, knowledge: Knowledge): LoggedRing[] {
  const data = parseNames(event.data) as EventData
  const { facts } = knowledge
  const thread = data.threadId === null ? undefined : facts.threads.get(data.threadId)
  const actor = data.actor.type === 'person' ? data.actor.name : null
  const ring = (
    kind: NoticeKind,
    about: string,
    userIds: readonly (string | null | undefined)[],
    more: Partial<NoticeData> = {},
  ): LoggedRing[] =>
    userIds.flatMap((userId) =>
      userId
        ? {
            userId,
            kind,
            about: `${kind}:${about}`,
            inbox: event.inbox,
            thread: thread?.number ?? null,
            data: { actor, detail: null, id: null, ...more },
          }
        : [],
    )
  const notOneself = (rings: LoggedRing[]): LoggedRing[] =>
    rings.filter(({ userId }) => userId !== data.actor.id)
  switch (event.type) {
    case 'note.created':
    case 'note.updated': {
      const id = data.noteId!
      return notOneself(ring('mentioned', id, facts.notes.get(id) ?? [], { id }))
    }
    case 'thread.assigned':
      return notOneself(
        // Each is a notice of its own until `storeAssignments` joins them.
        ring('assigned', String(event.seq), [data.changes?.['assignee']?.to as string]).map((each) => ({
          ...each,
          at: event.timestamp,
        })),
      )
    case 'message.received':
      return thread ? ringsOfMail(event, data.messageId!, thread, knowledge, ring) : []
    case 'draft.proposed': {
      const draft = facts.drafts.get(data.draftId!)
      if (!draft || !['proposed', 'stale'].includes(draft.status)) return []
      // Notify who can send it: the assignee of the thread, else the person whose agent wrote it.
      const assignee = assigneeOf(thread, event, knowledge)
      const to = assignee && assignee.role !== 'viewer' ? assignee.id : draft.userId
      return ring('draft', 'all', [to], { id: data.draftId! })
    }
    case 'message.failed':
    case 'message.unknown': {
      const detail = event.type === 'message.unknown' ? ('unknown' as const) : null
      return ring('failed', data.draftId!, [data.actor.id], { detail, id: data.draftId! })
    }
    case 'webhook.disabled':
      return notOneself(
        ring('stopped', data.webhookId!, [event.user_id], { detail: 'webhook', id: data.webhookId! }),
      )
    default:
      return []
  }
}

function ringsOfMail(
  event: LoggedEvent,
  messageId: string,
  thread: { number: number; id: string; status: string; assignee: string | null },
  knowledge: Knowledge,
  ring: (kind: NoticeKind, about: string, userIds: readonly string[]) => LoggedRing[],
): LoggedRing[] {
  const { facts, follows, listeners } = knowledge
  const message = facts.messages.get(messageId)
  // Machines that answer each other must not cause endless notices; spam must cause none.
  if (!message || message.autoGenerated || message.kind === 'auto_reply' || thread.status === 'spam')
    return []
  const followers = [...(follows.get(thread.number) ?? [])].flatMap(([id, state]) =>
    state === 'follow' ? [id] : [],
  )
  const assignee = assigneeOf(thread, event, knowledge)
  const notified = new Set([...(assignee ? [assignee.id] : []), ...followers])
  const rings = ring('mail', thread.id, [...notified])
  // An unassigned bounce may be for one of our own notice mails.
  if (assignee || message.kind === 'bounce') return rings
  const others = [...listeners.keys()].filter((id) => !notified.has(id))
  return [...rings, ...ring('unassigned', event.inbox_id!, others)]
}
