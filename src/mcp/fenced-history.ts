import { z } from 'zod'
import { ActorReference } from '../model/access.ts'
import { AttachmentReference, historyEntries, MessageEntry, type HistoryEntry } from '../model/history.ts'
import { untrusted, type Fence } from './fence.ts'
import { fenceAddress, FencedAddress, lineBudget } from './fenced-thread.ts'

/** Characters of a message's new text without `full`. */
export const newTextBudget = 4_000
/** Characters of text in one page; an agent with a small context continues with the cursor. */
export const pageBudget = 30_000

/** People and files per message without `full`. */
const listBudget = 50

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
  links: z.array(z.object({ text: untrusted('the words of a link.'), href: untrusted('where it leads.') })),
  attachments: z.array(FencedAttachment),
  omitted: z
    .int()
    .min(0)
    .meta({
      description: `How many people, links and files were left out, each list being cut after ${listBudget} unless \`full\` is true.`,
    }),
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
  historyEntries.draft_sent,
  historyEntries.draft_withdrawn,
])
export type FencedEntry = z.infer<typeof FencedEntry>

/** Lists every field of every type explicitly. Entry types written by a newer node and unknown here are left out. */
export function fenceEntry(entry: HistoryEntry, fence: Fence, full: boolean): FencedEntry | null {
  const { id, timestamp } = entry
  const head = { id, timestamp }
  switch (entry.type) {
    case 'message':
      return fenceMessage(entry, fence, full)
    case 'status_changed':
      return { type: entry.type, ...head, from: entry.from, to: entry.to, actor: readActor(entry.actor) }
    case 'assigned':
      return {
        type: entry.type,
        ...head,
        to: { id: entry.to.id, name: entry.to.name },
        actor: readActor(entry.actor),
      }
    case 'unassigned':
      return { type: entry.type, ...head, actor: readActor(entry.actor) }
    case 'merged':
      return { type: entry.type, ...head, threadId: entry.threadId, actor: readActor(entry.actor) }
    case 'bounced':
      return { type: entry.type, ...head, messageId: entry.messageId, reason: fence.wrap(entry.reason) }
    case 'draft_proposed':
    case 'draft_withdrawn':
      return { type: entry.type, ...head, draftId: entry.draftId, actor: readActor(entry.actor) }
    case 'draft_discarded':
      return {
        type: entry.type,
        ...head,
        draftId: entry.draftId,
        actor: readActor(entry.actor),
        reason: fence.wrapOrNull(entry.reason),
      }
    case 'draft_sent':
      return {
        type: entry.type,
        ...head,
        draftId: entry.draftId,
        messageId: entry.messageId,
        proposedBy: readActor(entry.proposedBy),
        revisedBy: entry.revisedBy.map(readActor),
        actor: readActor(entry.actor),
      }
    default:
      entry satisfies never
      return null
  }
}

/** How much of the page budget an entry uses. */
export function weigh(entry: HistoryEntry, full: boolean): number {
  if (entry.type !== 'message') return 0
  const people = [entry.to, entry.cc, entry.replyTo]
  const lists = [...people, entry.attachments, entry.links].map(({ length }) =>
    full ? length : Math.min(length, listBudget),
  )
  const lines = 100 * lists.reduce((sum, length) => sum + length, 0)
  return (
    lines + (full ? entry.text.length + entry.newText.length : Math.min(entry.newText.length, newTextBudget))
  )
}

function fenceMessage(message: MessageEntry, fence: Fence, full: boolean): z.infer<typeof FencedMessage> {
  const most = full ? Number.POSITIVE_INFINITY : lineBudget
  const line = (text: string): string => fence.wrapPart(text, most)
  const lineOrNull = (text: string | null): string | null => (text === null ? null : line(text))
  let omitted = 0
  const shorten = <Item>(list: readonly Item[]): readonly Item[] => {
    if (full || list.length <= listBudget) return list
    omitted += list.length - listBudget
    return list.slice(0, listBudget)
  }
  const addresses = (list: MessageEntry['to']) =>
    shorten(list).map((address) => fenceAddress(address, fence, most))
  return {
    type: 'message',
    id: message.id,
    timestamp: message.timestamp,
    direction: message.direction,
    from: fenceAddress(message.from, fence, most),
    verifiedDomain: findVerifiedDomain(message),
    to: addresses(message.to),
    cc: addresses(message.cc),
    replyTo: addresses(message.replyTo),
    subject: line(message.subject),
    messageId: lineOrNull(message.messageId),
    inReplyTo: lineOrNull(message.inReplyTo),
    newText: fence.wrapPart(message.newText, full ? most : newTextBudget),
    text: full ? fence.wrap(message.text) : null,
    html: null,
    links: shorten(message.links).map(({ text, href }) => ({ text: line(text), href: line(href) })),
    truncated: message.truncated,
    attachments: shorten(message.attachments).map((file) => ({
      id: file.id,
      filename: line(file.filename),
      contentType: line(file.contentType),
      size: file.size,
      inline: file.inline,
      contentId: lineOrNull(file.contentId),
      url: file.url,
    })),
    sentBy: message.sentBy && readActor(message.sentBy),
    authentication: readVerdicts(message.authentication),
    hiddenTextRemoved: message.hiddenTextRemoved,
    warnings: message.warnings.filter((warning) => /^[a-z_]{1,40}$/.test(warning)),
    omitted,
  }
}

function readActor({ type, id, name }: ActorReference): ActorReference {
  return { type, id, name }
}

const verdicts = new Set(['pass', 'fail', 'softfail', 'neutral', 'none', 'policy', 'temperror', 'permerror'])

/** Only results that Spool itself knows: some servers write whole sentences here. */
function readVerdicts(authentication: MessageEntry['authentication']): MessageEntry['authentication'] {
  if (authentication === null) return null
  const read = (word: string | null): string | null => (word !== null && verdicts.has(word) ? word : null)
  return { spf: read(authentication.spf), dkim: read(authentication.dkim), dmarc: read(authentication.dmarc) }
}

const domainName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/

/** The only value from a mail allowed outside a fence, so it must be verified and nothing but a domain. */
function findVerifiedDomain({ direction, from, authentication }: MessageEntry): string | null {
  if (direction !== 'inbound' || authentication?.dmarc !== 'pass') return null
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1).toLowerCase()
  return domainName.test(domain) ? domain : null
}
