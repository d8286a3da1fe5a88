import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { MessageEntry } from '../../../src/model/history.ts'
import { lazy } from '../controls/lazy.tsx'
import { texts } from '../page/texts.ts'
import { loadTeam, team } from '../threads/people.ts'
import { findDoubts } from './doubts.ts'

const MailDetails = lazy(async () => (await import('./details.tsx')).MailDetails)

const t = texts.message

/** Warnings on a mail whose sender or text is doubtful; most mail has none. */
export function Verdict({ message }: { message: MessageEntry }) {
  useEffect(loadTeam, [])
  const { hiddenTextRemoved, warnings, truncated } = message
  return (
    <>
      {findDoubts(message, team.value ?? []).map(({ kind, about }) => (
        <span
          key={kind}
          class={`chip ${kind === 'failed' || kind === 'unchecked' ? 'danger' : 'warn'}`}
          title={t.doubtTitles[kind]}
        >
          {t.doubts[kind](about)}
        </span>
      ))}
      {warnings.includes('hidden_text') && <span class="chip warn">{t.hidden(hiddenTextRemoved)}</span>}
      {warnings.includes('parts_differ') && <span class="chip warn">{t.partsDiffer}</span>}
      {warnings.includes('unparsable') && <span class="chip warn">{t.unparsable}</span>}
      {truncated && <span class="chip">{t.truncated}</span>}
    </>
  )
}

/** The full sender and recipients of a mail, and the results of the sender checks. */
export function Details({ message, children }: { message: MessageEntry; children: JSX.Element }) {
  const wasOpened = useSignal(false)
  return (
    <details class="mail-details" onToggle={() => (wasOpened.value = true)}>
      <summary title={t.showDetails}>{children}</summary>
      {wasOpened.value && <MailDetails message={message} />}
    </details>
  )
}
