import type { JSX } from 'preact'
import type { MessageEntry } from '../../../src/model/history.ts'
import { texts } from '../page/texts.ts'
import { proofOf } from './proof.ts'

const t = texts.message

/** Whether the sender is authenticated, and other warnings about the mail. */
export function Verdict({ message }: { message: MessageEntry }): JSX.Element {
  const { hiddenTextRemoved, warnings, truncated, replyTo, from } = message
  const elsewhere = replyTo.find(({ address }) => address.toLowerCase() !== from.address.toLowerCase())
  return (
    <>
      {message.direction === 'inbound' && <Sender message={message} />}
      {hiddenTextRemoved > 0 && <span class="chip warn">{t.hidden(hiddenTextRemoved)}</span>}
      {warnings.includes('parts_differ') && <span class="chip warn">{t.partsDiffer}</span>}
      {warnings.includes('unparsable') && <span class="chip warn">{t.unparsable}</span>}
      {truncated && <span class="chip">{t.truncated}</span>}
      {elsewhere && message.direction === 'inbound' && (
        <span class="chip warn">{t.replyTo(elsewhere.address)}</span>
      )}
    </>
  )
}

function Sender({ message }: { message: MessageEntry }): JSX.Element {
  const spf = message.authentication?.spf ?? null
  const proof = proofOf(message)
  if (proof === 'refuted')
    return (
      <span class="chip danger" title={t.forgedTitle}>
        {t.forged}
      </span>
    )
  if (proof === 'proved')
    return (
      <span class="chip ok" title={t.verifiedTitle}>
        {t.verified} ✓
      </span>
    )
  return (
    <span class="chip" title={`${t.unverifiedTitle}${spf === null ? '' : ` SPF: ${spf}.`}`}>
      {t.unverified}
    </span>
  )
}
