import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Thread } from '../../src/model/history.ts'
import type { Invitation } from '../../src/model/files/invitation.ts'
import { readInvitation } from '../../src/mail/files/invitation.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { examine } from '../support/page-check.ts'
import { signInAs } from '../support/web-client.ts'

/** A calendar of one event; more lines go into the event, `around` beside it. */
function calendar(lines: readonly string[], around: readonly string[] = [], method = 'REQUEST'): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `METHOD:${method}`,
    ...around,
    'BEGIN:VEVENT',
    'UID:1@brandt.example',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
}

const talk = calendar([
  'DTSTART;TZID=Europe/Berlin:20261117T160000',
  'DTEND;TZID=Europe/Berlin:20261117T170000',
  'SUMMARY:Talk about the parcel',
  'LOCATION:Harbour Street 7',
  'RRULE:FREQ=WEEKLY;COUNT=3',
  'ORGANIZER;CN=Carla Brandt:mailto:carla@brandt.example',
  'ATTENDEE;CN=Bob Miller;RSVP=TRUE;PARTSTAT=ACCEPTED:mailto:bob@miller.example',
  'ATTENDEE:mailto:support@shop.example',
])

/** Outlook's own name for a zone, with its rules in the file. */
const outlook = calendar(
  ['DTSTART;TZID=W. Europe Standard Time:20261117T160000', 'DURATION:PT90M', 'SUMMARY:From Outlook'],
  [
    'BEGIN:VTIMEZONE',
    'TZID:W. Europe Standard Time',
    'BEGIN:STANDARD',
    'DTSTART:16010101T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010101T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ],
)

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
  const summer = readInvitation(calendar(['DTSTART;TZID=America/New_York:20260704T090000']))!
  assert.equal(summer.startsAt, '2026-07-04T13:00:00.000Z')
  const utc = readInvitation(calendar(['DTSTART:20261117T160000Z']))!
  assert.deepEqual([utc.startsAt, utc.zone], ['2026-11-17T16:00:00.000Z', 'UTC'])
  const floating = readInvitation(calendar(['DTSTART:20261117T160000']))!
  assert.deepEqual([floating.startsAt, floating.start, floating.zone], [null, '2026-11-17T16:00', null])
  const unknown = readInvitation(calendar(['DTSTART;TZID=Mars/Olympus:20261117T160000']))!
  assert.deepEqual([unknown.startsAt, unknown.zone], [null, 'Mars/Olympus'])
  const days = readInvitation(calendar(['DTSTART;VALUE=DATE:20261117', 'DTEND;VALUE=DATE:20261119']))!
  assert.deepEqual(
    [days.isAllDay, days.start, days.end, days.startsAt],
    [true, '2026-11-17', '2026-11-19', null],
  )
  assert.equal(readInvitation(calendar([], [], 'CANCEL'))!.kind, 'cancelled')
})

