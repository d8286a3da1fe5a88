/** A calendar with one event. `lines` go into the event, `around` go next to it. */
export function writeCalendar(
  lines: readonly string[],
  around: readonly string[] = [],
  method = 'REQUEST',
): string {
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

export const talk = writeCalendar([
  'DTSTART;TZID=Europe/Berlin:20261117T160000',
  'DTEND;TZID=Europe/Berlin:20261117T170000',
  'SUMMARY:Talk about the parcel',
  'LOCATION:Harbour Street 7',
  'RRULE:FREQ=WEEKLY;COUNT=3',
  'ORGANIZER;CN=Carla Brandt:mailto:carla@brandt.example',
  'ATTENDEE;CN=Bob Miller;RSVP=TRUE;PARTSTAT=ACCEPTED:mailto:bob@miller.example',
  'ATTENDEE:mailto:support@shop.example',
])

/** Outlook's name for a time zone, with the rules of the zone in the file. */
export const outlook = writeCalendar(
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
