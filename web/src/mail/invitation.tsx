import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Invitation } from '../../../src/model/files/invitation.ts'
import { get } from '../page/api.ts'
import { texts } from './texts-invitation.ts'
import '../style/invitation.css'

/** Shows the invitation from a mail's calendar file in the reader's time. The mail's text below says the same. */
export function InvitationCard({ id }: { id: string }) {
  const found = useSignal<Invitation | null>(null)
  useEffect(() => {
    get(`/attachments/${id}/invitation`).then(
      ({ invitation }) => (found.value = invitation),
      () => undefined,
    )
  }, [id])
  if (!found.value) return null
  const { kind, title, repeats, where, organiser, guests, guestCount, asksForAnswer } = found.value
  const people = guests.map((guest) => personText(guest))
  if (guestCount > guests.length) people.push(texts.more(guestCount - guests.length))
  return (
    <section class={`invitation ${kind}`} aria-label={texts.kinds[kind]}>
      <small>{texts.kinds[kind]}</small>
      <h2>{title || texts.noTitle}</h2>
      <dl>
        <Line name={texts.when}>
          <When invitation={found.value} />
          {repeats && <span>{texts.repeats[repeats]}</span>}
        </Line>
        <Line name={texts.where}>{where}</Line>
        <Line name={texts.organiser}>{organiser && personText(organiser)}</Line>
        <Line name={kind === 'answer' ? texts.from : texts.guests}>{people.join(', ')}</Line>
      </dl>
      {asksForAnswer && <p>{texts.asks}</p>}
    </section>
  )
}

function Line({ name, children }: { name: string; children: ComponentChildren }) {
  if (children === '' || children === null) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function personText({ name, address, answer }: Invitation['guests'][number]): string {
  const who = name === '' || name === address ? address : `${name} <${address}>`
  return answer === null ? who : `${who} (${texts.answers[answer]})`
}

const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
const moment = { ...day, hour: 'numeric', minute: '2-digit' } as const

/** The time in the reader's zone, then as the organiser wrote it if that differs. */
function When({ invitation }: { invitation: Invitation }) {
  const { start, end, isAllDay, zone, startsAt, endsAt } = invitation
  if (start === null) return null
  const written = range(start, end, isAllDay)
  if (startsAt === null) return <span>{zone === null ? written : texts.inZone(written, zone)}</span>
  const own = new Intl.DateTimeFormat(undefined, moment)
  const here = rangeOf(own, startsAt, endsAt)
  const hereZone = own.resolvedOptions().timeZone
  return (
    <>
      <time dateTime={startsAt}>{texts.inZone(here, texts.yours(hereZone))}</time>
      {zone !== null && here !== written && <span>{texts.inZone(written, zone)}</span>}
    </>
  )
}

/** Written times belong to no zone; they are formatted as if they were UTC. */
function range(start: string, end: string | null, isAllDay: boolean): string {
  const format = new Intl.DateTimeFormat(undefined, { ...(isAllDay ? day : moment), timeZone: 'UTC' })
  const asUtc = (text: string): string => (isAllDay ? text : `${text}Z`)
  if (end === null) return rangeOf(format, asUtc(start), null)
  // An all-day event ends at the start of the following day.
  const last = isAllDay ? new Date(Date.parse(end) - 86_400_000).toISOString() : asUtc(end)
  return rangeOf(format, asUtc(start), last)
}

function rangeOf(format: Intl.DateTimeFormat, start: string, end: string | null): string {
  const [from, to] = [new Date(start), new Date(end ?? start)]
  return to > from ? format.formatRange(from, to) : format.format(from)
}
