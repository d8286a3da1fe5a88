import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readHtml, readPlain } from '../../src/mail/normal-form.ts'
import { shown, shownText } from './hidden/shown.ts'
import { ordinaryMail } from './ordinary-mail.ts'

const layouts: Record<string, [html: string, text: string]> = {
  'paragraphs are set apart': ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
  'paragraphs without margin are lines': [
    '<p style="margin:0">One</p><p style="margin:0">Two</p>',
    'One\nTwo',
  ],
  'divisions are lines': ['<div>One</div><div>Two</div>', 'One\nTwo'],
  breaks: ['One<br>Two<br><br>Three', 'One\nTwo\n\nThree'],
  'a break at the end of a block adds nothing': ['<div>One<br></div><div>Two</div>', 'One\nTwo'],
  'white space collapses': ['  One \n\t two  <b> three</b> ', 'One two three'],
  'hard spaces stay apart': ['One&nbsp;&nbsp;two', 'One  two'],
  'white space in pre stays': ['<pre>a\n  b\n\nc</pre>', 'a\n  b\n\nc'],
  'pre-line keeps breaks only': ['<p style="white-space:pre-line">a   b\nc</p>', 'a b\nc'],
  bullets: ['<ul><li>One</li><li>Two<ul><li>Deep</li></ul></li></ul>', '- One\n- Two\n  - Deep'],
  numbers: [
    '<ol start="3"><li>One</li><li value="7">Two</li><li>Three</li></ol>',
    '3. One\n7. Two\n8. Three',
  ],
  'cells stand in a row': [
    '<table><tr><th>A</th><td>B</td></tr><tr><td><p>C</p></td><td>D</td></tr></table>',
    'A\tB\nC\tD',
  ],
  'empty cells leave no gap': ['<table><tr><td></td><td>B</td><td>&nbsp;</td></tr></table>', 'B'],
  'under headings, empty cells keep their columns': [
    '<table><tr><th>What<th>You owe<th>We owe<tr><td>Rent<td><td>500<tr><td>Fee<td><p><br></p><td>20<tr><td><td>7<td></table>',
    'What\tYou owe\tWe owe\nRent\t\t500\nFee\t\t20\n\t7',
  ],
  'cells that span columns or rows keep the columns of others': [
    '<table><tr><td rowspan=2>Oak<td>Red<td>1<tr><td>Blue<td>2<tr><td colspan=2>Sum<td>3</table>',
    'Oak\tRed\t1\n\tBlue\t2\nSum\t\t3',
  ],
  'columns without words leave no gap': [
    '<table><tr><td>A<td><td>B<tr><td>C<td><img src="https://example.com/a.png"><td>D</table>',
    'A\tB\nC\tD',
  ],
  quotes: ['<p>Hi</p><blockquote>One<blockquote>Two</blockquote></blockquote>', 'Hi\n\n> One\n>\n> > Two'],
  'a rule': ['One<hr>Two', 'One\n---\nTwo'],
  'link with a label': ['<a href="https://example.com/a?b=c">Here</a>', 'Here'],
  'link that is its own label': ['<a href="https://www.example.com/">example.com</a>', 'example.com'],
  'link to a script': ['<a href="javascript:alert(1)">Go</a>', 'Go'],
  'link without a label': ['<a href="https://example.com/"><img src="cid:1"></a>Text', 'Text'],
  'link around a block': ['<a href="https://example.com/x"><div>Box</div></a><p>After</p>', 'Box\n\nAfter'],
  'words for a picture from outside': [
    '<img src="https://example.com/a.png" alt="Logo"> Text',
    '[picture: Logo] Text',
  ],
  'words for a picture in the mail': ['<img src="cid:a" alt="Logo"> Text', '[picture: Logo] Text'],
  'words for a picture among capitals by style': [
    '<p style="text-transform:uppercase"><img src="cid:a" alt="Logo"> Text</p>',
    '[picture: Logo] TEXT',
  ],
  'pictures beside each other are told apart': [
    'See<img src="cid:a" alt="One"><img src="cid:b" alt="Two">there',
    'See [picture: One] [picture: Two] there',
  ],
  'a picture on a line of its own has one': [
    '<b>Oak</b><img src="cid:a" alt="Frame" style="display:block">24 euros',
    'Oak\n[picture: Frame]\n24 euros',
  ],
  'no words for a picture without any': ['<img src="https://example.com/a.png"> Text', 'Text'],
  'columns are set apart': [
    '<div style="display:inline-block">One</div><div style="display:inline-block">Two</div>',
    'One Two',
  ],
  'words with room between them are apart': [
    'We are <b style="background:#eee;padding-right:6px">not</b>able',
    'We are not able',
  ],
  'a sign after a padded word stays with it': ['<b style="background:#eee;padding:0 6px">Not</b>.', 'Not.'],
  'a picture without words parts words': ['not<img src="https://example.com/a.png">able', 'not able'],
  'raised and lowered figures are numbers of their own': [
    '$19<sup>99</sup>, 5<span style="vertical-align:super">1</span> and 2<sup>1</sup>/<sub>2</sub>, 7<sup></sup>8, m<sup>2</sup>, 1<sup>st</sup>, H<sub>2</sub>O',
    '$19 99, 5 1 and 2 1/2, 78, m2, 1st, H2O',
  ],
  'capitals by style': ['<b style="text-transform:uppercase">shop now</b>', 'SHOP NOW'],
  ruby: ['<ruby>漢<rt>kan</rt></ruby>', '漢 (kan)'],
  noscript: ['<noscript>Plain</noscript>', 'Plain'],
  nothing: ['', ''],
}

