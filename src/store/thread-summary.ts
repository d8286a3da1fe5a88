import type { Insertable, Selectable } from 'kysely'
import { toTime, toTimeOrNull } from '../model/time.ts'
import type { Tables } from './tables.ts'

/** What has no column of its own: nothing is looked for by it, and the summary holds it. */
interface Told {
  subject: string
  sender_name: string | null
  sender_address: string
  preview: string
}

export type StoredThread = Selectable<Tables['threads']>
export type ThreadRow = StoredThread & Told
export type ThreadValues = Omit<Insertable<Tables['threads']>, 'number' | 'summary'> & Told

/**
 * What every reader of a thread sees alike, as JSON members without the braces. Kept with the row, so that a list is
 * joined together from text: `unread`, `inbox` and `webUrl` are added on the way out.
 */
export function renderSummary(thread: ThreadValues): string {
  const summary = {
    id: thread.id,
    subject: thread.subject,
    sender: { name: thread.sender_name, address: thread.sender_address },
    timestamp: toTime(thread.timestamp),
    status: thread.status,
    assignment: thread.assignee_id
      ? {
          id: thread.assignee_id,
          name: thread.assignee_name,
          email: thread.assignee_email,
          assignedAt: toTime(thread.assigned_at!),
        }
      : null,
    preview: thread.preview,
    messageCount: thread.message_count,
    noteCount: thread.note_count,
    attachmentCount: thread.attachment_count,
    draftCount: thread.draft_count,
    snoozedUntil: toTimeOrNull(thread.snoozed_until ?? null),
    createdAt: toTime(thread.created_at),
    updatedAt: toTime(thread.updated_at),
    revision: thread.revision,
  }
  return JSON.stringify(summary).slice(1, -1)
}

/** The other way round. */
export function readSummary(stored: StoredThread): ThreadRow {
  const { subject, sender, preview } = JSON.parse(`{${stored.summary}}`) as {
    subject: string
    sender: { name: string | null; address: string }
    preview: string
  }
  return { ...stored, subject, sender_name: sender.name, sender_address: sender.address, preview }
}
