import type { Insertable, Selectable } from 'kysely'
import { toTime, toTimeOrNull } from '../model/time.ts'
import type { Tables } from './tables.ts'

export type ThreadRow = Selectable<Tables['threads']>
export type ThreadValues = Omit<Insertable<Tables['threads']>, 'number' | 'summary'>

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
