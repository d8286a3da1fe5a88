import type { JSX } from 'preact'
import type { MessageEntry } from '../../../src/model/history.ts'
import { words } from '../page/words.ts'
import { proofOf } from './proof.ts'

const w = words.message

/** Whether the sender is who the mail says, and what in it is to be looked at twice. */
export function Verdict({ message }: { message: MessageEntry }): JSX.Element {
  const { hiddenTextRemoved, warnings, truncated, replyTo, from } = message
  const elsewhere = replyTo.find(({ address }) => address.toLowerCase() !== from.address.toLowerCase())
  return (
    <>
      {message.direction === 'inbound' && <Sender message={message} />}
      {hiddenTextRemoved > 0 && <span class="chip warn">{w.hidden(hiddenTextRemoved)}</span>}
      {warnings.includes('parts_differ') && <span class="chip warn">{w.partsDiffer}</span>}
      {warnings.includes('unparsable') && <span class="chip warn">{w.unparsable}</span>}
      {truncated && <span class="chip">{w.truncated}</span>}
      {elsewhere && message.direction === 'inbound' && (
        <span class="chip warn">{w.replyTo(elsewhere.address)}</span>
      )}
    </>
  )
}

function Sender({ message }: { message: MessageEntry }): JSX.Element {
  const spf = message.authentication?.spf ?? null
  const proof = proofOf(message)
  if (proof === 'refuted')
    return (
      <span class="chip danger" title={w.forgedTitle}>
        {w.forged}
      </span>
    )
  if (proof === 'proved')
    return (
      <span class="chip ok" title={w.verifiedTitle}>
        {w.verified} ✓
      </span>
    )
  return (
    <span class="chip" title={`${w.unverifiedTitle}${spf === null ? '' : ` SPF: ${spf}.`}`}>
      {w.unverified}
    </span>
  )
}
