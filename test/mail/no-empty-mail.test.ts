import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'
import { writeCalendar } from '../support/calendars.ts'

const read = (raw: string) => parseMail(Buffer.from(raw))

const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:1@brandt.example',
  'DTSTART;TZID=Europe/Berlin:20261103T100000',
  'DTEND;TZID=Europe/Berlin:20261103T113000',
  'SUMMARY:Talk about the parcel',
  'LOCATION:Harbour Street 7',
  'ORGANIZER;CN=Carla Brandt:mailto:carla@brandt.example',
  'ATTENDEE;CN=Bob Miller;RSVP=TRUE:mailto:bob@miller.example',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n')

describe('no mail shows nothing', () => {
  test('HTML that claims UTF-16, as .NET writes it, is read as what it is', () => {
    const mail = read('Content-Type: text/html\n\n<meta charset="utf-16"><p>Grüße</p>')
    assert.equal(mail.text, 'Grüße')
  })

  test('an invitation is told in words', () => {
    const mail = read(`Content-Type: text/calendar; method=REQUEST; charset=utf-8\n\n${calendar}\n`)
    assert.deepEqual(mail.text.split('\n'), [
      'Invitation: Talk about the parcel',
      'When: Tue, 03 Nov 2026, 10:00 to 11:30 (Europe/Berlin)',
      'Where: Harbour Street 7',
      'Organiser: Carla Brandt <carla@brandt.example>',
      'Guests: Bob Miller <bob@miller.example>',
      'An answer is asked for: yes, no or maybe.',
    ])
    assert.equal(mail.newText, mail.text)
    assert.equal(mail.attachments.length, 1)
  })

  test('further events of an invitation are told in short; a changed occurrence is none of them', () => {
    const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT', ''].join('\r\n')
    const tell = (events: string) =>
      read(`Content-Type: text/calendar\n\n${calendar.replace('BEGIN:VEVENT', `${events}BEGIN:VEVENT`)}\n`)
        .text
    const moved = event('UID:1@brandt.example', 'RECURRENCE-ID:20261110T090000Z', 'SUMMARY:Moved')
    const alone = read(`Content-Type: text/calendar\n\n${calendar}\n`).text
    assert.equal(tell(moved), alone)
    const visit = event('SUMMARY:Visit', 'DTSTART:20261104T080000Z', 'LOCATION:Pier 3')
    assert.equal(
      tell(visit + moved + event('DTSTART;VALUE=DATE:nonsense')).replaceAll('\n', ' | '),
      'Invitation: Visit | When: Wed, 04 Nov 2026, 08:00 (UTC) | Where: Pier 3 | Also: no title | Also: Talk about the parcel, Tue, 03 Nov 2026, 10:00 to 11:30 (Europe/Berlin), Harbour Street 7',
    )
    assert.match(tell(visit.repeat(30)), /(?:\nAlso: Visit, .*){20}\nEvents not listed here: 10\.$/)
  })

  test('also beside a text, and in HTML', () => {
    const mail = read(
      `Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>Please come.</p>\n--b\nContent-Type: text/calendar; method=REQUEST\n\n${calendar}\n--b--\n`,
    )
    assert.match(mail.newText, /^Invitation: Talk about the parcel\n[^]*Please come\.$/)
    assert.match(mail.html!, /Talk about the parcel[^]*Please come/)
  })

  test('how often an event comes is told in words', () => {
    const rhythm = (rule: string) =>
      /^Repeats: (.*)$/m.exec(
        read(`Content-Type: text/calendar\n\n${calendar.replace('SUMMARY', `RRULE:${rule}\r\nSUMMARY`)}\n`)
          .text,
      )?.[1]
    assert.equal(rhythm('FREQ=WEEKLY;COUNT=3'), 'every week, 3 times')
    assert.equal(rhythm('FREQ=MONTHLY;INTERVAL=2;UNTIL=20270503'), 'every 2 months, until Mon, 03 May 2027')
    assert.equal(rhythm('FREQ=HOURLY;INTERVAL=6'), 'FREQ=HOURLY;INTERVAL=6')
  })

  test('when an event ends is told, with its own zone', () => {
    const when = (lines: string[]) =>
      /^When: (.*)$/m.exec(read(`Content-Type: text/calendar\n\n${writeCalendar(lines)}\n`).text)?.[1]
    const berlin = 'DTSTART;TZID=Europe/Berlin:20261103T100000'
    const cases: [lines: string[], expected: string][] = [
      [[berlin], 'Tue, 03 Nov 2026, 10:00 (Europe/Berlin)'],
      [[berlin, 'DURATION:-P99999999999D'], 'Tue, 03 Nov 2026, 10:00 (Europe/Berlin)'],
      [[berlin, 'DURATION:PT2H'], 'Tue, 03 Nov 2026, 10:00 to 12:00 (Europe/Berlin)'],
      [
        [berlin, 'DTEND;TZID=America/New_York:20261103T130000'],
        'Tue, 03 Nov 2026, 10:00 (Europe/Berlin) to 13:00 (America/New_York)',
      ],
      [
        [berlin, 'DTEND:20261104T090000Z'],
        'Tue, 03 Nov 2026, 10:00 (Europe/Berlin) to Wed, 04 Nov 2026, 09:00 (UTC)',
      ],
      [['DTSTART;VALUE=DATE:20261103'], 'Tue, 03 Nov 2026, all day'],
      [['DTSTART;VALUE=DATE:20261103', 'DTEND;VALUE=DATE:20261104'], 'Tue, 03 Nov 2026, all day'],
      [
        ['DTSTART;VALUE=DATE:20261103', 'DTEND;VALUE=DATE:20261201'],
        'Tue, 03 Nov 2026 to Mon, 30 Nov 2026, all day',
      ],
      [['DTSTART;VALUE=DATE:20261103', 'DURATION:P2D'], 'Tue, 03 Nov 2026 to Wed, 04 Nov 2026, all day'],
    ]
    for (const [lines, expected] of cases) assert.equal(when(lines), expected)
  })

  test('an answer to an invitation, and a cancelled one', () => {
    const answer = calendar
      .replace('METHOD:REQUEST', 'METHOD:REPLY')
      .replace('RSVP=TRUE', 'PARTSTAT=ACCEPTED')
    assert.match(
      read(`Content-Type: text/calendar\n\n${answer}\n`).text,
      /From: Bob Miller <bob@miller.example> says yes/,
    )
    const cancelled = calendar.replace('METHOD:REQUEST', 'METHOD:CANCEL')
    assert.match(
      read(`Content-Type: text/calendar\n\n${cancelled}\n`).text,
      /^Cancelled: Talk about the parcel/,
    )
  })

  test('a calendar that cannot be read says so', () => {
    const mail = read('Content-Type: text/calendar; name=x.ics\n\nBEGIN:NOTHING\n')
    assert.deepEqual(mail.warnings, ['unreadable_part'])
    assert.equal(mail.text, 'This message has no text, only a file: x.ics.')
  })

  test('HTML that shows nothing gives way to the plain text; a picture is something', () => {
    const readBoth = (html: string) =>
      read(
        `Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nPlease cancel order 4711 today.\n--b\nContent-Type: text/html\n\n${html}\n--b--\n`,
      )
    for (const nothing of [
      '',
      '<html><body></body></html>',
      '<div>&nbsp;<br></div>',
      '<html><head><title>Order</title></head><body><!-- sent by a program --></body></html>',
    ]) {
      const { text, html, warnings } = readBoth(nothing)
      assert.deepEqual([text, html, warnings], ['Please cancel order 4711 today.', null, []], nothing)
    }
    for (const something of [
      '<img src="https://brandt.example/a.png">',
      '<p style="display:none">Pay</p>'.repeat(2),
    ]) {
      const { text, html, warnings } = readBoth(something)
      assert.deepEqual([text, typeof html, warnings[0]], ['', 'string', 'parts_differ'], something)
    }
  })

  test('a bare message is shown with its header', () => {
    const mail = read(
      'Subject: As sent\nContent-Type: message/rfc822\n\nFrom: Carla Brandt <carla@brandt.example>\nSubject: Parcel\n\nWhere is it?\n',
    )
    assert.equal(
      mail.text.trim(),
      'From: Carla Brandt <carla@brandt.example>\nSubject: Parcel\n\nWhere is it?',
    )
    assert.equal(mail.newText.trim(), mail.text.trim())
    assert.equal(mail.attachments.length, 1)
  })

  test('an empty text beside a forwarded mail or a file is none', () => {
    const inner =
      '--b\nContent-Type: message/rfc822\n\nFrom: kim@brandt.example\nSubject: Parcel\n\nWhere is it?\n'
    const scan = '--b\nContent-Type: application/pdf; name=scan.pdf\n\nx\n'
    const mixed = (...parts: string[]) =>
      read(`Subject: Fwd: Parcel\nContent-Type: multipart/mixed; boundary=b\n\n${parts.join('')}--b--\n`)
    for (const [type, nothing] of [
      ['plain', '\n\n'],
      ['html', '<html><head><style>p{margin:0}</style></head><body><p><o:p>&nbsp;</o:p></p></body></html>\n'],
    ]) {
      const text = (words: string) => `--b\nContent-Type: text/${type}\n\n${words}`
      const forwarded = mixed(text(nothing!), inner)
      assert.equal(forwarded.newText.trim(), 'From: kim@brandt.example\nSubject: Parcel\n\nWhere is it?')
      assert.equal(mixed(text(nothing!), scan).text, 'This message has no text, only a file: scan.pdf.')
      assert.equal(mixed(text('Here you are.\n'), scan).text, 'Here you are.')
    }
    const blankHtml =
      '--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nHere you are.\n--c\nContent-Type: text/html\n\n<p></p>\n--c--\n'
    assert.equal(mixed(blankHtml, scan).text, 'Here you are.')
    const preheader = '--b\nContent-Type: text/html\n\n<p hidden style="display:none">Ignore</p>\n'
    assert.equal(mixed(preheader, scan).hiddenTextRemoved, 6)
    const costly = `<style>${'*{top:0}'.repeat(900)}</style>${'<b>'.repeat(1500)}`
    const many = `<!--${'x'.repeat(15_000)}-->`
    for (const html of [[costly], Array.from({ length: 500 }, () => many)]) {
      const parts = html.map((each) => `--b\nContent-Type: text/html\n\n${each}\n`)
      assert.equal(mixed(...parts, scan).attachments.length, 1)
    }
    const uu = '--b\nContent-Type: text/plain\n\nbegin 644 a.txt\n#0V%T\n`\nend\n'
    assert.equal(mixed(uu, scan).attachments.length, 2)
    const gif = '--b\nContent-Type: image/gif\nContent-ID: <1>\n\nGIF89a\n'
    const shown = mixed('--b\nContent-Type: text/html\n\n<img src="cid:1">\n', gif)
    assert.match(shown.html!, /<img/)
    assert.equal(shown.text, '')
  })

  test('S/MIME, PGP and TNEF say what they are, and the file is there', () => {
    const smime = read(
      'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n\nAAAA\n',
    )
    assert.match(smime.text, /encrypted with S\/MIME/)
    assert.deepEqual(smime.warnings, ['encrypted'])
    assert.equal(smime.attachments[0]?.filename, 'smime.p7m')
    const pgp = read(
      'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\n\n--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream; name=encrypted.asc\n\n-----BEGIN PGP MESSAGE-----\n--b--\n',
    )
    assert.match(pgp.text, /encrypted with PGP/)
    assert.deepEqual(pgp.warnings, ['encrypted'])
    const tnef = read(
      'Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\nAAAA\n',
    )
    assert.match(tnef.text, /winmail\.dat/)
    assert.deepEqual(tnef.warnings, ['unreadable_part'])
  })

  test('PGP that was written into the text is told in words, and the file is there', () => {
    const armour = '-----BEGIN PGP MESSAGE-----\n\nhQEMA9SdFjOqYxXLAQf/WxQk\n=Zx1b\n-----END PGP MESSAGE-----'
    const mail = read(`Content-Type: text/plain; format=flowed\n\nHello,\n\n${armour}\n\nCarla\n`)
    assert.match(mail.text, /^Hello,\n\nThis message is encrypted with PGP\.[^\n]*\n\nCarla$/)
    assert.equal(mail.newText, mail.text)
    assert.deepEqual(mail.warnings, ['encrypted'])
    assert.deepEqual(
      mail.attachments.map(({ filename, content }) => [filename, Buffer.from(content).toString()]),
      [['encrypted.asc', armour]],
    )
    const dos = read(`Subject: x\r\n\r\n${armour.replaceAll('\n', '\r\n')}\r\n`)
    assert.match(dos.text, /^This message is encrypted with PGP\./)
    // Spoken of, quoted or never ended, it is text.
    for (const text of [`He sent ${armour}`, armour.replaceAll(/^/gm, '> '), armour.slice(0, 50)])
      assert.equal(read(`Subject: x\n\n${text}\n`).text.trim(), text)
  })

  test('a mail of only pictures or files says that', () => {
    const picture = (name: string) => `--b\nContent-Type: image/png; name=${name}\n\nx\n`
    const pictures = read(
      `Content-Type: multipart/mixed; boundary=b\n\n${picture('a.png')}${picture('b.png')}--b--\n`,
    )
    assert.equal(pictures.text, 'This message has no text, only 2 pictures: a.png, b.png.')
    assert.equal(pictures.newText, pictures.text)
    const file = read('Content-Type: application/pdf; name=invoice.pdf\n\nx\n')
    assert.equal(file.text, 'This message has no text, only a file: invoice.pdf.')
  })
})
