import type { Bounce } from '../../model/mail/mail.ts'
import { readAddresses } from './addresses.ts'
import { decodeField, fieldText, oneLine, rawField, readHeader, type Header, type Hidden } from './header.ts'
import { readMessageId } from './message-ids.ts'
import { decodePart, type Part } from './parts.ts'

const longestReason = 500
const headerBytes = 64 * 1024
/** Some servers write a part for each recipient. */
const mostStatuses = 20

/** What a delivery report says, in the format of RFC 3464 or in a server's own words. */
type Report = Bounce | 'delivered'

const reasons: [RegExp, string][] = [
  [/^[45]\.1\.[0-3]/, 'The address does not exist.'],
  [/^[45]\.1\.10/, 'The domain accepts no mail.'],
  [/^[45]\.2\.1/, 'The mailbox is disabled.'],
  [/^[45]\.2\.2/, 'The mailbox is full.'],
  [/^[45]\.2\.3|^[45]\.3\.4/, 'The message is too large.'],
  [/^[45]\.4\./, 'The recipient’s mail server could not be reached.'],
  [/^[45]\.7\./, 'The recipient’s mail server refused the message.'],
  [/^4\./, 'The message could not be delivered yet.'],
]

const returnedTypes = new Set([
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/global-headers',
  'message/rfc822-headers',
])
const statusTypes = new Set(['message/delivery-status', 'message/global-delivery-status'])

export function readReport(message: Buffer, root: Part, text: string, hidden: Hidden): Report | null {
  const leaves = [...leavesOf(root)]
  const statuses = leaves.filter((part) => statusTypes.has(part.contentType.value))
  const originalMessageId = readOriginalId(message, leaves)
  if (statuses.length > 0) {
    const status = statuses.slice(0, mostStatuses).map((part) => partText(message, part))
    return readStatus(status.join('\n\n'), originalMessageId, hidden)
  }
  const bounce = readOwnWords(root.header, text)
  return bounce && { ...bounce, originalMessageId: originalMessageId ?? bounce.originalMessageId }
}

function* leavesOf(part: Part): Generator<Part> {
  if (part.children.length === 0) yield part
  for (const child of part.children) yield* leavesOf(child)
}

function partText(message: Buffer, part: Part): string {
  return Buffer.from(decodePart(message, part, headerBytes).buffer).toString('latin1')
}

function readOriginalId(message: Buffer, leaves: Part[]): string | null {
  const returned = leaves.find((part) => returnedTypes.has(part.contentType.value))
  if (returned === undefined) return null
  const [block = ''] = partText(message, returned)
    .replace(/^\s+/, '')
    .split(/\r?\n\r?\n/, 1)
  return readMessageId(rawField(readHeader(block), 'message-id'))
}

/** The first group is about the message, each further one about a recipient; a failure takes precedence. */
function readStatus(status: string, originalMessageId: string | null, hidden: Hidden): Report | null {
  const groups = status.split(/\r?\n[ \t]*\r?\n/, 200).map(readHeader)
  const recipients = groups.filter(
    (group) => group.has('action') || group.has('status') || group.has('final-recipient'),
  )
  const failed = recipients.find(isFailed)
  const delayed = recipients.find(
    (group) => actionOf(group) === 'delayed' || rawField(group, 'status').startsWith('4'),
  )
  const group = failed ?? delayed
  if (group === undefined) return recipients.length > 0 ? 'delivered' : null
  const recipient = typedValue(group, 'final-recipient') || typedValue(group, 'original-recipient')
  return {
    originalMessageId,
    recipient: bareAddress(recipient),
    reason: reasonOf(group, hidden),
    failed: group === failed,
  }
}

const actionOf = (group: Header) => oneLine(rawField(group, 'action')).toLowerCase()

function isFailed(group: Header): boolean {
  const action = actionOf(group)
  return action.startsWith('fail') || (action === '' && rawField(group, 'status').startsWith('5'))
}

/** `smtp; 550 no such user`: the type before the semicolon is for programs. */
function typedValue(group: Header, name: string, hidden?: Hidden): string {
  const value = decodeField(rawField(group, name))
  return oneLine(value.slice(value.indexOf(';') + 1), hidden)
}

function reasonOf(group: Header, hidden: Hidden): string {
  const diagnostic = typedValue(group, 'diagnostic-code', hidden)
  if (diagnostic !== '') return diagnostic.slice(0, longestReason)
  const status = oneLine(rawField(group, 'status'))
  const known =
    reasons.find(([pattern]) => pattern.test(status))?.[1] ?? 'The message could not be delivered.'
  return status === '' ? known : `${known} (${status.slice(0, 20)})`
}

function bareAddress(text: string): string | null {
  const address = readAddresses(text)[0]?.address ?? ''
  return address.includes('@') ? address : null
}

const failureSubject =
  /undeliver|delivery (?:status|failure|failed|problem|has failed)|(?:mail|message) (?:delivery|not delivered)|returned mail|failure notice|could not be delivered|unzustellbar|non remis|no se (?:ha podido|pudo) entregar|mancata consegna/i
const delayWords = /\bdelayed\b|still being retried|will (?:continue|keep) trying|you do not need to resend/i
const knownBodies =
  /This is the qmail-send program|created automatically by mail delivery software|This is the mail system at host|The following (?:address|recipient)\S* (?:failed|had)|Your message (?:could not|cannot|wasn't able to) be delivered/i

/** Reports that predate RFC 3464 or ignore it. Only clear cases count: a person may forward a report. */
function readOwnWords(header: Header, text: string): Bounce | null {
  const failedRecipients = fieldText(header, 'x-failed-recipients')
  const sender = readAddresses(rawField(header, 'from'))[0]
  const isDaemon = /^(?:mailer-daemon|postmaster|mail-daemon)(?:@|$)/i.test(sender?.address ?? '')
  const returnPath = rawField(header, 'return-path')
  const mayBounce = isDaemon && (returnPath === '' || returnPath === '<>')
  if (failedRecipients === '' && !mayBounce) return null
  const start = text.slice(0, 20_000)
  const saysSo = failureSubject.test(fieldText(header, 'subject')) || knownBodies.test(start)
  if (failedRecipients === '' && !saysSo) return null
  const found = findRecipient(start)
  return {
    originalMessageId: readMessageId(
      /^[ \t>]*Message-I[dD]:[ \t]*(<[^<>\s]{1,996}>)/m.exec(start)?.[1] ?? '',
    ),
    recipient: bareAddress(failedRecipients) ?? found?.address ?? null,
    reason: found?.reason || 'The message could not be delivered.',
    failed: !(
      delayWords.test(fieldText(header, 'subject')) ||
      (delayWords.test(start) && !/permanent|fatal/i.test(start))
    ),
  }
}

/** Servers usually write a line with only an address, followed by a paragraph with the reason. */
function findRecipient(text: string): { address: string; reason: string } | null {
  const lines = text.split('\n', 400)
  for (const [index, line] of lines.entries()) {
    const match = /^\s{0,10}<?([^\s<>@:]{1,200}@[^\s<>@:]{1,200})>?(?::\s*(.*))?$/.exec(line.trimEnd())
    if (match === null) continue
    const reason: string[] = [match[2] ?? '']
    for (const next of lines.slice(index + 1, index + 12)) {
      if (next.trim() === '' || next.startsWith('---')) break
      reason.push(next)
    }
    return { address: match[1]!, reason: oneLine(reason.join(' ')).slice(0, longestReason) }
  }
  return null
}
