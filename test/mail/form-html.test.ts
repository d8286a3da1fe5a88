import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { parseFragment, serialize } from 'parse5'
import { defaultLimits } from '../../src/mail/limits.ts'
import { readHtml } from '../../src/mail/normal-form.ts'
import { TooMuchWork, withSteps } from '../../src/mail/work.ts'
import { mailTimeout, processorTime } from '../support/processor-time.ts'

const inlineImage = (contentId: string) => (contentId === 'logo@mail' ? '/api/v1/attachments/att_1' : null)
const write = (html: string, image: (contentId: string) => string | null = inlineImage) =>
  readHtml(`<!doctype html>${html}`, image).writeHtml(() => true)
/** Without the sheet, the wrapper and the names of our classes. */
const inner = (html: string) =>
  /^<div class="[^"]*"><style>[^<]*<\/style>(?<inner>.*)<\/div>$/s
    .exec(write(html))
    ?.groups?.['inner']?.replaceAll(/ class="[^"]*"/g, '')
const guards = 'target="_blank" rel="noopener noreferrer nofollow"'
const long = process.env['SPOOL_TEST_LONG'] === '1'

describe('what stays of a mail', () => {
  const cases: [string, string, string][] = [
    ['text is escaped', 'a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['character references are read once', '&amp;lt;b&gt;', '&amp;lt;b&gt;'],
    [
      'unknown elements leave their text',
      '<o:p>text</o:p><x-y>more</x-y>',
      '<span>text</span><span>more</span>',
    ],
    ['script and its text go', 'a<script>b</script>c', 'ac'],
    ['an unclosed script takes the rest', 'a<script>b', 'a'],
    ['paragraphs are closed', '<p>a<p>b', '<p>a</p><p>b</p>'],
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
      'a block in a paragraph makes it a block',
      '<p><span style="display:block">a</span></p>',
      '<div>a</div>',
    ],
    ['what is shown without script is shown', 'a<noscript><b>b</b></noscript>c', 'a<span><b>b</b></span>c'],
    ['a drawing leaves its words', '<svg><text>t</text><desc>u</desc></svg>', '<span><span>t</span></span>'],
    ['a form leaves its words', '<form action=x>a<input value=y></form>', 'a'],
    [
      'a link keeps its address and gets its guards',
      '<a href="https://a.example/?x=1&amp;y=2" ping=z onclick=k target=_top>t</a>',
      `<a href="https://a.example/?x=1&amp;y=2" ${guards}>t</a>`,
    ],
    [
      'mailto and tel are links',
      '<a href="mailto:a@b.example">m</a><a href="tel:+4930">t</a>',
      `<a href="mailto:a@b.example" ${guards}>m</a><a href="tel:+4930" ${guards}>t</a>`,
    ],
    [
      'other links are only words',
      '<a href="ftp://a.example/">t</a><a href="/x">u</a>',
      '<span>t</span><span>u</span>',
    ],
    [
      'a script is no link',
      '<a href="javascript:alert(1)">t</a><a href=" JaVa\tscript:alert(1)">u</a>',
      '<span>t</span><span>u</span>',
    ],
    [
      'an inline picture is an attachment',
      '<img src="cid:logo@mail" alt=Logo width=10>',
      '<span><img alt="" width="10" src="/api/v1/attachments/att_1"><br>[picture: Logo]</span>',
    ],
    [
      'so is one whose id is escaped',
      '<img src="CID:%3Clogo%40mail%3E">',
      '<img alt="" src="/api/v1/attachments/att_1">',
    ],
    [
      'a missing inline picture leaves its words',
      '<img src="cid:gone" alt=Logo>',
      '<span>[picture: Logo]</span>',
    ],
    ['and nothing when it has none', 'a<img src="cid:gone">b', 'ab'],
    [
      'a remote picture waits',
      '<img src="https://a.example/p.png" srcset="https://a.example/q.png" alt="Map">',
      '<span><img alt="" data-remote-src="https://a.example/p.png"><br>[picture: Map]</span>',
    ],
    [
      'a picture on a line of its own keeps it',
      'a<img src="https://a.example/p.png" alt="Map" style="display:block">b<img src="https://a.example/q.png" style="display:block">c',
      'a<div><img alt="" data-remote-src="https://a.example/p.png"><br>[picture: Map]</div>' +
        'b<div><img alt="" data-remote-src="https://a.example/q.png"></div>c',
    ],
    ['a counting picture goes', 'a<img src="https://a.example/p.gif" width=1 height="1">b', 'ab'],
    [
      'a small picture in the mail itself stays',
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
      '<img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    ],
    [
      'but not a drawing',
      '<img src="data:image/svg+xml;base64,PHN2Zz4=" alt=d>',
      '<span>[picture: d]</span>',
    ],
    ['names of the sender go', '<p class="a b" id=cookie name=x title=y>t</p>', '<p>t</p>'],
    ['comments go', 'a<!-- b --><!--[if mso]>c<![endif]-->d', 'ad'],
    ['a long word can break', 'x'.repeat(30), `${'x'.repeat(24)}<wbr>xxxxxx`],
    [
      'numbers of items stay',
      '<ol start=3><li>a<li value=9>b</ol>',
      '<ol start="3"><li>a</li><li value="9">b</li></ol>',
    ],
    ['directions stay', '<p dir=rtl>\u05d0</p>', '<p dir="rtl">\u05d0</p>'],
    [
      'spans over a grid are bounded',
      '<table><tr><td colspan=999 rowspan=999>a</table>',
      '<table><tbody><tr><td colspan="30">a</td></tr></tbody></table>',
    ],
    [
      'a span ends with its group of rows',
      '<table><thead><tr><th rowspan=2>a<th>b<tbody><tr><td>c<td>d</table>',
      '<table><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></tbody></table>',
    ],
    [
      'a span counts rows without cells, which go',
      '<table><tr><td rowspan=3>a<td>b<tr><tr><td>c<tr><td>d</table>',
      '<table><tbody><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td></tr></tbody></table>',
    ],
    [
      'a span of 0 rows is all of its group, one of -1 is no span',
      '<table><tr><td rowspan=0>a<td rowspan=-1>b<tr><td>c<tbody><tr><td>d</table>',
      '<table><tbody><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td></tr></tbody></table>',
    ],
  ]
  for (const [name, html, expected] of cases) {
    test(name, () => assert.equal(inner(html), expected))
  }

  test('an inline picture is a file of ours, whatever its id stands for', () => {
    for (const path of ['//a.example/p.png', 'https://a.example/p.png', '/\\\\a.example/p.png'])
      assert.doesNotMatch(
        write('<img src="cid:logo@mail" alt=Logo>', () => path),
        /a\.example/,
        path,
      )
  })

  /** The rules that a mail's elements got. */
  const rules = (html: string) =>
    [...write(html).matchAll(/ \.m\w+\{(.*)\}/g)].map(([, declarations]) => declarations)

  test('looks are written with resolved values', () => {
    assert.deepEqual(
      rules(
        '<style>:root{--c:navy}p{color:var(--c);font:italic bold 1.5em/2 Georgia;margin:-9px 0 1em}</style><p align=center>t',
      ),
      [
        'margin:0 0 24px 0;color:#000080;font-size:24px;line-height:2;font-weight:700;font-style:italic;font-family:serif;text-align:center',
      ],
    )
  })

  test('what could cover, cut off or move goes', () => {
    assert.deepEqual(
      rules(
        '<div style="position:fixed;top:0;z-index:9;margin:-20px;transform:scale(9);overflow:hidden;height:90px">t</div>',
      ),
      ['min-height:90px'],
    )
  })

  test('ink that is faint is written darker, ink that is none is left out', () => {
    assert.deepEqual(rules('<p style="margin:0;color:#ccc">t'), ['margin:0'])
    assert.equal(readHtml('<p>a<p style="color:#fefefe">t').text, 'a')
  })

  test('a wide table is fluid, and stacked where it would not fit', () => {
    const html = write('<table width=600><tr><td width=300>Some words<td width=300>More words</table>')
    assert.match(html, /width:100%;max-width:600px/)
    assert.match(html, /width:50%/)
    assert.match(html, /@media \(max-width:480px\)/)
    assert.match(html, /<table class="m\w+ t480">/)
  })

  test('columns that are shares are stacked together where one would not fit', () => {
    const column = (words: string) =>
      `<div style="display:inline-block;width:33.3%"><p style="padding:0 25px">${words}</p></div>`
    const html = write(column('Alerts explain themselves') + column('A day') + column('A way'))
    assert.match(html, /@media \(max-width:480px\)/)
    assert.equal(html.match(/<span class="m\w+ t480">/g)?.length, 3)
    assert.doesNotMatch(write(column('One') + column('Two') + column('Six')), /@media/)
  })

  test('a column that fills a narrow window up to a width stands beside others in a wide one', () => {
    const style = 'display:inline-block;width:100%;max-width:320px'
    assert.deepEqual(rules(`<div style="${style}">t</div>`), [
      'display:inline-block;width:320px;max-width:100%;box-sizing:border-box',
    ])
  })

  test('lists in lists are not set apart', () => {
    const list = '<ul><li>a<ul><li>b</ul></ul>'
    assert.deepEqual(rules(list), ['margin:16px 0;padding:0 0 0 40px', 'margin:0;padding:0 0 0 40px'])
  })

  test('a caption stands above all columns', () => {
    assert.match(inner('<table><caption>Fees<tr><td>a<td>b</table>')!, /<td colspan="2">/)
  })

  test('a border may have its colour from a variable', () => {
    const html = '<style>:root{--c:#123456}p{margin:0;border:2px dashed var(--c)}</style><p>t'
    assert.deepEqual(rules(html), ['margin:0;border:2px dashed #123456'])
  })

  test('a length that is no number keeps no table from being stacked', () => {
    const cells = '<td>abcdefghijklmnopqr'.repeat(39)
    const huge = `${'<b style="font-size:1000000em">'.repeat(60)}<i style="font-size:0em">z`
    assert.match(write(`<table><tr><td>${huge}</td>${cells}</table>`), /@media \(max-width:1200px\)/)
    for (const style of ['margin-left:1constructor', 'font-size:1e999px;padding:0em'])
      assert.match(
        write(`<div style="${style}"><table><tr>${cells}</table></div>`),
        /@media \(max-width:1200px\)/,
      )
  })

  test('the line under a link has the colour that the link was given', () => {
    const html = '<a href="https://a.example/" style="color:#888"><b style="color:#777">t</b></a>'
    assert.ok(rules(html).some((declarations) => declarations?.startsWith('color:#888888')))
  })

  test('pictures that only keep others apart are not shown', () => {
    assert.equal(inner('<img src="https://a.example/1.gif" width=1 height=6 alt="">t'), 't')
    assert.equal(inner('<img src="https://a.example/1.gif" width=600 height=1>t'), 't')
    assert.match(inner('<img src="https://a.example/1.gif" width=600 height=1 alt=Line>t')!, /<img/)
  })

  test('words keep 12 pixels, and small print 9', () => {
    assert.deepEqual(rules('<p style="margin:0;font-size:12px">t'), [
      'margin:0;font-size:12px;line-height:1.3',
    ])
    assert.deepEqual(rules('<p style="margin:0;font-size:5px">t'), ['margin:0;font-size:9px;line-height:1.3'])
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

  /** Only the tags. */
  const untagged = (html: string) =>
    html.replaceAll(/<style>.*?<\/style>/gs, '').replaceAll(/[^<>]*(<[^>]*>)[^<>]*/g, '$1')

  test('becomes closed, nested tags with quoted attributes', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = pieces.join('')
        assertWellFormed(write(html))
      }),
      { numRuns: long ? 30_000 : 1_500 },
    )
  })

  test('reads again as it was written', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = write(pieces.join(''))
        assert.equal(serialize(parseFragment(html)), serialize(parseFragment(serialize(parseFragment(html)))))
        assert.equal(untagged(serialize(parseFragment(html))), untagged(html))
      }),
      { numRuns: long ? 10_000 : 500 },
    )
  })

  test('a mail is given up that would grow to more than twice its size, or more than a megabyte', () => {
    const rich = '<style>td{color:red;padding:3px;border:1px solid}</style>'
    assert.throws(() => write(`${rich}<table><tr>${'<td>x'.repeat(3000)}`), TooMuchWork)
    assert.throws(() => write('<p>😀&lt;'.repeat(140_000)), TooMuchWork)
  })

  /** No more HTML than this is read of a mail. */
  const times = (piece: string, bytes = defaultLimits.htmlSize) =>
    piece.repeat(Math.ceil(bytes / piece.length))
  const tryToWrite = (html: string): string => {
    try {
      return withSteps(defaultLimits.steps, () => write(html))
    } catch (error) {
      assert.ok(error instanceof TooMuchWork, String(error))
      return ''
    }
  }
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
    ['lists of one', () => times('<ol><li>')],
    ['items', () => times('<li>x')],
    ['open links and emphasis', () => times('<a href=http://a.example><b>')],
    ['sheets for media', () => times('<style media="(min-width:1px)">a{color:red}</style>')],
    ['escapes', () => `<style>${times('.\\61 b{c\\6f lor:r\\65 d}')}</style><p class=ab>x`],
    ['emphasis of every kind', () => times('<b><i><u><s>x</b></i>')],
    ['text in tables', () => `<table>${times('x<b>y')}`],
    ['text in rows', () => times('<table><tr>x')],
    ['cells', () => `<table><tr>${times('<td>x')}`],
    ['spans of cells', () => `<table>${times('<tr><td rowspan=60 colspan=60>x')}`],
    ['spans of all rows', () => `<table>${times('<tr><td colspan=30 rowspan=0>x')}`],
    [
      'cells beside spans of all rows',
      () => `<table>${'<tr><td>x<td>y'.repeat(2)}<tr>${'<td rowspan=0>x'.repeat(39)}${times('<tr><td>x')}`,
    ],
    ['buttons', () => times('<button>')],
    ['lines', () => `<pre>${times('a\n')}`],
  ]
  for (const [name, make] of hostile) {
    test(`a megabyte in bounded time: ${name}`, () => {
      const html = make()
      const took = processorTime(
        () => assert.ok(Buffer.byteLength(tryToWrite(html)) <= 1_000_000),
        mailTimeout,
      )
      assert.ok(took < mailTimeout, `took ${Math.round(took)} ms`)
    })
  }
})
