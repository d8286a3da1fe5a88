import { z } from 'zod'
import type { ActorReference, View } from '../model/access.ts'
import type { HistoryEntry, MessageEntry } from '../model/history.ts'
import { Status, type ThreadSummary } from '../model/thread.ts'
import { untrusted, type Fence } from './fence.ts'
import { fenceField } from './fenced-thread.ts'
import { findVerifiedDomain, knownWarnings, newTextBudget } from './fenced-history.ts'
import { shortened, whole, writeMessageLetter, writeThreadHeader } from './letter.ts'

/** Trusted values that are not empty, then `letter`: a single fence around everything that others wrote. */
export type Concise = Record<string, unknown> & { id: string; letter?: string }

const letter = untrusted('header lines, a blank line, the text.').optional()

/** Fields of both formats; a concise row has the rest in `letter`, a detailed one in the fields of the REST API. */
export const threadFields = {
  id: z.string(),
  status: Status,
  messageCount: z.int(),
  revision: z.int(),
  letter,
}

export const ListedThread = z.object(threadFields)

export const ReadThread = z.object({
  fence: fenceField,
  ...threadFields,
  history: z.array(z.object({ type: z.string(), id: z.string(), timestamp: z.string(), letter })),
  historyNextCursor: z.string().nullable().meta({ description: 'For cursor; `null`: that was all.' }),
})

export function readConcisely(
  thread: ThreadSummary,
  history: readonly HistoryEntry[],
  { caller, fence, full }: { caller: View; fence: Fence; full: boolean },
): Concise & { history: Concise[] } {
  const size = full ? whole : shortened
  const entries = history.map((entry) =>
    entry.type === 'message' ? message(entry) : describeChange(entry, fence),
  )
  return {
    ...trustedFields(thread),
    ...(caller.inboxes.length > 1 ? { inbox: thread.inbox.address } : {}),
    letter: fence.wrap(writeThreadHeader(thread, size)),
    history: entries.filter((entry) => entry !== null),
  }

  function message(entry: MessageEntry): Concise {
    const { header, text } = writeMessageLetter(entry, thread, { full, size })
    return {
      ...describeMessage(entry),
      letter: fence.wrapLetter(header, text, full ? Number.POSITIVE_INFINITY : newTextBudget),
    }
  }
}

/**
 * Lists every field explicitly, as everywhere: a new field of a thread is shown only once somebody has decided that it
 * is trusted. Assigns them one by one for speed, because a list has many rows.
 */
export function trustedFields(thread: ThreadSummary): Concise {
  const row: Concise = { id: thread.id, status: thread.status }
  if (thread.unread) row['unread'] = true
  row['timestamp'] = thread.timestamp
  row['messageCount'] = thread.messageCount
  row['revision'] = thread.revision
  if (thread.noteCount > 0) row['noteCount'] = thread.noteCount
  if (thread.attachmentCount > 0) row['attachmentCount'] = thread.attachmentCount
  if (thread.draftCount > 0) row['draftCount'] = thread.draftCount
  if (thread.assignment) row['assignee'] = thread.assignment.name
  if (thread.snoozedUntil !== null) row['snoozedUntil'] = thread.snoozedUntil
  return row
}

function describeMessage(message: MessageEntry): Concise {
  return withoutBlanks({
    type: 'message',
    id: message.id,
    timestamp: message.timestamp,
    direction: message.direction,
    verifiedDomain: findVerifiedDomain(message),
    dmarc: message.authentication?.dmarc === 'fail' ? 'fail' : null,
    sentBy: message.sentBy && message.sentBy.name,
    linkCount: message.links.length,
    truncated: message.truncated,
    hiddenTextRemoved: message.hiddenTextRemoved,
    warnings: knownWarnings(message),
  })
}

/** Entry types written by a newer node and unknown here are left out. */
function describeChange(entry: Exclude<HistoryEntry, MessageEntry>, fence: Fence): Concise | null {
  const head = { id: entry.id, type: entry.type, timestamp: entry.timestamp }
  switch (entry.type) {
    case 'status_changed':
      return { ...head, from: entry.from, to: entry.to, by: nameActor(entry.actor) }
    case 'assigned':
      return { ...head, to: entry.to.name, by: nameActor(entry.actor) }
    case 'unassigned':
      return { ...head, by: nameActor(entry.actor) }
    case 'merged':
      return { ...head, threadId: entry.threadId, by: nameActor(entry.actor) }
    case 'bounced':
      return withoutBlanks({ ...head, messageId: entry.messageId, letter: fence.wrap(`\n${entry.reason}`) })
    case 'draft_proposed':
    case 'draft_withdrawn':
      return { ...head, draftId: entry.draftId, by: nameActor(entry.actor) }
    case 'draft_discarded':
      return withoutBlanks({
        ...head,
        draftId: entry.draftId,
        by: nameActor(entry.actor),
        letter: fence.wrapOrNull(entry.reason && `\n${entry.reason}`),
      })
    case 'draft_sent':
      return {
        ...head,
        draftId: entry.draftId,
        messageId: entry.messageId,
        by: nameActor(entry.actor),
        proposedBy: nameActor(entry.proposedBy),
      }
    default:
      entry satisfies never
      return null
  }
}

function nameActor({ type, name }: ActorReference): string {
  return type === 'system' ? 'Spool' : `${name} (${type})`
}

/** Drops empty values: null, false, empty strings and lists, and counts of zero. */
export function withoutBlanks(fields: Record<string, unknown> & { id: string }): Concise {
  const said: Concise = { id: fields.id }
  for (const name in fields) {
    const value = fields[name]
    if (value && !(Array.isArray(value) && value.length === 0)) said[name] = value
  }
  return said
}
