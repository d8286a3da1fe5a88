import type { ActorReference } from '../model/access.ts'
import type { HistoryEntry, MessageEntry } from '../model/history.ts'
import type { Fence } from './fence.ts'
import { fenceAddress, lineBudget } from './fenced-thread.ts'

/** Characters of a message's new text without `full`. */
export const newTextBudget = 4_000
/** Characters of text in one page; an agent with a small context continues with the cursor. */
export const pageBudget = 30_000

/** People and files per message without `full`. */
const listBudget = 50

/** A message as in REST; every string that others wrote is fenced. */
export interface FencedMessage extends Omit<MessageEntry, 'text'> {
  /** Null without `full`: quoted history uses up an agent's context. */
  text: string | null
  /** The domain of `from` where DMARC proved it; null: anyone may have written this. */
  verifiedDomain: string | null
  /** How many people, links and files were left out. */
  omitted: number
}
export type FencedEntry = FencedMessage | Exclude<HistoryEntry, MessageEntry>

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

function fenceMessage(message: MessageEntry, fence: Fence, full: boolean): FencedMessage {
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
    warnings: knownWarnings(message),
    omitted,
  }
}

/** Keeps only warnings in the form of Spool's own codes. */
export function knownWarnings({ warnings }: MessageEntry): string[] {
  return warnings.filter((warning) => /^[a-z_]{1,40}$/.test(warning))
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
export function findVerifiedDomain({ direction, from, authentication }: MessageEntry): string | null {
  if (direction !== 'inbound' || authentication?.dmarc !== 'pass') return null
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1).toLowerCase()
  return domainName.test(domain) ? domain : null
}
