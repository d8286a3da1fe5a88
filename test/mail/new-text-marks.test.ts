import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'

function newTextOf(html: string, header = 'In-Reply-To: <first@brandt.example>\n'): string {
  const raw = `Subject: Re: Invoice\n${header}Content-Type: text/html; charset=utf-8\n\n<!doctype html>${html}`
  return parseMail(Buffer.from(raw)).newText.trim()
}

const attribution = 'Kedd, 2026. nov. 3. 10:42, Carla Brandt &lt;carla@brandt.example&gt; wrth:'
const old = '<p>Where is my order? I have been waiting for a week.</p>'
const headerBlock =
  '<b>Z:</b> Carla Brandt &lt;carla@brandt.example&gt;<br><b>Ku:</b> 3. 11. 2026 10:42<br><b>Per:</b> Support<br><b>Tema X:</b> Invoice'

/** Each in a language that no rule knows, so that only the mark can tell. */
const believed: [string, string][] = [
  [
    'Gmail',
    `<div>Yes.</div><div class="gmail_quote"><div class="gmail_attr">${attribution}</div><blockquote class="gmail_quote">${old}</blockquote></div>`,
  ],
  [
    'Thunderbird',
    `<p>Yes.</p><div class="moz-cite-prefix">${attribution}</div><blockquote type="cite">${old}</blockquote>`,
  ],
  [
    'Outlook on the web',
    `<div>Yes.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">${headerBlock}</div><div>${old}</div>`,
  ],
  [
    'as Outlook quotes Outlook',
    `<div>Yes.</div><hr><div id="x_divRplyFwdMsg">${headerBlock}</div><div>${old}</div>`,
  ],
  [
    'Outlook on Windows',
    `<p>Yes.</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p>${headerBlock}</p></div></div>${old}`,
  ],
]

/** Here a rule knows the words; the mark says how far the quote goes. */
const english =
  'On Tuesday, November 3, 2026 at 10:42:00 AM GMT+1, Carla Brandt &lt;carla@brandt.example&gt; wrote:'
const bounded: [string, string][] = [
  [
    'Yahoo',
    `<div>Yes.</div><div class="yahoo_quoted"><div>${english}</div><div>${old}</div></div><div>And one more thing.</div>`,
  ],
  [
    'Proton',
    `<div>Yes.</div><div class="protonmail_quote">${english}<br>${old}</div><div>And one more thing.</div>`,
  ],
]

describe('marks of mail programs', () => {
  for (const [name, html] of believed) {
    test(`${name}: history in an unknown language goes by its mark`, () => {
      assert.equal(newTextOf(html), 'Yes.')
    })
  }

  for (const [name, html] of bounded) {
    test(`${name}: what follows a marked quote is the sender's own`, () => {
      assert.equal(newTextOf(html), 'Yes.\n\nAnd one more thing.')
    })
  }

  for (const name of [
    'gmail_signature',
    'moz-signature',
    'protonmail_signature_block',
    'x_gmail_signature',
  ]) {
    test(`${name}: a marked signature at the end goes`, () => {
      const signature = `<div class="${name}">Bob Miller<br>Miller &amp; Sons</div>`
      assert.equal(newTextOf(`<div>Yes.</div>${signature}`), 'Yes.')
      const quote = `<div class="moz-cite-prefix">${attribution}</div><blockquote type="cite">${old}</blockquote>`
      assert.equal(newTextOf(`<div>Yes.</div>${signature}${quote}`), 'Yes.')
    })
  }

  test('answers between the quotes of a Gmail reply stay', () => {
    const html = `<div class="gmail_quote"><div class="gmail_attr">${attribution}</div><blockquote class="gmail_quote">${old}</blockquote><div>It left on Monday.</div><blockquote class="gmail_quote"><p>Can I still change it?</p></blockquote><div>No, sorry.</div></div>`
    assert.equal(newTextOf(html), 'It left on Monday.\n\nNo, sorry.')
  })
})

describe('nobody folds their own words away by a mark', () => {
  const own = 'I cancel my contract and want the money back.'
  const claims = [
    `<blockquote type="cite">${own}</blockquote>`,
    `<blockquote class="gmail_quote" style="margin:0 0 0 40px;border:none;padding:0px">${own}</blockquote>`,
    `<blockquote>${own}</blockquote>`,
    `<div class="gmail_quote">${own}</div>`,
    `<div class="yahoo_quoted">${own}</div>`,
    `<div class="protonmail_quote">${own}</div>`,
    `<div class="gmail_attr">${own}</div>`,
    `<div class="moz-cite-prefix">${own}</div>`,
    `<div id="divRplyFwdMsg">${own}</div>`,
    `<div style="border:none;border-top:solid #E1E1E1 1.0pt">${own}</div>`,
    `<div class="gmail_signature">${own}</div><div>Please confirm.</div>`,
  ]
  for (const claim of claims) {
    test(claim.slice(0, 60), () => {
      for (const header of ['', 'In-Reply-To: <first@brandt.example>\n'])
        assert.match(newTextOf(`<div>Hello,</div>${claim}<div>Bob</div>`, header), /I cancel my contract/)
    })
  }

  test('a mail of nothing but a marked signature is shown', () => {
    assert.equal(newTextOf(`<div class="gmail_signature">${own}</div>`), own)
  })
})