describe('layout becomes lines', () => {
  for (const [name, [html, text]] of Object.entries(layouts)) {
    test(name, () => {
      const form = readHtml(html)
      assert.deepEqual([form.text, form.hiddenCharacters], [text, 0])
    })
  }
})

test('a link has the words of the text, in one line', () => {
  for (const [html, text] of Object.values(layouts).filter(([html]) => !html.includes('<a '))) {
    const { links } = readHtml(`<a href="https://example.com/">${html}</a>`)
    assert.deepEqual(
      links.map((link) => link.text),
      [text.replaceAll(/\s+/g, ' ')],
      html,
    )
  }
})

test('the words of a link fold with their line of the text', () => {
  const form = readHtml('<p>One</p><p><a href="https://example.com/">Two</a></p>')
  assert.equal(form.text, 'One\n\nTwo')
  const folded = form.writeHtml((line) => line === 0)
  assert.match(folded, /spool-fold[^>]*>(?:<[^>]*>)*Two/)
  assert.doesNotMatch(folded, /spool-fold[^>]*>(?:<[^>]*>)*One/)
})

test('where links lead stands beside the text', () => {
  const { links } = readHtml(
    '<a href="https://example.com/a?b=c">Read <b>more</b></a><a href="javascript:alert(1)">Go</a><a href="mailto:a@example.com">Write</a>',
  )
  assert.deepEqual(links, [
    { text: 'Read more', href: 'https://example.com/a?b=c' },
    { text: 'Write', href: 'mailto:a@example.com' },
  ])
})

test('the words of a link are those that are shown, set apart as in the text', () => {
  const { links } = readHtml(
    `<a href="https://example.com/"><div>Order 4711</div><div>Track it</div><span style="display:none">unseen</span><span style="color:#fff">white</span></a>`,
  )
  assert.deepEqual(links, [{ text: 'Order 4711 Track it', href: 'https://example.com/' }])
})

/** Hidden at first sight, and only by what the form does not read shown after all: left out of everything. */
const leftOut = new Set([
  'positioned out of a clipping parent',
  'negative margin made good',
  'growing flex item of width 0',
  'tiny by percentage, which browsers draw larger',
  'contents keeps no box',
])

describe('text that only looks hidden stays', () => {
  for (const [name, html] of Object.entries(shown)) {
    test(name, () => {
      const { text } = readHtml(html)
      assert.equal(text.includes(shownText), !leftOut.has(name), text)
      assert.match(text, /Dear team/)
      assert.match(text, /Kind regards/)
    })
  }
})

