/** What people can be notified of, in the order of the settings. */
export const noticeKinds = [
  'mentioned',
  'assigned',
  'mail',
  'unassigned',
  'draft',
  'failed',
  'stopped',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** The specific case, for kinds that cover more than one. */
export const noticeDetails = ['unknown', 'webhook', 'mailbox', 'grant'] as const
export type NoticeDetail = (typeof noticeDetails)[number]

export interface NoticeSummary {
  kind: NoticeKind | 'test'
  detail: NoticeDetail | null
  count: number
  /** The team member who caused it; null for a program. */
  actor: string | null
}

/**
 * A notice in one line, for the page, a push and a mail. It contains only names of team members, kinds and counts: no
 * text from a mail, a note or an agent, because mail that Spool sends automatically must not pass any on.
 */
export function describeNotice({ kind, detail, count, actor }: NoticeSummary): string {
  const who = actor ?? 'Someone'
  switch (kind) {
    case 'mentioned':
      return `${who} mentioned you`
    case 'assigned':
      return count === 1 ? `${who} assigned a thread to you` : `${who} assigned ${count} threads to you`
    case 'mail':
      return count === 1 ? 'New message in your thread' : `${count} new messages in your thread`
    case 'unassigned':
      return count === 1 ? 'New unassigned message' : `${count} new unassigned messages`
    case 'draft':
      return count === 1 ? 'A draft is waiting for you' : `${count} drafts are waiting for you`
    case 'failed':
      return detail === 'unknown'
        ? 'We couldn’t confirm that your message was sent'
        : 'Your message couldn’t be sent'
    case 'stopped':
      if (detail === 'webhook') return 'Your webhook was disabled'
      return detail === 'grant' ? 'Your agent lost its access' : 'A mailbox stopped working'
    case 'test':
      return 'This is a test notice'
  }
}
