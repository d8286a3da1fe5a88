import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { defaultLimits } from '../../src/mail/limits.ts'
import { sanitizeHtml } from '../../src/mail/safe-html.ts'

const inlineImage = (contentId: string) => (contentId === 'logo@mail' ? '/api/v1/attachments/att_1' : null)
const clean = (html: string) => sanitizeHtml(html, inlineImage).html
const inner = (html: string) =>
  /^<div class="[^"]*"[^>]*>(?<inner>.*)<\/div>$/s.exec(clean(html))?.groups?.['inner']
const long = process.env['SPOOL_TEST_LONG'] === '1'

describe('what stays of a mail', () => {
  const cases: [string, string, string][] = [
    ['text is escaped', 'a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['character references are read once', '&amp;lt;b&gt;', '&amp;lt;b&gt;'],
    ['unknown elements leave their text', '<o:p>text</o:p><x-y>more</x-y>', 'textmore'],
    ['script and its text go', 'a<script>b</script>c', 'ac'],
    ['an unclosed script takes the rest', 'a<script>b', 'a'],
    ['paragraphs are closed', '<p>a<p>b', '<p>a</p><p>b</p>'],
    ['a lone end of a paragraph is one', 'a</p>b', 'a<p></p>b'],
    ['end tags without start go', 'a</div></td></b>b', 'ab'],
    ['overlapping emphasis is put in order', '<b>a<i>b</b>c</i>', '<b>a<i>b</i></b><i>c</i>'],
    [
      'a list inside a list',
      '<ul><li>a<ul><li>b</ul><li>c</ul>',
      '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
    ],
    [
      'cells and rows are closed',
      '<table><tr><td>1<td>2<tr><td>3</table>',
      '<table><tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></tbody></table>',
    ],
    ['table parts need a table', '<td>a</td><tr>b', 'ab'],
    [
      'an end tag stops at its cell',
      '<div><table><tr><td></div>a</table>b</div>',
      '<div><table><tbody><tr><td>a</td></tr></tbody></table>b</div>',
    ],
    ['what is shown without script is shown', 'a<noscript><b>b</b></noscript>c', 'a<b>b</b>c'],
    [
      'a drawing leaves its words, and no address of its own',
      '<svg><a xlink:href="https://a.example/">t</a></svg>',
      '<a>t</a>',
    ],
    ['a form leaves its words', '<form action=x>a<input value=y><button>b</button></form>', '<div>ab</div>'],
    ['choices go', 'a<select><option>x<option>y</select>b', 'ab'],
    [
      'a link keeps its address and gets its guards',
      '<a href="https://a.example/?x=1&amp;y=2" ping=z onclick=k target=_top>t</a>',
      '<a href="https://a.example/?x=1&amp;y=2" target="_blank" rel="noopener noreferrer nofollow">t</a>',
    ],
    [
      'mailto and tel are links',
      '<a href="mailto:a@b.example">m</a><a href="tel:+4930">t</a>',
      '<a href="mailto:a@b.example" target="_blank" rel="noopener noreferrer nofollow">m</a>' +
        '<a href="tel:+4930" target="_blank" rel="noopener noreferrer nofollow">t</a>',
    ],
    ['other links are only words', '<a href="ftp://a.example/">t</a><a href="/x">u</a>', '<a>t</a><a>u</a>'],
    [
      'a script is no link',
      '<a href="javascript:alert(1)">t</a><a href=" JaVa\tscript:alert(1)">u</a>',
      '<a>t</a><a>u</a>',
    ],
    [
      'an inline picture is an attachment',
      '<img src="cid:logo@mail" alt=Logo width=10>',
      '<img alt="Logo" width="10" src="/api/v1/attachments/att_1">',
    ],
    [
      'so is one whose id is escaped',
      '<img src="CID:%3Clogo%40mail%3E">',
      '<img src="/api/v1/attachments/att_1">',
    ],
    ['a missing inline picture leaves its words', '<img src="cid:gone" alt=Logo>', '<img alt="Logo">'],
    ['and nothing when it has none', 'a<img src="cid:gone">b', 'ab'],
    [
      'a remote picture waits',
      '<img src="https://a.example/p.png" srcset="https://a.example/q.png" alt="Map">',
      '<img alt="Map" data-remote-src="https://a.example/p.png">',
    ],
    ['a counting picture goes', 'a<img src="https://a.example/p.gif" width=1 height="1">b', 'ab'],
    [
      'a small picture in the mail itself stays',
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    ],
    ['but not a drawing', '<img src="data:image/svg+xml;base64,PHN2Zz4=" alt=d>', '<img alt="d">'],
    [
      'looks stay',
      '<p align=center style="COLOR: Red; font: bold 12px/1.5 \'Open Sans\', sans-serif !important">t</p>',
      '<p align="center" style="color:Red;font:bold 12px/1.5 &#39;Open Sans&#39;, sans-serif!important">t</p>',
    ],
    [
      'a colour beside a picture stays',
      '<td></td><table><tr><td style="background: #123 url(https://a.example/b.png) no-repeat">t</table>',
      '<table><tbody><tr><td style="background:#123 no-repeat">t</td></tr></tbody></table>',
    ],
    [
      'what could cover the page goes',
      '<div style="position:fixed;top:0;z-index:9;margin:-20px;transform:scale(9);width:10px">t</div>',
      '<div style="width:10px">t</div>',
    ],
    [
      'names are put apart from those of the page',
      '<p class="a b" id=cookie name=x>t</p>',
      '<p class="m-a m-b" id="m-cookie">t</p>',
    ],
    ['comments go', 'a<!-- b --><!--[if mso]>c<![endif]-->d', 'ad'],
  ]
  for (const [name, html, expected] of cases) {
    test(name, () => assert.equal(inner(html), expected))
  }

  test('an inline picture is a file of ours, whatever its id stands for', () => {
    for (const path of ['//a.example/p.png', 'https://a.example/p.png', '/\\\\a.example/p.png'])
      assert.equal(
        sanitizeHtml('<img src="cid:logo@mail" alt=Logo>', () => path).html,
        '<div class="spool-mail"><img alt="Logo"></div>',
        path,
      )
  })

  test("the body's looks go to the wrapper", () => {
    assert.equal(
      clean('<body bgcolor=#eee text=navy style="margin:0;background:url(x)" class=k dir=rtl>t</body>'),
      '<div class="spool-mail m-k" dir="rtl" style="background-color:#eee;color:navy;margin:0">t</div>',
    )
  })

  test('a style sheet is bound to its mail and holds allowed things only', () => {
    const html = clean(`<style>
      @import "https://a.example/x.css"; @font-face { src: url(x) }
      body { color: red } html body .a > p:hover, td[class="b"] { margin: 0; position: absolute }
      div[onclick] { color: red } .c::before { content: "x" } p { background: url(x) }
      @media (max-width: 600px) { .d { display: block !important } @media all { .e { color: red } } }
    </style><p class=d>t</p>`)
    const scope = /spool-mail-[0-9a-f]{16}/.exec(html)?.[0]
    assert.equal(
      html,
      `<div class="spool-mail ${scope}"><style>\n` +
        `.${scope}{color:red}\n` +
        `.${scope} .m-a > p:hover,.${scope} td.m-b{margin:0}\n` +
        `@media (max-width: 600px){\n.${scope} .m-d{display:block!important}\n}\n` +
        `</style><p class="m-d">t</p></div>`,
    )
  })

  test('two mails do not share a scope', () => {
    const scopeOf = (html: string) => /spool-mail-[0-9a-f]+/.exec(clean(html))?.[0]
    assert.notEqual(scopeOf('<style>p{color:red}</style>a'), scopeOf('<style>p{color:red}</style>b'))
  })
})

describe('any HTML', () => {
  /** Start tags as the writer spells them, end tags, and text without any sign that could begin a tag. */
  const token = /<(?<name>[a-z][a-z0-9]*)(?: [a-z-]+="[^"<>]*")*>|<\/(?<end>[a-z][a-z0-9]*)>|[^<>]+/y
  const voids = new Set(['br', 'col', 'hr', 'img', 'wbr'])

  function assertWellFormed(html: string): void {
    const open: string[] = []
    token.lastIndex = 0
    while (token.lastIndex < html.length) {
      const at = token.lastIndex
      const found = token.exec(html)
      assert.ok(found, `at ${at}: ${html.slice(at, at + 80)}`)
      const { name, end } = found.groups!
      if (name === 'style') token.lastIndex = html.indexOf('</style>', at)
      if (name && !voids.has(name)) open.push(name)
      if (end) assert.equal(open.pop(), end)
    }
    assert.deepEqual(open, [])
  }

  const piece = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '<p>',
      '</p>',
      '<table>',
      '<td>',
      '<b>',
      '</b>',
      '<style>',
      '</style>',
    ),
    fc.constantFrom(
      '<!--',
      '-->',
      '<svg>',
      '<a href="',
      '<img src=x ',
      'style="color:red;',
      'p{color:red}',
      '<li>',
    ),
    fc.constantFrom(
      '<select>',
      '</select>',
      '<xmp>',
      '<plaintext>',
      '<div>'.repeat(300),
      '<script>',
      '</script>',
    ),
    fc.string({ maxLength: 12, unit: 'binary' }),
  )

  test('becomes closed, nested tags with quoted attributes', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = pieces.join('')
        const { html: cleaned } = sanitizeHtml(html, inlineImage)
        assertWellFormed(cleaned)
      }),
      { numRuns: long ? 30_000 : 3_000 },
    )
  })

  test('a long mail is cut where a reader would not stumble', () => {
    const rows = '<table><tr><td><b>Ünïcode &amp; more</b></td></tr></table>'.repeat(40_000)
    const { html, truncated } = sanitizeHtml(`<div>${rows}</div>`, inlineImage)
    assert.equal(truncated, true)
    assert.ok(Buffer.byteLength(html) <= 1_000_000)
    assert.ok(Buffer.byteLength(html) > 990_000)
    assertWellFormed(html)
    const words = sanitizeHtml('😀&lt;'.repeat(300_000), inlineImage)
    assert.equal(words.truncated, true)
    assert.ok(Buffer.byteLength(words.html) <= 1_000_000)
    assert.ok(words.html.isWellFormed() && /(?:😀|&lt;)<\/div>$/u.test(words.html))
  })

  /** No more HTML than this is read of a mail. */
  const times = (piece: string, bytes = defaultLimits.htmlSize) =>
    piece.repeat(Math.ceil(bytes / piece.length))
  const hostile: [string, () => string][] = [
    ['a million open elements', () => times('<div>')],
    ['open emphasis', () => times('<b>')],
    ['nested tables', () => times('<table><tr><td>')],
    ['nested lists', () => times('<ul><li>')],
    ['overlap', () => '<div><b><i>'.repeat(100) + times('</div><div>')],
    ['end tags', () => '<div>'.repeat(300) + times('</b>') + '<b>'],
    ['signs', () => times('<')],
    ['attributes', () => `<a ${Array.from({ length: 140_000 }, (_, i) => `a${i}`).join(' ')}>`],
    ['one attribute', () => `<a href="${times('x')}`],
    ['class names', () => `<p class="${times('a ')}">`],
    ['references', () => times('&notit;')],
    ['comments', () => times('<!--')],
    ['sheets', () => times('<style>a{color:red}</style>')],
    ['one sheet', () => `<style>${times('a{color:red}', 250_000)}</style>`],
    ['open blocks', () => `<style>${times('a{', 250_000)}</style>`],
    ['open brackets', () => `<style>a{width:${times('calc(', 250_000)}</style>`],
    ['selectors', () => `<style>${times('a,', 250_000)}b{color:red}</style>`],
    ['styles', () => times('<p style="color:red;background:url(x)">')],
    ['foreign elements', () => times('<svg><math>')],
    ['choices', () => times('<select><option>')],
  ]
  for (const [name, make] of hostile) {
    test(`a megabyte in bounded time: ${name}`, () => {
      const html = make()
      const started = process.cpuUsage()
      const { html: cleaned } = sanitizeHtml(html, inlineImage)
      const { user, system } = process.cpuUsage(started)
      assert.ok(Buffer.byteLength(cleaned) <= 1_000_000)
      assert.ok((user + system) / 1000 < 5000, `${(user + system) / 1000} ms of CPU`)
    })
  }
})