describe('an order below a line is no header', () => {
  const order = (first: string) =>
    `<p>New order</p><div style="border-top:1px solid #ccc">${first}<br>Customer: Bob Miller<br>Ordered: 3.11.2026 10:42<br>Total: 45.00</div><p>Please pack two lamps.</p>`
  const read = (subject: string, html: string) =>
    parseMail(Buffer.from(`Subject: ${subject}\nContent-Type: text/html\n\n<!doctype html>${html}`)).newText

  test('in a first mail, whatever its fields are', () => {
    for (const first of ['Order: 4711', 'Shop: Lamps'])
      assert.match(read('Your order', order(first)), /(?:Order: 4711|Shop: Lamps).*Please pack two lamps\./s)
  })

  test('in a reply, by its number', () => {
    assert.match(read('Re: Your order', order('Order: 4711')), /Please pack two lamps\./)
  })
})

describe('forwards', () => {
  const block =
    'From: Carla Brandt <carla@brandt.example>\nSent: Tuesday, 3 November 2026 10:42\nTo: Support\nSubject: Invoice\n\nWhere is my order?\n'
  const read = (subject: string, body: string) =>
    parseMail(Buffer.from(`Subject: ${subject}\nIn-Reply-To: <a@b.example>\n\n${body}`)).newText

  for (const prefix of [
    '[EXTERNAL] FW',
    'EXT: Fwd',
    '[shop] [EXTERN] WG',
    '[Fwd',
    'FW',
    'Fwd',
    'WG',
    'TR',
    'RV',
    'I',
    'ENC',
    'VB',
    '转发',
    '転送',
    '전달',
  ])
    test(`"${prefix}:" keeps what was forwarded`, () => {
      assert.match(read(`${prefix}: Invoice`, `Can you take this?\n\n${block}`), /Where is my order/)
    })
  for (const prefix of ['RE', 'AW', 'R', 'RES', '[EXTERNAL] RE'])
    test(`"${prefix}:" does not`, () => {
      assert.equal(read(`${prefix}: Invoice`, `Can you take this?\n\n${block}`).trim(), 'Can you take this?')
    })

  test('"VS:" is a forward in Danish and Norwegian, and a reply in Finnish and any other', () => {
    const labels = {
      Danish: ['Fra', 'Sendt', 'Til', 'Emne'],
      Finnish: ['Lähettäjä', 'Lähetetty', 'Vastaanottaja', 'Aihe'],
      English: ['From', 'Sent', 'To', 'Subject'],
    }
    for (const [language, names] of Object.entries(labels))
      for (const rule of ['', '________________________________\n', '-----Original Message-----\n']) {
        const values = block.split('\n').map((line, n) => (names[n] ? line.replace(/^\w+/, names[n]) : line))
        const told = read('VS: Invoice', `Can you take this?\n\n${rule}${values.join('\n')}`)
        assert.equal(told.includes('Where is my order?'), language === 'Danish', `${language} ${rule}`)
      }
  })
})

describe('a first mail', () => {
  const read = (text: string, more = '') =>
    parseMail(Buffer.from(`Subject: Order\n${more}\n${text}`)).newText.trim()
  const reply = 'In-Reply-To: <a@b.example>\n'

  test('what a form of a website asked for is new, in any language', () => {
    const form =
      'Nieuw bericht\n\nVan: Jan <jan@brandt.example>\nDatum: 3-11-2026 10:42\nOnderwerp: Lamp\nBericht: Waar blijft die?'
    assert.equal(read(form), form)
    const pasted = form.replace('Onderwerp', 'Aan: Support\nOnderwerp')
    for (const older of [read(pasted), read(form, reply)]) assert.equal(older, 'Nieuw bericht')
  })

  test('so is what stands below a rule and an address, and a notice of a call', () => {
    const form =
      'A new entry.\n\n--------------------\nFrom: jan@brandt.example\nDate: 2026-11-03 10:42\nThe lamp is broken.'
    assert.equal(read(form), form)
    assert.equal(read(form, reply), 'A new entry.')
    const call =
      'A new voicemail\n\nFrom: 030 1234\nTo: 200\nDate: 2026-11-03 10:42\nSubject: Voicemail\n\nPlease call back.'
    const dateFirst = call.replace(/(From[^]*)(Date.*\n)/, '$2$1')
    for (const notice of [call, dateFirst]) assert.equal(read(notice), notice)
    assert.equal(read(call, reply), 'A new voicemail')
  })

  test('it may tell who wrote what; above a quote, or with an address, that is an attribution', () => {
    const told = 'On 3 November 2026 at 10:42 Max from support wrote:'
    const mail = `Hello,\n\n${told}\n\nWe refund it.\n\nNothing came.`
    assert.equal(read(mail), mail)
    assert.equal(read(`Nothing came.\n\n${told}\n> We refund it.`), 'Nothing came.')
    const addressed = told.replace('from support', '<max@brandt.example>')
    assert.equal(read(`Nothing came.\n\n${addressed}\n\nWe refund it.`), 'Nothing came.')
    assert.equal(read(`Nothing came.\n\n${told}\n\nWe refund it.`, reply), 'Nothing came.')
  })
})
