import { SpoolError } from '../../model/errors.ts'
import type { Address } from '../../model/mail/mail.ts'
import { ownAddressOf } from '../../model/mail/own-address.ts'
import type { ThreadMessage } from '../../store/threads/thread-messages.ts'
import { usable, withoutDoubles } from './mail-fields.ts'
import type { DraftContent } from './view.ts'

type Envelope = Pick<DraftContent, 'to' | 'cc' | 'bcc' | 'subject'>
export type Answerable = Pick<ThreadMessage, 'direction' | 'from' | 'replyTo' | 'to' | 'cc' | 'subject'>

/**
 * Reply to all: To is Reply-To or else From; Cc is everybody else who got the mail, lists included, without our own
 * addresses. A reply to our own mail goes to its recipients.
 */
export function replyEnvelope(mail: Answerable, own: readonly string[]): Envelope {
  const others = (addresses: readonly Address[]): Address[] =>
    usable(addresses).filter(({ address }) => ownAddressOf(address, own) === undefined)
  const asked = others(mail.replyTo)
  const sender = others([mail.from])
  const wanted = mail.direction === 'outbound' ? [] : asked.length > 0 ? asked : sender
  // Nobody to answer but ourselves: follow up with the original recipients.
  const to = withoutDoubles(wanted.length > 0 ? wanted : others(mail.to))
  const addressed = new Set(to.map(({ address }) => address.toLowerCase()))
  const copied = withoutDoubles(others([...mail.to, ...mail.cc]))
  return {
    to,
    cc: copied.filter(({ address }) => !addressed.has(address.toLowerCase())),
    bcc: [],
    subject: replySubject(mail.subject),
  }
}

/** Reply prefixes in many languages, alone or numbered: Re[2]:, AW:, SV:, Antw:. */
const replyMarks =
  /^(?:(?:re|aw|antw|antwort|sv|vs|odp|ynt|res|rif|rép|отв)(?:\s*\[\d+\]|\(\d+\))?\s*[:：]\s*)+/iu
const forwardMarks = /^(?:(?:fwd?|wg|tr|rv|enc|vl)\s*[:：]\s*)+/iu

export function replySubject(subject: string): string {
  return `Re: ${oneLine(subject).replace(replyMarks, '')}`.trimEnd()
}

export function forwardSubject(subject: string): string {
  return `Fwd: ${oneLine(subject).replace(forwardMarks, '')}`.trimEnd()
}

/** Makes an inbound subject safe for a header of ours. */
function oneLine(subject: string): string {
  const line = subject.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  return line.trim().slice(0, 480).toWellFormed()
}

/** An agent can remove people from Cc but cannot add anyone. */
export function fenceCopies(reply: Envelope, asked: readonly Address[]): Address[] {
  const allowed = new Map([...reply.to, ...reply.cc].map((each) => [each.address.toLowerCase(), each]))
  const addressed = new Set(reply.to.map(({ address }) => address.toLowerCase()))
  return asked.flatMap(({ address }) => {
    const key = address.toLowerCase()
    const known = allowed.get(key)
    if (!known) {
      throw new SpoolError(
        'forbidden',
        `${address} did not get the message that this draft answers; only a person can add it. Allowed in cc: ${
          reply.cc.map((each) => each.address).join(', ') || 'nobody'
        }.`,
        { details: { address, allowed: reply.cc.map((each) => each.address) } },
      )
    }
    return addressed.has(key) ? [] : [known]
  })
}
