/** The event of a calendar file as separate fields, so that the page can show it in the reader's own time zone. */

import ICAL from 'ical.js'
import type { Invitation } from '../../model/files/invitation.ts'
import { toTime } from '../../model/time.ts'
import { readPlain } from '../normal-form.ts'
import { answers, endOf, openEvent, zoneOf } from '../parse/calendar.ts'

const longestFile = 200_000
const longestValue = 300
const mostGuests = 30

const kinds: Record<string, Invitation['kind']> = {
  REQUEST: 'invitation',
  CANCEL: 'cancelled',
  REPLY: 'answer',
  COUNTER: 'counter',
}
const rhythms = ['daily', 'weekly', 'monthly', 'yearly'] as const

/** Null if the file cannot be read or contains no event. */
export function readInvitation(source: string): Invitation | null {
  const found = source.length > longestFile ? null : openEvent(source)
  try {
    return found && describe(found.event, found.calendar)
  } catch {
    return null
  }
}

function describe(event: ICAL.Component, calendar: ICAL.Component): Invitation {
  const valueOf = (name: string): string => clean(event.getFirstPropertyValue(name))
  const method = clean(calendar.getFirstPropertyValue('method')).toUpperCase()
  const guests = event.getAllProperties('attendee')
  const organiser = event.getFirstProperty('organizer')
  const rule = event.getFirstPropertyValue('rrule')
  // Every second week is not weekly; the mail's text says it.
  const rhythm = rule instanceof ICAL.Recur && rule.interval === 1 ? String(rule.freq).toLowerCase() : ''
  return {
    kind: kinds[method] ?? 'event',
    title: valueOf('summary'),
    ...timesOf(event, calendar),
    repeats: rhythms.find((each) => each === rhythm) ?? null,
    where: valueOf('location'),
    organiser: organiser && guestOf(organiser),
    guests: guests.slice(0, mostGuests).map(guestOf),
    guestCount: guests.length,
    asksForAnswer:
      method === 'REQUEST' && guests.some((guest) => clean(guest.getParameter('rsvp')) === 'TRUE'),
  }
}

/** A single line without invisible characters. */
function clean(value: unknown): string {
  const text = typeof value === 'string' ? value : String(value ?? '')
  return readPlain(text.slice(0, 2 * longestValue))
    .text.replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longestValue)
    .toWellFormed()
}

function guestOf(property: ICAL.Property): Invitation['guests'][number] {
  return {
    name: clean(property.getParameter('cn')),
    address: clean(property.getFirstValue()).replace(/^mailto:/i, ''),
    answer: answers.get(clean(property.getParameter('partstat')).toUpperCase()) ?? null,
  }
}

type Times = Pick<Invitation, 'start' | 'end' | 'isAllDay' | 'zone' | 'startsAt' | 'endsAt'>

function timesOf(event: ICAL.Component, calendar: ICAL.Component): Times {
  const property = event.getFirstProperty('dtstart')
  const start = property?.getFirstValue()
  if (!property || !(start instanceof ICAL.Time))
    return { start: null, end: null, isAllDay: false, zone: null, startsAt: null, endsAt: null }
  const end = endOf(event, start)
  const zone = clean(zoneOf(property))
  const ending = event.getFirstProperty('dtend')
  const endZone = (ending && clean(zoneOf(ending))) || zone
  const momentOf = (time: ICAL.Time | null, zone: string): string | null => {
    if (time === null || time.isDate || zone === '') return null
    const moment = wallOf(time) - offsetIn(zone, time, calendar) * 1000
    return isWithinReach(moment) ? toTime(moment) : null
  }
  return {
    start: write(start),
    end: end && (endZone === zone ? write(end) : writeIn(zone, momentOf(end, endZone))),
    isAllDay: start.isDate,
    zone: zone || null,
    startsAt: momentOf(start, zone),
    endsAt: momentOf(end, endZone),
  }
}

function write(time: ICAL.Time): string | null {
  const wall = wallOf(time)
  return isWithinReach(wall) ? new Date(wall).toISOString().slice(0, time.isDate ? 10 : 16) : null
}

/** A moment on the clocks of another zone, if that has a standard name. */
function writeIn(zone: string, moment: string | null): string | null {
  const time = Date.parse(moment ?? '')
  const offset = zone === 'UTC' ? 0 : knownOffset(zone, time)
  if (Number.isNaN(time) || offset === null) return null
  return new Date(time + offset * 1000).toISOString().slice(0, 16)
}

/** Only years with four digits. */
function isWithinReach(moment: number): boolean {
  return moment >= Date.UTC(1000, 0) && moment < Date.UTC(10_000, 0)
}

function wallOf({ year, month, day, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** In seconds; NaN if neither Intl nor the file knows the zone. The file's rules apply only to names Intl lacks. */
function offsetIn(zone: string, time: ICAL.Time, calendar: ICAL.Component): number {
  if (zone === 'UTC') return 0
  const wall = wallOf(time)
  const first = knownOffset(zone, wall)
  // Look it up again at the actual moment: the clocks may have changed in between.
  if (first !== null) return knownOffset(zone, wall - first * 1000) ?? first
  const rules = calendar
    .getAllSubcomponents('vtimezone')
    .find((each) => clean(each.getFirstPropertyValue('tzid')) === zone)
  return rules && isUsual(rules) ? new ICAL.Timezone(rules).utcOffset(time) : Number.NaN
}

/** Usual number of values per rule part: the last Sunday of October, or the Sunday from the 8th to the 14th. */
const usualParts: Record<string, number> = { BYMONTH: 1, BYDAY: 1, BYMONTHDAY: 7 }

/** Clocks change on one day of a month, each year. Other rules can be crafted to take forever to evaluate. */
function isUsual(rules: ICAL.Component): boolean {
  const changes = rules.getAllSubcomponents().flatMap((each) => each.getAllProperties('rrule'))
  return changes.every((change) => {
    const rule = change.getFirstValue()
    return (
      rule instanceof ICAL.Recur &&
      rule.freq === 'YEARLY' &&
      Object.entries(rule.parts).every(([part, values = []]) => values.length <= (usualParts[part] ?? 0))
    )
  })
}

/** Null if the zone has no standard name such as `Europe/Berlin`. */
function knownOffset(zone: string, moment: number): number | null {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')!.value
    const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
    return (sign === '-' ? -60 : 60) * (60 * Number(hours) + Number(minutes))
  } catch {
    return null
  }
}
