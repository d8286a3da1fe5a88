import type { MessageEntry } from '../../../src/model/history.ts'
import type { MailAddress } from '../../../src/model/thread.ts'
import { texts } from '../page/texts.ts'
import { fullTime } from '../page/times.ts'
import { detailTexts } from './texts-details.ts'

const t = detailTexts

export function MailDetails({ message }: { message: MessageEntry }) {
  const { from, replyTo, to, cc, timestamp, direction, authentication, hiddenTextRemoved } = message
  const rows: [string, string | string[]][] = [
    [t.from, whole([from])],
    [t.replyTo, whole(replyTo)],
    [t.to, whole(to)],
    [t.cc, whole(cc)],
    [t.date, fullTime(timestamp)],
    [t.checks, direction === 'inbound' ? checksOf(authentication) : ''],
    [t.hidden, hiddenTextRemoved > 0 ? texts.message.hidden(hiddenTextRemoved) : ''],
  ]
  return (
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
  )
}

function whole(addresses: readonly MailAddress[]): string[] {
  return addresses.map(({ name, address }) => (name ? `${name} <${address}>` : address))
}

function checksOf(authentication: MessageEntry['authentication']): string {
  if (!authentication) return t.unchecked
  const { spf, dkim, dmarc } = authentication
  return Object.entries({ SPF: spf, DKIM: dkim, DMARC: dmarc })
    .map(([name, verdict]) => `${name} ${verdict ?? t.unchecked}`)
    .join(' · ')
}
