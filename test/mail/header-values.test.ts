import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { readAddresses } from '../../src/mail/parse/addresses.ts'
import { cutBytes, cutText, decodeText } from '../../src/mail/parse/charset.ts'
import { readDate, readReceivedDate } from '../../src/mail/parse/dates.ts'
import { decodeWords } from '../../src/mail/parse/encoded-words.ts'
import { cleanFileName, messageFileName } from '../../src/mail/parse/file-name.ts'
import { unwrapFlowed } from '../../src/mail/parse/flowed.ts'
import { readInReplyTo, readMessageId, readReferences } from '../../src/mail/parse/message-ids.ts'
import { readParameters } from '../../src/mail/parse/parameters.ts'
import { decodeTransfer } from '../../src/mail/parse/transfer-encoding.ts'

describe('dates', () => {
  const known: [field: string, expected: string | null][] = [
    ['Tue, 3 Nov 2026 09:15:00 +0100', '2026-11-03T08:15:00.000Z'],
    ['3 Nov 2026 09:15 +0100', '2026-11-03T08:15:00.000Z'],
    ['Tue, 03 Nov 2026 09:15:00 GMT', '2026-11-03T09:15:00.000Z'],
    ['Tue, 3 Nov 2026 09:15:00 EST', '2026-11-03T14:15:00.000Z'],
    ['Tue, 3 Nov 2026 09:15:00 -0000 (UTC)', '2026-11-03T09:15:00.000Z'],
    ['Tue, 3 Nov 2026 09:15:00', '2026-11-03T09:15:00.000Z'],
    ['Tue, 3 Nov 2026 09:15:00 +1:30', '2026-11-03T07:45:00.000Z'],
    ['Tue, 3 Nov 2026 09:15:00 +9999', '2026-11-03T09:15:00.000Z'],
    ['Wed, 11 Feb 98 11:51 CST', '1998-02-11T17:51:00.000Z'],
    ['Thu, 25 Aug 05 10:00:00 +0200', '2005-08-25T08:00:00.000Z'],
    ['Thu, 25 Aug 105 10:00:00 +0000', '2005-08-25T10:00:00.000Z'],
    ['Tue Nov  3 09:15:00 2026', '2026-11-03T09:15:00.000Z'],
    ['Tue Nov  3 09:15:00 CET 2026', '2026-11-03T08:15:00.000Z'],
    ['Tuesday, November 3, 2026 9:15 PM', '2026-11-03T21:15:00.000Z'],
    ['3-Nov-2026 09:15:00 +0000', '2026-11-03T09:15:00.000Z'],
    ['Fri, 21 Nov 1997 09(comment):   55  :  06 -0600', '1997-11-21T15:55:06.000Z'],
    ['2026-11-03T09:15:00+01:00', '2026-11-03T08:15:00.000Z'],
    ['2026-11-03 09:15:00Z', '2026-11-03T09:15:00.000Z'],
    ['2026-11-03 09:15:00', '2026-11-03T09:15:00.000Z'],
    ['2026-11-03T09:15', '2026-11-03T09:15:00.000Z'],
    ['2026-11-03, 09:15', '2026-11-03T09:15:00.000Z'],
    ['2026-11-03', '2026-11-03T00:00:00.000Z'],
    ['2026-11-03 09:15:00 +0200', '2026-11-03T07:15:00.000Z'],
    ['2026-11-03 09:15:00.123456+02', '2026-11-03T07:15:00.000Z'],
    ['2026-11-03 09:15:00 GMT', '2026-11-03T09:15:00.000Z'],
    ['2026-11-03 09:15:00 PST', '2026-11-03T17:15:00.000Z'],
    ['2026-13-03 09:15:00', null],
    ['2026-11-03 59:15:00', null],
    ['Tue, 3 Nov 2026 09:15:00 constructor', '2026-11-03T09:15:00.000Z'],
    ['Thu, 1 Jan 1970 00:00:00 +0000', '1970-01-01T00:00:00.000Z'],
    ['Thu, 13 Feb 1969 23:32:54 -0330', null],
    ['Tue, 3 Nov 2026 59:10 -0500', null],
    ['Tue, 99 Nov 2026 09:15:00 +0000', null],
    ['yesterday', null],
    ['', null],
  ]
  for (const [field, expected] of known) {
    test(field || 'nothing', () => {
      const time = readDate(field)
      assert.equal(time === null ? null : new Date(time).toISOString(), expected)
    })
  }

  test('a date without a zone does not depend on that of the server', (t) => {
    const zone = process.env['TZ']
    t.after(() => {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    })
    process.env['TZ'] = 'America/New_York'
    assert.equal(new Date(2026, 10, 3).getUTCHours(), 5, 'the zone took effect')
    for (const field of ['2026-11-03 09:15:00', '2026-11-03T09:15:00', 'Tue, 3 Nov 2026 09:15:00'])
      assert.equal(readDate(field), Date.UTC(2026, 10, 3, 9, 15), field)
  })

  test('a Received field is dated by what follows its last semicolon', () => {
    const field = 'from a (b; c) by d with ESMTP id e; Tue, 3 Nov 2026 09:15:00 +0100 (CET)'
    assert.equal(readReceivedDate(field), Date.UTC(2026, 10, 3, 8, 15))
    assert.equal(readReceivedDate('from a by d'), null)
  })

  test('whatever a date writes is read as that date', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true }), (date) => {
        const time = Math.floor(date.getTime() / 1000) * 1000
        assert.equal(readDate(date.toUTCString()), time)
      }),
      { seed: 20261115 },
    )
  })
})

