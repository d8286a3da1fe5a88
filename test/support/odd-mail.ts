/** Rare kinds of mail, each with what Spool must show people and programs. */

import type { MailWarning } from '../../src/model/mail/mail.ts'
import { talk } from './calendars.ts'

export interface OddMail {
  /** Also the subject. */
  name: string
  raw: Buffer
  /** The complete text. */
  text: string
  warnings?: MailWarning[]
  files?: string[]
  /** ISO, only if the time is what is unusual. */
  timestamp?: string
}

const usualTime = '2026-11-03T09:42:11.000Z'

/** Adds a standard header to `rest`. */
function mail(
  subject: string,
  rest: string | Buffer,
  { to = 'support@shop.example', zone = '+0100' } = {},
): Buffer {
  const header = [
    `To: ${to}`,
    'From: Carla Brandt <carla@brandt.example>',
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(/\W/g, '-')}@brandt.example>`,
    `Date: Tue, 03 Nov 2026 10:42:11 ${zone}`,
    '',
  ].join('\n')
  return Buffer.concat([Buffer.from(header), Buffer.from(rest)])
}

const parts = (kind: string, ...each: string[]) =>
  `Content-Type: multipart/${kind}; boundary=b\n\n${each.map((part) => `--b\n${part}\n`).join('')}--b--\n`
const file = (type: string, name: string, content: string) =>
  `Content-Type: ${type}; name=${name}\nContent-Disposition: attachment; filename=${name}\nContent-Transfer-Encoding: base64\n\n${Buffer.from(content).toString('base64')}\n`

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
).toString('latin1')
const pictureFile = (name: string) =>
  `Content-Type: image/png; name=${name}\nContent-Transfer-Encoding: base64\n\n${Buffer.from(picture, 'latin1').toString('base64')}\n`

const armour = '-----BEGIN PGP MESSAGE-----\n\nhQEMA9SdFjOqYxXLAQf/WxQk\n=Zx1b\n-----END PGP MESSAGE-----'
const pgp =
  'This message is encrypted with PGP. Only its recipient’s key opens it; the encrypted file is attached.'

export const oddMail: OddMail[] = [
  {
    name: 'An invitation',
    raw: mail(
      'An invitation',
      `Content-Type: text/calendar; method=REQUEST; name=invite.ics; charset=utf-8\n\n${talk}\n`,
    ),
    text: [
      'Invitation: Talk about the parcel',
      'When: Tue, 17 Nov 2026, 16:00 to 17:00 (Europe/Berlin)',
      'Repeats: every week, 3 times',
      'Where: Harbour Street 7',
      'Organiser: Carla Brandt <carla@brandt.example>',
      'Guests: Bob Miller <bob@miller.example>, support@shop.example',
      'An answer is asked for: yes, no or maybe.',
    ].join('\n'),
    files: ['invite.ics'],
  },
  {
    name: 'A mail that is another mail',
    raw: mail(
      'A mail that is another mail',
      'Content-Type: message/rfc822\n\nFrom: Bob Miller <bob@miller.example>\nSubject: Parcel\n\nWhere is it?\n',
    ),
    text: 'From: Bob Miller <bob@miller.example>\nSubject: Parcel\n\nWhere is it?',
    files: ['Parcel.eml'],
  },
  {
    name: 'Encrypted with SMIME',
    raw: mail(
      'Encrypted with SMIME',
      file('application/pkcs7-mime; smime-type=enveloped-data', 'smime.p7m', 'secret'),
    ),
    text: 'This message is encrypted with S/MIME. Only its recipient’s key opens it; the encrypted file is attached.',
    warnings: ['encrypted'],
    files: ['smime.p7m'],
  },
  {
    name: 'Encrypted with PGP',
    raw: mail(
      'Encrypted with PGP',
      parts(
        'encrypted; protocol="application/pgp-encrypted"',
        'Content-Type: application/pgp-encrypted; name=version.txt\n\nVersion: 1\n',
        `Content-Type: application/octet-stream; name=encrypted.asc\n\n${armour}\n`,
      ),
    ),
    text: pgp,
    warnings: ['encrypted'],
    files: ['version.txt', 'encrypted.asc'],
  },
  {
    name: 'PGP in the text',
    raw: mail('PGP in the text', `\nHello,\n\n${armour}\n\nCarla\n`),
    text: `Hello,\n\n${pgp}\n\nCarla`,
    warnings: ['encrypted'],
    files: ['encrypted.asc'],
  },
  {
    name: 'Only winmail',
    raw: mail('Only winmail', file('application/ms-tnef', 'winmail.dat', 'x')),
    text: 'This message is in a format of Outlook’s own (winmail.dat), which cannot be opened here; the file is attached.',
    warnings: ['unreadable_part'],
    files: ['winmail.dat'],
  },
  {
    name: 'Only pictures',
    raw: mail('Only pictures', parts('mixed', pictureFile('one.png'), pictureFile('two.png'))),
    text: 'This message has no text, only 2 pictures: one.png, two.png.',
    files: ['one.png', 'two.png'],
  },
  {
    name: 'Only a file',
    raw: mail('Only a file', file('application/pdf', 'invoice.pdf', '%PDF-1.4')),
    text: 'This message has no text, only a file: invoice.pdf.',
    files: ['invoice.pdf'],
  },
  {
    name: 'Ten thousand recipients',
    raw: mail('Ten thousand recipients', '\nHello all.\n', {
      to: Array.from({ length: 10_000 }, (_, at) => `Person Number ${at} <person${at}@example.com>`).join(
        ',\n ',
      ),
    }),
    text: 'Hello all.',
  },
  {
    name: 'A replacement character that was sent',
    raw: mail(
      'A replacement character that was sent',
      'Content-Type: text/plain; charset=utf-8\n\nA \ufffd here.\n',
    ),
    text: 'A \ufffd here.',
  },
  {
    name: 'A footer after base64',
    raw: mail(
      'A footer after base64',
      `Content-Transfer-Encoding: base64\n\n${Buffer.from('Where is my order?\n').toString('base64')}\n_______________________________________________\nUsers mailing list\nhttps://lists.example/users\n`,
    ),
    text: 'Where is my order?',
  },
  {
    name: 'Two plain alternatives',
    raw: mail(
      'Two plain alternatives',
      parts('alternative', 'Content-Type: text/plain\n\npoor', 'Content-Type: text/plain\n\nbetter'),
    ),
    text: 'better',
  },
  {
    name: 'A zone beyond 14 hours',
    raw: mail('A zone beyond 14 hours', '\nFrom far away.\n', { zone: '+1900' }),
    text: 'From far away.',
    timestamp: '2026-11-02T15:42:11.000Z',
  },
  {
    name: 'Unlabelled 8-bit text',
    raw: mail(
      'Unlabelled 8-bit text',
      Buffer.from('\nGr\xf6\xdfe und Ma\xdfe: bitte pr\xfcfen Sie das, m\xfc\xdfte passen.\n', 'latin1'),
    ),
    text: 'Größe und Maße: bitte prüfen Sie das, müßte passen.',
  },
  {
    name: 'A boundary without its semicolon',
    raw: mail(
      'A boundary without its semicolon',
      'Content-Type: multipart/mixed boundary="b"\n\n--b\nContent-Type: text/plain\n\nHello there.\n--b--\n',
    ),
    text: 'Hello there.',
  },
].map((each) => ({ timestamp: usualTime, ...each }) as OddMail)
