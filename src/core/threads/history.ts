import { parseNames } from '../../model/characters/names.ts'
import type { ActorReference } from '../../model/access.ts'
import { printable } from '../../model/invisible.ts'
import type { Address, CheckedSender, MailLink } from '../../model/mail/mail.ts'
import type { AttachmentReference, HistoryEntry, MessageEntry } from '../../model/history.ts'
import { toTime } from '../../model/time.ts'
import type { MessageWithBody, TimelineItem } from '../../store/threads/history.ts'
import type { AttachmentRow } from '../../store/threads/attachments.ts'

export function readEntry(item: TimelineItem): HistoryEntry {
  if ('message' in item) return readMessage(item.message)
  const { type, id, timestamp, data } = item.entry
  return { type, id, timestamp: toTime(timestamp), ...(parseNames(data) as object) } as HistoryEntry
}

export function readMessage(row: MessageWithBody): MessageEntry {
  const { unchecked = false, ...authentication } = JSON.parse(
    row.authentication ?? '{}',
  ) as Partial<CheckedSender>
  const warnings = JSON.parse(row.warnings) as string[]
  const { to, cc, replyTo } = JSON.parse(row.recipients) as Pick<MessageEntry, 'to' | 'cc' | 'replyTo'>
  return {
    type: 'message',
    id: row.id,
    timestamp: toTime(row.timestamp),
    direction: row.direction as MessageEntry['direction'],
    from: JSON.parse(row.sender) as Address,
    to,
    cc,
    replyTo,
    subject: row.subject,
    messageId: row.message_id && printable(row.message_id),
    inReplyTo: row.in_reply_to && printable(row.in_reply_to),
    text: row.text,
    newText: row.new_text,
    html: row.html,
    links: row.links === null ? [] : (JSON.parse(row.links) as MailLink[]),
    truncated: row.truncated === 1,
    attachments: row.attachments.map(readAttachment),
    sentBy: row.sent_by === null ? null : (parseNames(row.sent_by) as ActorReference),
    authentication: row.authentication === null ? null : (authentication as MessageEntry['authentication']),
    hiddenTextRemoved: row.hidden_text_removed,
    warnings: unchecked ? [...warnings, 'unchecked_sender'] : warnings,
  }
}

function readAttachment(row: AttachmentRow): AttachmentReference {
  return {
    id: row.id,
    filename: row.filename,
    contentType: printable(row.content_type),
    size: row.size,
    inline: row.inline === 1,
    contentId: row.content_id && printable(row.content_id),
    url: `/api/v1/attachments/${row.id}`,
  }
}