describe('message ids', () => {
  test('have brackets and no white space', () => {
    assert.equal(readMessageId(' <a@b> '), '<a@b>')
    assert.equal(readMessageId('a@b'), '<a@b>')
    assert.equal(readMessageId('<a @b>'), '<a@b>')
    assert.equal(readMessageId('<>'), null)
    assert.equal(readMessageId(''), null)
  })

  test('In-Reply-To: the first in brackets, whatever stands around it', () => {
    assert.equal(readInReplyTo('Your message of "Tue, 3 Nov" <a@b>'), '<a@b>')
    assert.equal(readInReplyTo('kim@example.com (Kim)  <a@b> <c@d>'), '<a@b>')
    assert.equal(readInReplyTo('a@b'), null)
    assert.equal(readInReplyTo('Your message of Tuesday'), null)
    assert.equal(readInReplyTo(''), null)
  })

  test('References: all in brackets, in order, without doubles', () => {
    assert.deepEqual(readReferences(['<a@b> <c@d>\t<a@b>', 'e@f, <g@h> <cut@off']), [
      '<a@b>',
      '<c@d>',
      '<g@h>',
    ])
    assert.deepEqual(readReferences(['word "quoted" <a@b>']), ['<a@b>'])
    assert.deepEqual(readReferences([]), [])
  })
})

test('encoded words: any text comes back, split anywhere', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      (text, size) => {
        const bytes = Buffer.from(text)
        const words: string[] = []
        for (let at = 0; at < bytes.length; at += size)
          words.push(`=?utf-8?B?${bytes.toString('base64', at, at + size)}?=`)
        assert.equal(decodeWords(words.join('\r\n ')), text)
        const quoted = [...bytes]
          .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
          .join('')
        assert.equal(decodeWords(`a =?UTF-8?Q?${quoted}?= b`), `a ${text} b`)
      },
    ),
    { seed: 20261115 },
  )
})

test('encoded words: question marks that a program left as they are', () => {
  for (const [field, text] of [
    ['=?UTF-8?Q?Wo_ist_meine_Bestellung??=', 'Wo ist meine Bestellung?'],
    ['=?UTF-8?Q?Where=3F_Here?_Or_there?= =?UTF-8?Q?_now??= (new)', 'Where? Here? Or there now? (new)'],
    ['=?UTF-8?Q?never closed? =?UTF-8?Q?Hi?=', '=?UTF-8?Q?never closed? Hi'],
  ] as const)
    assert.equal(decodeWords(field), text)
})

test('addresses: a name and an address come back, whatever the name', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme-ascii' }), {
        minLength: 1,
        maxLength: 5,
      }),
      (names) => {
        const clean = names
          .map((name) => name.replace(/\s+/g, ' ').trim())
          .filter((name) => name !== '' && !/^'.*'$/.test(name) && !name.includes('=?'))
        const field = clean
          .map((name, i) => `"${name.replace(/["\\]/g, '\\$&')}" <user${i}@example.com>`)
          .join(', ')
        assert.deepEqual(
          readAddresses(field),
          clean.map((name, i) => ({ name, address: `user${i}@example.com` })),
        )
      },
    ),
    { seed: 20261115 },
  )
})