test('a hostile calendar is bounded and clean', () => {
  const many = Array.from({ length: 2000 }, (_, at) => `ATTENDEE;CN=G${at}:mailto:g${at}@brandt.example`)
  const hostile = readInvitation(
    calendar([
      `SUMMARY:in\u200bvisible \u202e ${'long '.repeat(5000)}`,
      'DTSTART:99999999T999999Z',
      'LOCATION:<img src=x onerror=alert(1)>',
      ...many,
    ]),
  )
  if (hostile !== null) {
    assert.ok(hostile.title.length <= 300 && !/[\u200b\u202e]/.test(hostile.title), hostile.title)
    assert.ok(hostile.guests.length <= 50)
    assert.equal(hostile.guestCount, 2000)
  }
  const named = readInvitation(calendar([`SUMMARY:in\u200bvisible ${'long '.repeat(5000)}`, ...many]))!
  assert.ok(named.title.startsWith('invisible long') && named.title.length <= 300)
  assert.deepEqual([named.guests.length, named.guestCount], [30, 2000])
  // Rules that never end are not followed.
  for (const rule of ['FREQ=SECONDLY', 'FREQ=YEARLY;BYHOUR=1,2;BYMINUTE=1,2;BYSECOND=1,2']) {
    const endless = outlook.replaceAll(/FREQ=YEARLY[^\r]*/g, rule)
    const { title, startsAt, start } = readInvitation(endless)!
    assert.deepEqual([title, startsAt, start], ['From Outlook', null, '2026-11-17T16:00'])
  }
  for (const broken of ['', 'BEGIN:VCALENDAR', 'x'.repeat(300_000), 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'])
    assert.equal(readInvitation(broken), null)
})

for (const database of databases) {
  const shared = shareSpool(database)
  test(`${database}: the page is told what a calendar file invites to, and nobody else is`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const strange = await signInAs(spool, (await openDesk(spool)).user)
    const { threadId } = await desk.receive({
      attachments: [
        { filename: 'invite.ics', type: 'text/calendar; method=REQUEST', content: talk },
        { filename: 'note.txt', type: 'text/plain', content: talk },
      ],
    })
    const [message] = (await page.do<Thread>('GET', `/threads/${threadId}`)).history
    assert.ok(message?.type === 'message')
    const read = (filename: string, as = page) =>
      as.ask(
        'GET',
        `/attachments/${message.attachments.find((file) => file.filename === filename)!.id}/invitation`,
      )
    const answer = await read('invite.ics')
    const { invitation } = JSON.parse(answer.text) as { invitation: Invitation }
    assert.deepEqual(invitation, {
      kind: 'invitation',
      title: 'Talk about the parcel',
      start: '2026-11-17T16:00',
      end: '2026-11-17T17:00',
      isAllDay: false,
      zone: 'Europe/Berlin',
      startsAt: '2026-11-17T15:00:00.000Z',
      endsAt: '2026-11-17T16:00:00.000Z',
      repeats: 'weekly',
      where: 'Harbour Street 7',
      organiser: { name: 'Carla Brandt', address: 'carla@brandt.example', answer: null },
      guests: [
        { name: 'Bob Miller', address: 'bob@miller.example', answer: 'yes' },
        { name: '', address: 'support@shop.example', answer: null },
      ],
      guestCount: 2,
      asksForAnswer: true,
    })
    assert.deepEqual(JSON.parse((await read('note.txt')).text), { invitation: null })
    assert.equal((await read('invite.ics', strange)).status, 404)
  })
}

test("a card shows an invitation in the reader's own time", { skip: browserMissing }, async () => {
  const spool = await shareSpool('sqlite')()
  const desk = await openDesk(spool)
  const { threadId } = await desk.receive({
    subject: 'Invitation: Talk about the parcel',
    html: '<p>Please <b>come</b>.</p>',
    attachments: [{ filename: 'invite.ics', type: 'text/calendar; method=REQUEST', content: talk }],
  })
  await using reader = await visit(spool, { timeZone: 'America/New_York', locale: 'en-US' })
  const { page } = reader
  await signInAt(spool, reader, desk.user, `/open/${threadId}`)
  const card = page.getByRole('region', { name: 'Invitation' })
  await card.getByRole('heading', { name: 'Talk about the parcel' }).waitFor()
  const words = (await card.innerText()).replaceAll(/[\s\u202f\u2009]+/g, ' ')
  assert.match(words, /Tue, Nov 17, 2026, 10:00 – 11:00 AM \(your time, America\/New_York\)/)
  assert.match(words, /Tue, Nov 17, 2026, 4:00 – 5:00 PM \(Europe\/Berlin\)/)
  assert.match(words, /Every week Where Harbour Street 7 Organiser Carla Brandt <carla@brandt\.example>/)
  assert.match(words, /Guests Bob Miller <bob@miller\.example> \(yes\), support@shop\.example/)
  assert.match(words, /An answer is asked for: yes, no or maybe\./)
  assert.deepEqual(await examine(page, 'invitation'), [])
  assert.deepEqual(reader.problems, [])
})
