/** What people are told about, in the order of the settings. */
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

/** What exactly, for kinds that cover more than one thing. */
export const noticeDetails = ['unknown', 'webhook', 'mailbox', 'grant'] as const
export type NoticeDetail = (typeof noticeDetails)[number]

export interface Told {
  kind: NoticeKind | 'test'
  detail: NoticeDetail | null
  count: number
  /** Who of the team did it; null for a program. */
  actor: string | null
}

/**
 * A notice in one line, for the page, a push and a mail. It names people of the team, kinds and counts: no word of a
 * mail, a note or an agent, because a mail that Spool sends by itself must not pass any on.
 */
export function tellNotice({ kind, detail, count, actor }: Told): string {
  const who = actor ?? 'Somebody'
  switch (kind) {
    case 'mentioned':
      return `${who} mentioned you`
    case 'assigned':
      return `${who} assigned a thread to you`
    case 'mail':
      return count === 1 ? 'New mail in a thread of yours' : `${count} new mails in a thread of yours`
    case 'unassigned':
      return count === 1 ? 'New unassigned mail' : `${count} new unassigned mails`
    case 'draft':
      return count === 1 ? 'A draft is waiting for you' : `${count} drafts are waiting for you`
    case 'failed':
      return detail === 'unknown'
        ? 'It is unknown whether your mail was delivered'
        : 'Your mail could not be sent'
    case 'stopped':
      if (detail === 'webhook') return 'A webhook of yours was disabled'
      return detail === 'grant' ? 'An agent of yours lost its access' : 'A mailbox has stopped'
    case 'test':
      return 'This is a test'
  }
}
