/** Describes an invitation in words: what, when, where, who, and whether a reply is requested. */

import ICAL from 'ical.js'
import { spend } from '../work.ts'

const longestValue = 500
const mostGuests = 20
const mostEvents = 20

const kinds = new Map([
  ['REQUEST', 'Invitation'],
  ['CANCEL', 'Cancelled'],
  ['REPLY', 'Answer to an invitation'],
  ['COUNTER', 'Another time proposed'],
])

/** The first event of a calendar, and the calendar that contains it; null if there is none or it cannot be parsed. */
export function openEvent(source: string) {
  try {
    const calendar = new ICAL.Component(
      ICAL.parse(source) as unknown as ConstructorParameters<typeof ICAL.Component>[0],
    )
    const events = calendar.getAllSubcomponents('vevent')
    // One occurrence that differs from its series is no event of its own.
    const [event = events[0], ...others] = events.filter((each) => !each.hasProperty('recurrence-id'))
    return event ? { event, others, calendar } : null
  } catch {
    return null
  }
}

/** Null if it cannot be parsed. */
export function readCalendar(source: string): string | null {
  spend(8 * source.length)
  const found = openEvent(source)
  if (!found) return null
  try {
    const { event, others, calendar } = found
    const told = describe(event, String(calendar.getFirstPropertyValue('method') ?? '').toUpperCase())
    const more = others.length > mostEvents ? [`Events not listed here: ${others.length - mostEvents}.`] : []
    return [told, ...others.slice(0, mostEvents).map(describeInShort), ...more].join('\n')
  } catch {
    return null
  }
}

function describe(event: ICAL.Component, method: string): string {
  const guests = event.getAllProperties('attendee')
  const asks = method === 'REQUEST' && guests.some((guest) => guest.getParameter('rsvp') === 'TRUE')
  const lines = [
    `${kinds.get(method) ?? 'Event'}: ${valueOf(event, 'summary') || 'no title'}`,
    labelled('When', whenOf(event)),
    labelled('Repeats', rhythmOf(event)),
    labelled('Where', valueOf(event, 'location')),
    labelled('Organiser', event.getAllProperties('organizer').map(personOf).join(', ')),
    labelled(
      method === 'REPLY' ? 'From' : 'Guests',
      guests
        .slice(0, mostGuests)
        .map(method === 'REPLY' ? answerOf : personOf)
        .join(', '),
    ),
    asks ? 'An answer is asked for: yes, no or maybe.' : '',
    method === 'REPLY' ? '' : labelled('Notes', valueOf(event, 'description')),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function describeInShort(event: ICAL.Component): string {
  const title = valueOf(event, 'summary') || 'no title'
  try {
    return [`Also: ${title}`, whenOf(event), valueOf(event, 'location')].filter(Boolean).join(', ')
  } catch {
    return `Also: ${title}`
  }
}

const valueOf = (event: ICAL.Component, name: string) =>
  oneLine(String(event.getFirstPropertyValue(name) ?? ''))

const labelled = (label: string, value: string) => (value === '' ? '' : `${label}: ${value}`)

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, longestValue)
}

const units = new Map([
  ['DAILY', 'day'],
  ['WEEKLY', 'week'],
  ['MONTHLY', 'month'],
  ['YEARLY', 'year'],
])

/** "every 2 weeks, 3 times" */
function rhythmOf(event: ICAL.Component): string {
  const rule = event.getFirstPropertyValue('rrule')
  if (!(rule instanceof ICAL.Recur)) return ''
  const unit = units.get(rule.freq)
  if (unit === undefined) return oneLine(rule.toString())
  const often = rule.interval > 1 ? `every ${rule.interval} ${unit}s` : `every ${unit}`
  const times = rule.count ? `, ${rule.count} times` : ''
  return `${often}${times}${rule.until ? `, until ${dayOf(rule.until)}` : ''}`
}

const dayOf = (time: ICAL.Time) =>
  new Date(Date.UTC(time.year, time.month - 1, time.day)).toUTCString().slice(0, 16)

/** One year in seconds: adding a much longer duration is slow. */
const longestDuration = 366 * 86_400

/** A date is that of the day after the last. */
export function endOf(event: ICAL.Component, start: ICAL.Time): ICAL.Time | null {
  const end = event.getFirstPropertyValue('dtend')
  if (end instanceof ICAL.Time) return end
  const duration = event.getFirstPropertyValue('duration')
  if (!(duration instanceof ICAL.Duration) || !(Math.abs(duration.toSeconds()) <= longestDuration))
    return null
  const sum = start.clone()
  sum.addDuration(duration)
  return sum
}

/** The name of a time's zone; empty if it has none. */
export function zoneOf(property: ICAL.Property): string {
  const time = property.getFirstValue()
  const isUtc = time instanceof ICAL.Time && time.zone === ICAL.Timezone.utcTimezone
  return oneLine(String(property.getParameter('tzid') ?? '')) || (isUtc ? 'UTC' : '')
}

/** In the event's own time zones, with their names. */
function whenOf(event: ICAL.Component): string {
  const start = event.getFirstProperty('dtstart')
  const from = start?.getFirstValue()
  if (!start || !(from instanceof ICAL.Time)) return ''
  const until = endOf(event, from)
  if (from.isDate) return `${dayOf(from)}${lastDayOf(from, until)}, all day`
  const zone = zoneOf(start)
  const ending = event.getFirstProperty('dtend')
  const endZone = (ending && zoneOf(ending)) || zone
  const named = (zone: string) => (zone === '' ? '' : ` (${zone})`)
  const clock = (time: ICAL.Time) =>
    `${String(time.hour).padStart(2, '0')}:${String(time.minute).padStart(2, '0')}`
  const when = `${dayOf(from)}, ${clock(from)}`
  if (until === null) return `${when}${named(zone)}`
  const end = `${dayOf(until) === dayOf(from) ? '' : `${dayOf(until)}, `}${clock(until)}`
  return `${when}${endZone === zone ? '' : named(zone)} to ${end}${named(endZone)}`
}

function lastDayOf(from: ICAL.Time, until: ICAL.Time | null): string {
  if (until === null) return ''
  const last = until.clone()
  if (last.isDate) last.adjust(-1, 0, 0, 0)
  return last.compareDateOnlyTz(from, ICAL.Timezone.utcTimezone) > 0 ? ` to ${dayOf(last)}` : ''
}

function personOf(property: ICAL.Property): string {
  const address = oneLine(String(property.getFirstValue() ?? '')).replace(/^mailto:/i, '')
  const name = oneLine(String(property.getParameter('cn') ?? ''))
  return name === '' || name === address ? address : `${name} <${address}>`
}

export const answers = new Map<string, 'yes' | 'no' | 'maybe'>([
  ['ACCEPTED', 'yes'],
  ['DECLINED', 'no'],
  ['TENTATIVE', 'maybe'],
])

function answerOf(property: ICAL.Property): string {
  const answer = answers.get(String(property.getParameter('partstat') ?? '').toUpperCase())
  return answer === undefined ? personOf(property) : `${personOf(property)} says ${answer}`
}
