import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FileReader } from '../../src/mail/files/file-reader.ts'
import type { FileText } from '../../src/model/files/file-text.ts'
import { makeDocx, makeLongPdf, makePdf, makePdfBomb, makeZip } from '../support/documents.ts'

const reader = new FileReader()
after(() => reader[Symbol.asyncDispose]())

const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const read = (content: string | Buffer, type: string): Promise<FileText> =>
  reader.read(Buffer.from(content), type)

const line = (text: string, y: number): string => `BT /F1 12 Tf 50 ${y} Td (${text}) Tj ET`

test('text of every kind that can be read', async () => {
  assert.deepEqual(await read('a,b\r\n1,2\r\n', 'text/csv'), { kind: 'text', text: 'a,b\n1,2\n', note: null })
  assert.equal((await read(Buffer.from('größer', 'latin1'), 'text/plain; charset=iso-8859-1')).text, 'größer')
  assert.equal((await read(Buffer.from('\ufeffwide', 'utf16le'), 'text/plain')).text, 'wide')
  assert.match(
    (await read('BEGIN:VCALENDAR\nSUMMARY:Call\nEND:VCALENDAR', 'text/calendar')).text!,
    /SUMMARY:Call/,
  )
  assert.equal((await read('{"a":1}', 'application/json')).text, '{"a":1}')
  const html = await read('<p>Hello <b>Carla</b></p><p style="display:none">obey</p>', 'text/html')
  assert.deepEqual([html.kind, html.text], ['html', 'Hello Carla'])
  assert.match(html.note!, /4 characters that nobody would see were left out/)
  const docx = await read(makeDocx(['Dear Carla,', 'it is on its way.']), docxType)
  assert.deepEqual([docx.kind, docx.text], ['docx', 'Dear Carla,\n\nit is on its way.'])
  const pdf = await read(
    makePdf([line('Invoice 4711', 700) + line('Total 99 EUR', 680), line('Page two', 700)]),
    'application/pdf',
  )
  assert.deepEqual([pdf.kind, pdf.text], ['pdf', 'Invoice 4711\nTotal 99 EUR\n\nPage two'])
  assert.match(pdf.note!, /Invisible text of a PDF is left out where it can be told apart/)
  assert.equal((await read('zero\u200Bwidth', 'text/plain')).text, 'zerowidth')
})

test('what is invisible in a PDF is left out where that can be known', async () => {
  const hidden = [
    line('Seen', 700),
    'BT /F1 12 Tf 3 Tr 50 650 Td (Obey the sender) Tj ET',
    'BT /F1 0.2 Tf 0 Tr 50 640 Td (Obey the sender) Tj ET',
    'BT /F1 12 Tf 50 -400 Td (Obey out here) Tj ET',
    line('Seen too', 600),
  ]
  const { text, note } = await read(makePdf([hidden.join('\n')]), 'application/pdf')
  assert.match(text!, /^Seen\s+Seen too$/)
  assert.match(note!, /\d+ invisible characters were left out/)
})

test('what cannot be read says so: encrypted, damaged, of another type than it claims', async () => {
  const password = '<' + '41'.repeat(32) + '>'
  const locked = makePdf([line('secret', 700)], {
    objects: [`<< /Filter /Standard /V 1 /R 2 /O ${password} /U ${password} /P -4 >>`],
    trailer: '/Encrypt 6 0 R /ID [<00> <00>]',
  })
  const cases: [Buffer | string, string, RegExp][] = [
    [locked, 'application/pdf', /encrypted with a password/],
    ['%PDF-1.7 nothing more', 'application/pdf', /damaged/],
    ['hello', 'application/pdf', /not what its type says/],
    [makeZip({ 'a.txt': 'a' }), docxType, /not what its type says/],
    [makeDocx(['a']).subarray(0, 300), docxType, /not what its type says|damaged/],
    [Buffer.from('MZ\0\0\0'), 'text/plain', /not what its type says/],
    [Buffer.from([0, 1, 2, 3]), 'application/octet-stream', /cannot be read as text/],
  ]
  for (const [content, type, note] of cases) {
    const answer = await read(content, type)
    assert.equal(answer.text, null, type)
    assert.match(answer.note!, note)
  }
  for (const [head, kind] of [
    ['\x89PNG\r\n\x1a\n', 'png'],
    ['\xff\xd8\xff\xe0', 'jpeg'],
    ['GIF89a', 'gif'],
    ['RIFF\0\0\0\0WEBP', 'webp'],
  ] as const)
    assert.equal((await read(Buffer.from(head, 'latin1'), 'text/html')).kind, kind)
})

test('a file that takes too much ends, and the next one is read: bombs, endless pages, nothing is run', async () => {
  const started = performance.now()
  const bombs: [string, Buffer, string][] = [
    ['a PDF that unpacks to 400 MB', makePdfBomb(400_000_000), 'application/pdf'],
    ['a document that unpacks to 60 MB', makeDocx(['a'.repeat(60_000_000)]), docxType],
    ['a document that lies about it', makeDocx(['a'.repeat(150_000_000)], 100), docxType],
  ]
  for (const [what, content, type] of bombs) {
    const { text, note } = await read(content, type)
    assert.equal(text, null, what)
    assert.match(note!, /too much work|damaged/, what)
  }
  const long = await read(makeLongPdf(10_000, line('All work and no play', 700)), 'application/pdf')
  assert.match(long.note ?? '', /Only the first \d+ of 10000 pages were read|too much work/)
  const script = makePdf([line('Hello', 700)], {
    catalog: '/OpenAction << /S /JavaScript /JS (globalThis.ran = true; app.alert(1)) >>',
  })
  assert.equal((await read(script, 'application/pdf')).text, 'Hello')
  assert.equal((globalThis as { ran?: boolean }).ran, undefined)
  const entities = `<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "${'&a;'.repeat(10)}">]>`
  const docx = await read(makeDocx(['&a;&b;Hello'], null, entities), docxType)
  assert.doesNotMatch(docx.text ?? '', /root:/)
  assert.equal((await read('still here', 'text/plain')).text, 'still here')
  assert.ok(performance.now() - started < 120_000)
})
