import type { Vector } from './vector.ts'

/** Pieces that switch how a parser reads on; a mixture is several of them in a random order. */
const pieces = [
  '<svg>',
  '</svg>',
  '<math>',
  '</math>',
  '<mtext>',
  '<mglyph>',
  '<mi>',
  '<annotation-xml encoding=text/html>',
  '<foreignObject>',
  '<desc>',
  '<title>',
  '</title>',
  '<style>',
  '</style>',
  '<textarea>',
  '</textarea>',
  '<noscript>',
  '</noscript>',
  '<template>',
  '</template>',
  '<select>',
  '</select>',
  '<option>',
  '<iframe>',
  '</iframe>',
  '<xmp>',
  '</xmp>',
  '<script>',
  '</script>',
  '<table>',
  '</table>',
  '<tr>',
  '<td>',
  '<caption>',
  '<form>',
  '</form>',
  '<p>',
  '</p>',
  '</br>',
  '<b>',
  '</b>',
  '<a href="',
  '<a title="',
  "<a title='",
  '">',
  "'>",
  '<!--',
  '-->',
  '--!>',
  '<![CDATA[',
  ']]>',
  '<!',
  '<?',
  '</',
  '<',
  '>',
  '"',
  "'",
  '`',
  '=',
  '/',
  '&lt;',
  '&#60;',
  '&quot;',
  '\u0000',
  '\n',
  ' ',
  '<img src=LOCAL onerror=HIT>',
  '<img src=REMOTE>',
  'javascript:HIT',
  'HIT',
  '<p style="background:url(REMOTE)">',
  'p{background:url(REMOTE)}',
  '@import "REMOTE";',
  ' onclick=HIT ',
  'text',
  '<div>'.repeat(300),
  '<b><i><u>'.repeat(20),
  '</div>',
  '<li>',
  '<dd>',
  '<font color="',
  '<plaintext>',
  '\\',
]

export function mixedVectors(count: number, seed: number): Vector[] {
  const random = makeRandom(seed)
  return Array.from({ length: count }, (_, at) => {
    const length = 3 + Math.floor(random() * 12)
    const html = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]!).join('')
    return { name: `mixture ${at + 1} of seed ${seed}: ${html.slice(0, 200)}`, html }
  })
}

/** A small generator with a seed, so that a failure can be met again. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