/** What stands in the source of these mails and their readers do not see. */
const unseen: Record<string, string[]> = {
  'arabic-newsletter': ['عروض نهاية الأسبوع'],
  'dark-mode-aware': ['Dark logo'],
  'event-invitation-gradient': ['Seats are limited, coffee is not'],
  'forum-digest': ['A brief summary since your last visit'],
  'helpdesk-ticket-update': ['[LK2Q9R-XZ71]'],
  'japanese-newsletter': ['<rp>（</rp>', '<rp>）</rp>'],
  'newsletter-amp-leftovers': ['Hello {{name}}, {{#vip}}come in{{/vip}}'],
  'newsletter-compiled-sections': ['Release notes for operators'],
  'newsletter-dark-design': ['Inverted logo'],
  'newsletter-editor-blocks': ['Pumpkins, quinces and an open gate on Saturday'],
  'newsletter-essay': ['What nobody tells you about waiting'],
  'newsletter-mobile-variants': ['Hamburger menu for small screens'],
  'newsletter-nested-tables': ['Preheader nobody sees'],
  'newsletter-tables': ['Everything new in the garden this month', 'Shown on telephones only'],
  'newsletter-vml-hero': ['Cabins from forty euros a night', 'Swipe for the photo gallery'],
  preheader: ['Your code inside'],
  'receipt-responsive': ['not shown either', 'not shown', 'nor this', 'No video'],
  responsive: ['Narrow phones only'],
  'web-page-paste': [
    'Jump straight to contents',
    'We value your privacy, accept everything',
    'Close overlay',
  ],
}

describe('ordinary mail', () => {
  for (const [name, html] of Object.entries(ordinaryMail)) {
    test(`${name} keeps its words`, () => {
      const { text } = readHtml(html)
      const found = text.toLowerCase()
      let source = html
      for (const phrase of unseen[name] ?? []) {
        assert.ok(source.includes(phrase), `"${phrase}" is not there`)
        assert.ok(!found.includes(phrase.toLowerCase()), `"${phrase}" was kept`)
        source = source.replace(phrase, ' ')
      }
      const body = source
        .replaceAll(/<!--.*?-->|<(style|title|textarea).*?<\/\1>/gis, ' ')
        .replaceAll(/<[^>]*>/g, ' ')
      const words = body.replaceAll(/&#?\w+;?/g, ' ').match(/[\p{L}\p{M}\u200C\u200D]{3,}/gu) ?? []
      for (const word of words)
        assert.ok(found.includes(word.toLowerCase()), `"${word}" is missing:\n${text}`)
    })
  }

  test('replies hide nothing', () => {
    for (const name of [
      'gmail-reply',
      'apple-reply',
      'thunderbird-reply',
      'persian',
      'hindi',
      'emoji',
      'arabic',
    ]) {
      assert.equal(readHtml(ordinaryMail[name] ?? '').hiddenCharacters, 0, name)
    }
  })
})

describe('plain parts', () => {
  const plain: Record<string, [text: string, seen: string, hidden: number]> = {
    'line ends': ['a\r\nb\rc\u2028d', 'a\nb\nc\nd', 0],
    'line ends of Word, and of pages': ['a\vb\fc', 'a\nb\nc', 0],
    'control characters': ['a\u0000b\u001B[31mc\u0007', 'ab[31mc', 3],
    'tabs stay': ['a\tb', 'a\tb', 0],
    'soft hyphens are no secret': ['Donau\u00ADdampf', 'Donaudampf', 0],
    'places of attached files are no secret': ['The file:\uFFFC it', 'The file: it', 0],
    'a leading byte order mark is no secret': ['\uFEFFHello', 'Hello', 0],
    'Persian non-joiners stay': ['می‌خواهم', 'می‌خواهم', 0],
    'Hindi joiners stay': ['क्‍या', 'क्‍या', 0],
    'families stay together': ['👨‍👩‍👧‍👦 ❤️ 3️⃣ 👩🏽‍🚀', '👨‍👩‍👧‍👦 ❤️ 3️⃣ 👩🏽‍🚀', 0],
    'the flag of Scotland stays': [
      '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
      '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
      0,
    ],
    'other tags after a flag go': ['\u{1F3F4}\u{E0068}\u{E0069}\u{E007F}', '\u{1F3F4}', 3],
    'ideographs keep one selector': ['葛\u{E0100}', '葛\u{E0100}', 0],
    'a run of selectors goes': ['👍\uFE0F\uFE0F\uFE01', '👍\uFE0F', 2],
    'joiners between Latin letters go': ['a\u200Db\u200Cc', 'abc', 2],
  }
  for (const [name, [text, seen, hidden]] of Object.entries(plain)) {
    test(name, () => assert.deepEqual(readPlain(text), { text: seen, hiddenCharacters: hidden }))
  }
})
