import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { MessageEntry } from '../../../src/model/history.ts'
import type { MailAddress } from '../../../src/model/thread.ts'
import { texts } from '../page/texts.ts'
import { fullTime } from '../page/times.ts'
import { loadTeam, team } from '../threads/people.ts'
import { findDoubts } from './doubts.ts'

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
  const { from, replyTo, to, cc, timestamp, direction, authentication, hiddenTextRemoved } = message
  const rows: [string, string | string[]][] = [
    [t.details.from, whole([from])],
    [t.details.replyTo, whole(replyTo)],
    [t.details.to, whole(to)],
    [t.details.cc, whole(cc)],
    [t.details.date, fullTime(timestamp)],
    [t.details.checks, direction === 'inbound' ? checksOf(authentication) : ''],
    [t.details.hidden, hiddenTextRemoved > 0 ? t.hidden(hiddenTextRemoved) : ''],
  ]
  return (
    <details class="mail-details">
      <summary title={t.details.show}>{children}</summary>
      <dl>
        {rows.map(
          ([name, value]) =>
            value.length > 0 && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {typeof value === 'string' ? value : value.map((each) => <span key={each}>{each}</span>)}
                </dd>
              </div>
            ),
        )}
      </dl>
    </details>
  )
}

function whole(addresses: readonly MailAddress[]): string[] {
  return addresses.map(({ name, address }) => (name ? `${name} <${address}>` : address))
}

function checksOf(authentication: MessageEntry['authentication']): string {
  if (!authentication) return t.details.unchecked
  const { spf, dkim, dmarc } = authentication
  return Object.entries({ SPF: spf, DKIM: dkim, DMARC: dmarc })
    .map(([name, verdict]) => `${name} ${verdict ?? t.details.unchecked}`)
    .join(' · ')
}
