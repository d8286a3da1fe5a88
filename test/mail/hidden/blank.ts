/** Ways to put text below so much blank space that nobody scrolls to it. */

const times = (count: number, piece: string) => piece.repeat(count)

export function blankWays(secret: string): Record<string, string> {
  const after = (space: string, head = '') =>
    `<!doctype html><head>${head}</head><p>Dear team, the offer is below.</p>${space}<p>${secret}</p>`
  const styled = (count: number, style: string, inner = '', tag = 'div') =>
    after(times(count, `<${tag} style="${style}">${inner}</${tag}>`))
  const rows = (count: number, cell: string, table = '') =>
    after(`<table ${table}>${times(count, `<tr>${cell}</tr>`)}</table>`)
  return {
    'margins of empty blocks': styled(300, 'margin:80px 0;padding:1px'),
    'margins that nest': after(
      `${times(100, '<div style="margin-top:80px;padding-top:1px">')}<p>x`.replace('x', secret),
    ),
    'padding of empty blocks': styled(300, 'padding:60px 0'),
    'padding that nests': after(times(140, '<div style="padding-top:60px">')),
    'height of an empty block': styled(1, 'height:24000px'),
    'heights of empty blocks': styled(200, 'height:200px'),
    'least heights': styled(200, 'min-height:200px'),
    'height of blocks with a blank': styled(200, 'height:200px', '&nbsp;'),
    'height of inline blocks': styled(200, 'display:inline-block;width:100%;height:200px', '', 'span'),
    'line-height of blanks': styled(300, 'line-height:100px', '&nbsp;'),
    'large blanks': styled(300, 'font-size:100px', '&nbsp;'),
    'large blanks in spans': after(times(300, '<span style="font-size:100px">&nbsp;</span><br>')),
    'line breaks': after(times(1200, '<br>')),
    'line breaks between blanks': after(times(1200, '&nbsp;<br>')),
    'line breaks between spans': after(times(1200, '<span> </span><br>')),
    'line breaks in blocks': after(times(400, '<div><br><br></div>')),
    'empty paragraphs': after(times(600, '<p></p><p>&nbsp;</p>')),
    'paragraphs with a wide space': after(times(600, '<p>\u3000</p>')),
    'paragraphs with a braille blank': after(times(600, '<p>\u2800</p>')),
    'paragraphs with a zero-width space': after(times(600, '<p style="padding:20px">\u200B</p>')),
    'paragraphs with a Hangul filler': after(times(600, '<p>\u3164\u00A0</p>')),
    'white words in paragraphs': after(times(600, '<p style="color:#fff">words words</p>')),
    'one paragraph of blanks': after(`<p>${times(20_000, '&nbsp; ')}</p>`),
    'one paragraph of wide spaces': after(`<p>${times(20_000, '\u3000')}</p>`),
    'blanks between two words of a sentence': `<!doctype html><p>Dear team${times(20_000, '&nbsp; ')}${secret}</p>`,
    'wide spaces in a narrow column': `<!doctype html><div style="width:60px">Dear${times(9000, '\u3000')}${secret}</div>`,
    'preformatted lines': after(`<pre>${times(5001, '\n')}</pre>`),
    'preformatted blanks': after(`<pre>${times(2000, ' \u00A0 \n')}</pre>`),
    'lines kept by style': styled(1, 'white-space:pre-line', times(3000, '\n')),
    'empty rows with a height': rows(300, '<td height="200"></td>'),
    'empty rows with padding': rows(600, '<td></td>', 'cellpadding="30"'),
    'empty rows with spacing': rows(2000, '<td></td>', 'cellspacing="20"'),
    'empty rows with styled spacing': rows(2000, '<td></td>', 'style="border-spacing:0 20px"'),
    'empty rows with borders': rows(800, '<td style="border:9px solid #fff"></td>'),
    'rows with a height': rows(300, '<td>&nbsp;</td>').replaceAll('<tr>', '<tr style="height:200px">'),
    'empty tables': after(times(400, '<table cellpadding="30"><tr><td>&nbsp;</td></tr></table>')),
    'tables within tables': after(
      `${times(60, '<table cellpadding="30"><tr><td>')}&nbsp;${times(60, '</td></tr></table>')}`,
    ),
    'columns that stack': after(
      `<table width="900"><tr>${times(39, '<td width="100" style="padding:60px 0">&nbsp;</td>')}</tr></table>`,
    ),
    'white borders': styled(1000, 'border:30px solid #fff'),
    'borders of one side': styled(2000, 'border-top:30px solid white'),
    'spacer pictures': after(
      times(200, '<div><img src="https://img.example.com/s.gif" width="2" height="1500"></div>'),
    ),
    'attached spacer pictures': after(
      times(200, '<div><img src="cid:space" width="10" height="1500"></div>'),
    ),
    'rules in between': after(times(1500, '<hr>')),
    'empty lists': after(times(100, '<ul style="list-style:none;padding:40px"><li></li><li></li></ul>')),
    'empty headings': after(times(400, '<h1>&nbsp;</h1>')),
    'empty quotes': after(times(400, '<blockquote style="margin:60px">&nbsp;</blockquote>')),
    'empty links': after(times(300, '<a href="https://a.example" style="display:block;padding:60px"></a>')),
    'empty floats': styled(300, 'float:left;width:100%;height:200px'),
    'empty captions': after(times(300, '<table><caption style="padding:60px">&nbsp;</caption></table>')),
    'painted blocks': styled(200, 'background:#eee;padding:60px'),
    'by a style sheet': after(
      times(300, '<p class="x">&nbsp;</p>'),
      '<style>.x{padding:60px 0;margin:80px 0}</style>',
    ),
    'units of the window': styled(100, 'height:100vh'),
    'a relative height': styled(100, 'height:90em'),
    'by transform': after(`<div style="transform:translateY(9000px)"><p>${secret}</p></div>`).replace(
      /<p>[^<]*<\/p>$/,
      '',
    ),
    'by position': after(`<div style="position:relative;top:9000px"><p>${secret}</p></div>`).replace(
      /<p>[^<]*<\/p>$/,
      '',
    ),
    'by letter spacing': after(`<p style="letter-spacing:9000px">${secret}</p>`).replace(
      /<p>[^<]*<\/p>$/,
      '',
    ),
    'by word spacing': after(`<p style="word-spacing:9000px">${secret}</p>`).replace(/<p>[^<]*<\/p>$/, ''),
    'by a grid': styled(1, 'display:grid;grid-template-rows:9000px'),
    'by a gap': after(
      `<div style="display:flex;flex-direction:column;row-gap:9000px"><p>Hello</p><p>${secret}</p></div>`,
    ).replace(/<p>[^<]*<\/p>$/, ''),
    'by vertical alignment': after('<span style="vertical-align:-9000px">&nbsp;</span>'),
    'a word in a high cell': after(
      '<table><tr><td height="9000" valign="bottom">x</td></tr></table>',
    ).replace('>x<', `>${secret}<`),
  }
}