test('parameters: quotes, comments, doubles, and an open quote that does not swallow the rest', () => {
  const read = (field: string) => Object.fromEntries(readParameters(field).parameters)
  assert.equal(readParameters('Text/PLAIN (comment); a=b').value, 'text/plain')
  assert.deepEqual(read('x; a="1;2"; B=3 (three); c = 4;; d'), { a: '1;2', b: '3', c: '4' })
  assert.deepEqual(read('x; boundary="b"; boundary="c"'), { boundary: 'b' })
  assert.deepEqual(read('x; name="open; boundary=b'), { name: 'open', boundary: 'b' })
  assert.deepEqual(read('x; name=Invoice(1).pdf'), { name: 'Invoice(1).pdf' })
})

describe('transfer encodings', () => {
  const decode = (text: string, encoding: string) =>
    Buffer.from(decodeTransfer(Buffer.from(text, 'latin1'), encoding)).toString('latin1')

  test('base64 that something wrapped anew in the middle of a line; words below it are a footer', () => {
    const text = 'SGVsbG8sIHdoZXJlIGlzIG15IG9yZGVyPyA=\nUGxlYXNlIGNhbmNl bCBvcmRlciA0NzExLg==\n'
    const said = 'Hello, where is my order? Please cancel order 4711.'
    assert.equal(decode(text, 'base64'), said)
    assert.equal(decode(`${text}Sent through the list\n`, 'base64'), said)
  })

  test('base64 of any bytes, wrapped, padded in every line, or with junk in it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const whole = Buffer.from(bytes)
        const text = whole.toString('base64')
        assert.equal(decode(text.replace(/.{1,76}/g, '$&\r\n'), 'base64'), whole.toString('latin1'))
        assert.equal(decode(text.replace(/[A-Z]/g, '$&-!'), 'Base64'), whole.toString('latin1'))
        const units = whole
          .toString('latin1')
          .replace(/[^]{1,10}/g, (unit) => `${Buffer.from(unit, 'latin1').toString('base64')}\n`)
        assert.equal(decode(units, 'base64'), whole.toString('latin1'))
      }),
      { seed: 20261115 },
    )
  })

  test('quoted-printable', () => {
    assert.equal(decode('a=\r\nb=20\r\nc \r\nd=E9', 'quoted-printable'), 'ab \r\nc\r\nd\xe9')
    assert.equal(decode('=e9=E9 = x =', 'Quoted-Printable'), '\xe9\xe9 = x ')
  })

  test('what is no encoding changes nothing', () => {
    assert.equal(decode('a=\r\nQUJD\0', '7-bit'), 'a=\r\nQUJD\0')
  })
})

test('charsets by their many names', () => {
  const bytes = Uint8Array.of(0xe9)
  for (const name of ['iso-8859-1', 'ISO_8859-1', 'latin1', '"windows-1252"', 'cp1252', 'x-unheard-of', '']) {
    assert.equal(decodeText(bytes, name), 'é', name)
  }
  assert.equal(decodeText(Uint8Array.of(0x82, 0xa0), 'cp932'), 'あ')
  assert.equal(decodeText(Uint8Array.of(0xb0, 0xa1), 'cp949'), '가')
})

test('text is cut between characters', () => {
  assert.equal(cutText('a€b', 4), 'a€')
  assert.equal(cutText('a€b', 3), 'a')
  assert.equal(cutText('😀😀', 7), '😀')
  const bytes = Buffer.from('a€😀b')
  const sizes = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((size) => cutBytes(bytes, size).length)
  assert.deepEqual(sizes, [9, 8, 4, 4, 4, 4, 1, 1, 1, 0])
  const other = Buffer.from([0x80, 0x81, 0x82, 0x83, 0x84, 0x85])
  assert.equal(cutBytes(other, 4).length, 4, 'what is not UTF-8 is cut where it was asked')
})

test('file names', () => {
  assert.equal(cleanFileName('a/b\\c.txt', 'text/plain'), 'c.txt')
  assert.equal(cleanFileName('', 'application/pdf'), 'attachment.pdf')
  assert.equal(cleanFileName('...', 'text/html'), 'attachment.html')
  assert.equal(cleanFileName('a\u202Etxt.exe', 'text/plain'), 'atxt.exe')
  assert.equal(messageFileName('Re: a/b?'), 'Re a b.eml')
  assert.equal(messageFileName(''), 'message.eml')
  const long = cleanFileName(`${'😀'.repeat(200)}.pdf`, 'application/pdf')
  assert.ok(long.length <= 200 && long.isWellFormed() && long.endsWith('.pdf'))
})

test('flowed text: depth of quotes separates paragraphs, a signature is never joined', () => {
  assert.equal(unwrapFlowed('> a \n> b\n>> c \nd', false), '> a b\n>> c \nd')
  assert.equal(unwrapFlowed('end \n-- \nme', false), 'end \n-- \nme')
})
