/** Describes an invitation in words: what, when, where, who, and whether a reply is requested. */

import ICAL from 'ical.js'
import { spend } from '../work.ts'

const longestValue = 500
const mostGuests = 20

const kinds = new Map([
  ['REQUEST', 'Invitation'],
  ['CANCEL', 'Cancelled'],
  ['REPLY', 'Answer to an invitation'],
  ['COUNTER', 'Another time proposed'],
])

/** The first event of a calendar, and the calendar that contains it; null if there is none or it cannot be parsed. */
export function openEvent(source: string): { event: ICAL.Component; calendar: ICAL.Component } | null {
  try {
    const calendar = new ICAL.Component(
      ICAL.parse(source) as unknown as ConstructorParameters<typeof ICAL.Component>[0],
    )
    const event = calendar.getFirstSubcomponent('vevent')
    return event && { event, calendar }
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
    const { event, calendar } = found
    return describe(event, String(calendar.getFirstPropertyValue('method') ?? '').toUpperCase())
  } catch {
    return null
  }
}

function describe(event: ICAL.Component, method: string): string {
  const valueOf = (name: string) => oneLine(String(event.getFirstPropertyValue(name) ?? ''))
  const guests = event.getAllProperties('attendee')
  const asks = method === 'REQUEST' && guests.some((guest) => guest.getParameter('rsvp') === 'TRUE')
  const lines = [
    `${kinds.get(method) ?? 'Event'}: ${valueOf('summary') || 'no title'}`,
    labelled('When', whenOf(event)),
    labelled('Repeats', rhythmOf(event)),
    labelled('Where', valueOf('location')),
    labelled('Organiser', event.getAllProperties('organizer').map(personOf).join(', ')),
    labelled(
      method === 'REPLY' ? 'From' : 'Guests',
      guests
        .slice(0, mostGuests)
        .map(method === 'REPLY' ? answerOf : personOf)
        .join(', '),
    ),
    asks ? 'An answer is asked for: yes, no or maybe.' : '',
    method === 'REPLY' ? '' : labelled('Notes', valueOf('description')),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

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

/** In the event's own time zone, with its name. */
function whenOf(event: ICAL.Component): string {
  const start = event.getFirstProperty('dtstart')
  const from = start?.getFirstValue()
  if (!start || !(from instanceof ICAL.Time)) return ''
  const until = event.getFirstPropertyValue('dtend')
  const clock = (time: ICAL.Time) =>
    `${String(time.hour).padStart(2, '0')}:${String(time.minute).padStart(2, '0')}`
  if (from.isDate) return `${dayOf(from)}, all day`
  const zone =
    oneLine(String(start.getParameter('tzid') ?? '')) ||
    (from.zone === ICAL.Timezone.utcTimezone ? 'UTC' : '')
  let when = `${dayOf(from)}, ${clock(from)}`
  if (until instanceof ICAL.Time)
    when += ` to ${dayOf(until) === dayOf(from) ? '' : `${dayOf(until)}, `}${clock(until)}`
  return zone === '' ? when : `${when} (${zone})`
}

function personOf(property: ICAL.Property): string {
  const address = oneLine(String(property.getFirstValue() ?? '')).replace(/^mailto:/i, '')
  const name = oneLine(String(property.getParameter('cn') ?? ''))
  return name === '' || name === address ? address : `${name} <${address}>`
}

const answers = new Map([
  ['ACCEPTED', 'yes'],
  ['DECLINED', 'no'],
  ['TENTATIVE', 'maybe'],
])

function answerOf(property: ICAL.Property): string {
  const answer = answers.get(String(property.getParameter('partstat') ?? '').toUpperCase())
  return answer === undefined ? personOf(property) : `${personOf(property)} says ${answer}`
}
