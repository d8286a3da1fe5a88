import { z } from 'zod'
import { ActorReference } from '../model/access.ts'
import { AttachmentReference, historyEntries, MessageEntry, type HistoryEntry } from '../model/history.ts'
import { untrusted, type Fence } from './fence.ts'
import { fenceAddress, FencedAddress } from './fenced-thread.ts'

/** Characters of a message's new text that come without being asked for. */
export const newTextBudget = 4_000
/** Characters of text in one page: an agent with a small context reads on with the cursor. */
export const pageBudget = 30_000

const FencedAttachment = AttachmentReference.extend({
  filename: untrusted('a file name.'),
  contentType: untrusted("the sender's word on what it is."),
  contentId: untrusted('what the HTML of the mail called it by.').nullable(),
})

export const FencedMessage = MessageEntry.extend({
  from: FencedAddress,
  verifiedDomain: z.string().nullable().meta({
    description: 'The domain of `from` where DMARC proved it; `null`: anyone may have written this.',
  }),
  to: z.array(FencedAddress),
  cc: z.array(FencedAddress),
  replyTo: z.array(FencedAddress),
  subject: untrusted('the subject.'),
  messageId: untrusted('the Message-ID header.').nullable(),
  inReplyTo: untrusted('the Message-ID that it answers.').nullable(),
  newText: untrusted(
    `what this message adds, without quoted history and signature; cut after ${newTextBudget} characters unless \`full\` is true, with a mark behind the fence.`,
  ),
  text: untrusted('the whole visible text; `null` unless `full` is true.').nullable(),
  html: z.null().meta({ description: 'Always `null`: an agent reads plain text.' }),
  attachments: z.array(FencedAttachment),
})

export const FencedEntry = z.discriminatedUnion('type', [
  FencedMessage,
  historyEntries.status_changed,
  historyEntries.assigned,
  historyEntries.unassigned,
  historyEntries.merged,
  historyEntries.bounced.extend({ reason: untrusted("the other server's words.") }),
  historyEntries.draft_proposed,
  historyEntries.draft_discarded.extend({ reason: untrusted('why, in the words of who did it.').nullable() }),
  historyEntries.draft_withdrawn,
])
export type FencedEntry = z.infer<typeof FencedEntry>

/** Every field by name, for every kind; of a kind that is not known here only what, which and when. */
export function fenceEntry(entry: HistoryEntry, fence: Fence, full: boolean): object {
  const { type, id, timestamp } = entry
  const head = { type, id, timestamp }
  switch (type) {
    case 'message':
      return fenceMessage(entry, fence, full)
    case 'status_changed':
      return { ...head, from: entry.from, to: entry.to, actor: readActor(entry.actor) }
    case 'assigned':
      return { ...head, to: { id: entry.to.id, name: entry.to.name }, actor: readActor(entry.actor) }
    case 'unassigned':
      return { ...head, actor: readActor(entry.actor) }
    case 'merged':
      return { ...head, threadId: entry.threadId, actor: readActor(entry.actor) }
    case 'bounced':
      return { ...head, messageId: entry.messageId, reason: fence.wrap(entry.reason) }
    case 'draft_proposed':
    case 'draft_withdrawn':
      return { ...head, draftId: entry.draftId, actor: readActor(entry.actor) }
    case 'draft_discarded':
      return {
        ...head,
        draftId: entry.draftId,
        actor: readActor(entry.actor),
        reason: fence.wrapOrNull(entry.reason),
      }
    default:
      return head
  }
}

/** How much of the page's budget an entry takes. */
export function weigh(entry: HistoryEntry, full: boolean): number {
  if (entry.type !== 'message') return 0
  return full ? entry.text.length + entry.newText.length : Math.min(entry.newText.length, newTextBudget)
}

function fenceMessage(message: MessageEntry, fence: Fence, full: boolean): z.infer<typeof FencedMessage> {
  const addresses = (list: MessageEntry['to']) => list.map((address) => fenceAddress(address, fence))
  return {
    type: 'message',
    id: message.id,
    timestamp: message.timestamp,
    direction: message.direction,
    from: fenceAddress(message.from, fence),
    verifiedDomain: findVerifiedDomain(message),
    to: addresses(message.to),
    cc: addresses(message.cc),
    replyTo: addresses(message.replyTo),
    subject: fence.wrap(message.subject),
    messageId: fence.wrapOrNull(message.messageId),
    inReplyTo: fence.wrapOrNull(message.inReplyTo),
    newText: full ? fence.wrap(message.newText) : cutText(message.newText, fence),
    text: full ? fence.wrap(message.text) : null,
    html: null,
    truncated: message.truncated,
    attachments: message.attachments.map((file) => ({
      id: file.id,
      filename: fence.wrap(file.filename),
      contentType: fence.wrap(file.contentType),
      size: file.size,
      inline: file.inline,
      contentId: fence.wrapOrNull(file.contentId),
      url: file.url,
    })),
    sentBy: message.sentBy && readActor(message.sentBy),
    authentication: readVerdicts(message.authentication),
    hiddenTextRemoved: message.hiddenTextRemoved,
    warnings: message.warnings.filter((warning) => /^[a-z_]{1,40}$/.test(warning)),
  }
}

/** The mark stands behind the fence: it is Spool's word, and cannot be forged inside. */
function cutText(text: string, fence: Fence): string {
  if (text.length <= newTextBudget) return fence.wrap(text)
  // Never through the middle of a surrogate pair.
  const half = text.charCodeAt(newTextBudget - 1)
  const end = half >= 0xd800 && half <= 0xdbff ? newTextBudget - 1 : newTextBudget
  return `${fence.wrap(text.slice(0, end))} [cut: ${end} of ${text.length} characters; get_thread with full: true has the rest]`
}

function readActor({ type, id, name }: ActorReference): ActorReference {
  return { type, id, name }
}

const verdicts = new Set(['pass', 'fail', 'softfail', 'neutral', 'none', 'policy', 'temperror', 'permerror'])

/** Only words that Spool itself can have found: some servers write whole sentences here. */
function readVerdicts(authentication: MessageEntry['authentication']): MessageEntry['authentication'] {
  if (authentication === null) return null
  const read = (word: string | null): string | null => (word !== null && verdicts.has(word) ? word : null)
  return { spf: read(authentication.spf), dkim: read(authentication.dkim), dmarc: read(authentication.dmarc) }
}

const domainName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/

/** It is the one thing from a mail that may stand outside a fence, so it must be proved and be nothing but a domain. */
function findVerifiedDomain({ direction, from, authentication }: MessageEntry): string | null {
  if (direction !== 'inbound' || authentication?.dmarc !== 'pass') return null
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1).toLowerCase()
  return domainName.test(domain) ? domain : null
}
