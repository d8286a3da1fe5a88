import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInvitation } from '../../src/mail/files/invitation.ts'
import { outlook, writeCalendar } from '../support/calendars.ts'

test('a calendar in parts: the moment is known where the zone is', () => {
  const { startsAt, endsAt, zone, start } = readInvitation(outlook)!
  assert.deepEqual(
    { startsAt, endsAt, zone, start },
    {
      startsAt: '2026-11-17T15:00:00.000Z',
      endsAt: '2026-11-17T16:30:00.000Z',
      zone: 'W. Europe Standard Time',
      start: '2026-11-17T16:00',
    },
  )
  const summer = readInvitation(writeCalendar(['DTSTART;TZID=America/New_York:20260704T090000']))!
  assert.equal(summer.startsAt, '2026-07-04T13:00:00.000Z')
  const utc = readInvitation(writeCalendar(['DTSTART:20261117T160000Z']))!
  assert.deepEqual([utc.startsAt, utc.zone], ['2026-11-17T16:00:00.000Z', 'UTC'])
  const flight = ['DTSTART;TZID=Europe/Berlin:20260701T100000', 'DTEND;TZID=America/New_York:20260701T130000']
  const { startsAt: leaves, endsAt: lands, end } = readInvitation(writeCalendar(flight))!
  assert.deepEqual([leaves, lands], ['2026-07-01T08:00:00.000Z', '2026-07-01T17:00:00.000Z'])
  assert.equal(end, '2026-07-01T19:00', 'as the clocks of the first zone show it')
  const mixed = ['DTSTART;TZID=Europe/Berlin:20260701T100000', 'DTEND:20260701T090000Z']
  assert.equal(readInvitation(writeCalendar(mixed))!.endsAt, '2026-07-01T09:00:00.000Z')
  const loose = ['DTSTART;TZID=Europe/Berlin:20260701T100000', 'DTEND:20260701T110000']
  assert.equal(readInvitation(writeCalendar(loose))!.endsAt, '2026-07-01T09:00:00.000Z')
  const floating = readInvitation(writeCalendar(['DTSTART:20261117T160000']))!
  assert.deepEqual([floating.startsAt, floating.start, floating.zone], [null, '2026-11-17T16:00', null])
  const unknown = readInvitation(writeCalendar(['DTSTART;TZID=Mars/Olympus:20261117T160000']))!
  assert.deepEqual([unknown.startsAt, unknown.zone], [null, 'Mars/Olympus'])
  const days = readInvitation(writeCalendar(['DTSTART;VALUE=DATE:20261117', 'DTEND;VALUE=DATE:20261119']))!
  assert.deepEqual(
    [days.isAllDay, days.start, days.end, days.startsAt],
    [true, '2026-11-17', '2026-11-19', null],
  )
  assert.equal(readInvitation(writeCalendar([], [], 'CANCEL'))!.kind, 'cancelled')
})

test('an event of every second week is not called weekly', () => {
  const repeatsOf = (rule: string) =>
    readInvitation(writeCalendar(['DTSTART:20261117T160000Z', `RRULE:${rule}`]))!.repeats
  assert.equal(repeatsOf('FREQ=WEEKLY'), 'weekly')
  assert.equal(repeatsOf('FREQ=WEEKLY;INTERVAL=2;COUNT=3'), null)
})

test('a hostile calendar is bounded and clean', () => {
  const many = Array.from({ length: 2000 }, (_, at) => `ATTENDEE;CN=G${at}:mailto:g${at}@brandt.example`)
  const named = readInvitation(writeCalendar([`SUMMARY:in\u200bvisible ${'long '.repeat(5000)}`, ...many]))!
  assert.ok(named.title.startsWith('invisible long') && named.title.length <= 300)
  assert.deepEqual([named.guests.length, named.guestCount], [30, 2000])
  // Times that no calendar has are none.
  for (const times of [['DTSTART:99999999T999999Z'], ['DTSTART:20261117T160000Z', 'DURATION:P99999999W']]) {
    const { title, end, endsAt } = readInvitation(writeCalendar(['SUMMARY:x\u202ey', ...times]))!
    assert.deepEqual([title, end, endsAt], ['xy', null, null])
  }
  assert.equal(readInvitation(writeCalendar(['DTSTART:99999999T999999Z']))!.start, null)
  // Rules that never end are not followed.
  for (const rule of ['FREQ=SECONDLY', 'FREQ=YEARLY;BYHOUR=1,2;BYMINUTE=1,2;BYSECOND=1,2']) {
    const endless = outlook.replaceAll(/FREQ=YEARLY[^\r]*/g, rule)
    const { title, startsAt, start } = readInvitation(endless)!
    assert.deepEqual([title, startsAt, start], ['From Outlook', null, '2026-11-17T16:00'])
  }
  for (const broken of ['', 'BEGIN:VCALENDAR', 'x'.repeat(300_000), 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'])
    assert.equal(readInvitation(broken), null)
})
