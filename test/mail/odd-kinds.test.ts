import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'

const read = (raw: string | Buffer) => parseMail(typeof raw === 'string' ? Buffer.from(raw) : raw)

describe('odd kinds of mail', () => {
  test('a header with 10,000 recipients still tells subject, ids, date and sender, and the text is read', () => {
    const to = Array.from({ length: 10_000 }, (_, at) => `Person Number ${at} <person${at}@example.com>`)
    const mail = read(
      `To: ${to.join(',\n ')}\nFrom: Carla <carla@brandt.example>\nSubject: To all\nMessage-ID: <a@b.example>\nReferences: <c@b.example>\nDate: Tue, 03 Nov 2026 10:42:11 +0100\n\nHello all.\n`,
    )
    assert.equal(mail.subject, 'To all')
    assert.equal(mail.messageId, '<a@b.example>')
    assert.deepEqual(mail.references, ['<c@b.example>'])
    assert.equal(mail.date, Date.UTC(2026, 10, 3, 9, 42, 11))
    assert.equal(mail.from?.address, 'carla@brandt.example')
    assert.ok(mail.to.length >= 1000, `${mail.to.length} recipients`)
    assert.equal(mail.text.trim(), 'Hello all.')
  })

  test('a U+FFFD that was sent as valid UTF-8 stays one', () => {
    assert.equal(
      read('Content-Type: text/plain; charset=utf-8\n\nA \ufffd here.\n').text.trim(),
      'A \ufffd here.',
    )
  })

  test('a footer that a list put after base64 is not decoded', () => {
    const body = Buffer.from('Where is my order?\n').toString('base64')
    for (const end of ['', 'x', 'xy']) {
      const text = Buffer.from(`Where is my order?${end}\n`).toString('base64')
      const footer =
        '_______________________________________________\nUsers mailing list\nhttps://lists.example/users\n'
      const mail = read(`Content-Transfer-Encoding: base64\n\n${text}\n${footer}`)
      assert.equal(mail.text.trim(), `Where is my order?${end}`)
    }
    // Padding in every line is no end.
    assert.equal(
      read(`Content-Transfer-Encoding: base64\n\n${body}\n${body}\n`).text.trim(),
      'Where is my order?\nWhere is my order?',
    )
  })

  test('prose between the words begin and end is no uuencoded file', () => {
    const file = 'begin 644 a.txt\n#0V%T\n`\nend'
    assert.equal(read(`Subject: x\n\n${file}\n`).attachments.length, 1)
    for (const empty of [' ', ''])
      assert.equal(read(`Subject: x\n\n${file.replace('`', empty)}\n`).attachments.length, 1, 'a lost space')
    for (const prose of [
      'begin 100 miles from here\nTurn left.\n\nend',
      'begin 644 report.txt\nPage 1\nPage 2\n`\nend',
      'begin 100 miles from here\nTURN LEFT\n\nend',
      file.replace('`\n', ''),
      file.replace('V', 'v'),
      file.replace('#', '3'),
    ]) {
      const { text, attachments } = read(`Subject: x\n\n${prose}\n`)
      assert.deepEqual([text.trim(), attachments], [prose, []])
    }
  })

  test('of two plain alternatives the last counts', () => {
    const part = (text: string) => `--b\nContent-Type: text/plain\n\n${text}\n`
    const mail = read(
      `Content-Type: multipart/alternative; boundary=b\n\n${part('poor')}${part('better')}--b--\n`,
    )
    assert.equal(mail.text.trim(), 'better')
  })

  test('a multipart whose header lost its boundary is read, not shown as its source', () => {
    const leaf = (boundary: string, text: string) => `--${boundary}\nContent-Type: text/plain\n\n${text}\n`
    const whole = `${leaf('=_a b', 'Hello!')}--=_a b\nContent-Type: text/html\n\n<p>Hello!</p>\n--=_a b--\n`
    for (const parameter of ['', ';', '; boundary=', '; boundary=""'])
      assert.equal(read(`Content-Type: multipart/alternative${parameter}\n\n${whole}`).text.trim(), 'Hello!')
    // The boundary of the multipart around it is not its own.
    const inner = '--b\nContent-Type: multipart/mixed\n\nNothing.\n'
    const outer = `Content-Type: multipart/mixed; boundary=b\n\n${inner}${leaf('b', 'Hello!')}--b--\n`
    assert.equal(read(outer).text.trim(), 'Nothing.\n\nHello!')
    // Dashes alone are text.
    const dashes = 'Content-Type: multipart/mixed\n\n--\nCarla\n--x\nBob\n'
    assert.equal(read(dashes).text.trim(), '--\nCarla\n--x\nBob')
  })

  test('a variant that nobody reads is kept as a file where it is the only one', () => {
    const part = (type: string) => `--b\nContent-Type: ${type}\n\nHello\n`
    const filesOf = (...types: string[]) =>
      read(
        `Content-Type: multipart/alternative; boundary=b\n\n${types.map(part).join('')}--b--\n`,
      ).attachments.map(({ contentType }) => contentType)
    assert.deepEqual(filesOf('text/enriched'), ['text/enriched'])
    assert.deepEqual(filesOf('text/plain', 'text/enriched'), [])
  })

  test('a zone beyond 14 hours is read by its sign', () => {
    const dateOf = (zone: string) => read(`Date: Tue, 03 Nov 2026 10:00:00 ${zone}\n\nx`).date
    assert.equal(dateOf('+1900'), Date.UTC(2026, 10, 2, 15))
    assert.equal(dateOf('-2330'), Date.UTC(2026, 10, 4, 9, 30))
    assert.equal(dateOf('+1400'), Date.UTC(2026, 10, 2, 20))
  })

  for (const type of [
    'multipart/mixed boundary="b"',
    'multipart/mixed; charset=utf-8 boundary=b',
    'multipart/mixed\n boundary="b"',
  ])
    test(`a boundary without its semicolon is found: ${type.replace('\n', ' ')}`, () => {
      const mail = read(`Content-Type: ${type}\n\n--b\nContent-Type: text/plain\n\nHello\n--b--\n`)
      assert.equal(mail.text.trim(), 'Hello')
    })
})

describe('unlabelled 8-bit text', () => {
  /** Bytes by what Node can decode: the inverse of its decoder for the letters needed. */
  function encode(text: string, charset: string): Buffer {
    const decoder = new TextDecoder(charset)
    const table = new Map<string, number[]>()
    for (let high = 0x80; high < 0x100; high += 1) {
      table.set(decoder.decode(Uint8Array.of(high)), [high])
      for (let low = 0x40; low < 0x100; low += 1) {
        const two = decoder.decode(Uint8Array.of(high, low))
        if (two.length === 1 && two !== '\ufffd') table.set(two, [high, low])
      }
    }
    return Buffer.from(
      [...text].flatMap((letter) => (letter < '\x80' ? [letter.charCodeAt(0)] : table.get(letter)!)),
    )
  }

  const samples: [string, string][] = [
    ['windows-1252', 'Größe und Maße: bitte prüfen Sie das, müßte passen. Ça va très bien, señor.'],
    ['windows-1251', 'Здравствуйте, где моя посылка, отправленная в понедельник?'],
    ['koi8-r', 'Здравствуйте, где моя посылка, отправленная в понедельник?'],
    ['iso-8859-2', 'Dzień dobry, gdzie jest paczka? Proszę o szybką odpowiedź, dziękuję.'],
    ['windows-1253', 'Καλημέρα, πού είναι το δέμα μου; Ευχαριστώ πολύ.'],
    ['windows-1255', 'שלום, איפה החבילה שלי שנשלחה ביום שני'],
    ['windows-1256', 'مرحبا، أين الطرد الذي أرسلتموه يوم الاثنين'],
    ['shift_jis', '月曜日に送られた荷物はどこにありますか。よろしくお願いします。'],
    ['euc-jp', '月曜日に送られた荷物はどこにありますか。よろしくお願いします。'],
    ['gbk', '我们星期一寄出的包裹现在在哪里，请你们告诉我这个地址。'],
    ['big5', '我們星期一寄出的包裹現在在哪裡，請你們告訴我這個地址。'],
    ['euc-kr', '월요일에 보낸 소포는 어디에 있습니까? 감사합니다.'],
  ]
  for (const [charset, text] of samples)
    test(`${charset} is told by its letters`, () => {
      const raw = Buffer.concat([Buffer.from('Subject: x\n\n'), encode(text, charset), Buffer.from('\n')])
      assert.equal(read(raw).text.trim(), text)
    })
  for (const [charset, text] of samples.filter(([name]) => /^(?:windows-125[1-5]|koi8|iso)/.test(name)))
    test(`${charset} that is labelled utf-8 too`, () => {
      const header = Buffer.from('Subject: x\nContent-Type: text/plain; charset=utf-8\n\n')
      assert.equal(read(Buffer.concat([header, encode(text, charset)])).text.trim(), text)
    })

  test('a single letter is taken for Western', () => {
    assert.equal(
      read(Buffer.from('Subject: x\n\nGr\xf6\xdfe 42, caf\xe9\n', 'latin1')).text.trim(),
      'Größe 42, café',
    )
  })
})
