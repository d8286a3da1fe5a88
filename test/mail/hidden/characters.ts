/** Ways to spell words with characters that no screen shows. */

const spell = (text: string, from: number) =>
  [...Buffer.from(text)].map((byte) => String.fromCodePoint(from + byte)).join('')
/** Eight characters for each byte, one for a 0 and one for a 1. */
const bits = (text: string, zero: string, one: string) =>
  [...Buffer.from(text)]
    .map((byte) => byte.toString(2).padStart(8, '0').replaceAll('0', zero).replaceAll('1', one))
    .join('')
/** Sixteen characters for the halves of a byte. */
const halves = (text: string, from: number) =>
  [...Buffer.from(text)].map((byte) => String.fromCodePoint(from + (byte >> 4), from + (byte & 15))).join('')
/** Each behind a sign of its own, where a careless rule finds it in order. */
const behind = (sign: string, text: string) => [...text].map((char) => sign + char).join('')

export const spellings: Record<string, (secret: string) => string> = {
  'tag characters': (secret) => spell(secret, 0xe0000),
  'tag characters behind a flag': (secret) => `🏴${spell(secret, 0xe0000)}\u{E007F}`,
  'supplementary selectors': (secret) => spell(secret, 0xe0100),
  'supplementary selectors behind equals signs': (secret) => behind('=', spell(secret, 0xe0100)),
  'selectors behind equals signs': (secret) => behind('=', halves(secret, 0xfe00)),
  'selectors behind letters': (secret) => behind('a', halves(secret, 0xfe00)),
  'emoji selectors behind figures': (secret) => behind('1', bits(secret, '\uFE0E', '\uFE0F')),
  'emoji selectors behind each other': (secret) => `❤${bits(secret, '\uFE0E', '\uFE0F')}`,
  'selectors of Mongolian behind letters': (secret) => behind('x', bits(secret, '\u180B', '\u180C')),
  'zero-width characters': (secret) => bits(secret, '\u200B', '\u200C'),
  'joiners behind letters': (secret) => behind('m', bits(secret, '\u200C', '\u200D')),
  'joiners behind emoji': (secret) => behind('😀', bits(secret, '\u200C', '\u200D')),
  'byte order marks': (secret) => bits(secret, '\uFEFF', '\u2060'),
  'invisible operators': (secret) => bits(secret, '\u2061', '\u2064'),
  'direction marks': (secret) => bits(secret, '\u200E', '\u200F'),
  isolates: (secret) => bits(secret, '\u2066', '\u2069'),
  overrides: (secret) => bits(secret, '\u202D', '\u202E'),
  'deprecated format characters': (secret) => bits(secret, '\u206A', '\u206F'),
  'Hangul fillers': (secret) => bits(secret, '\u3164', '\uFFA0'),
  'Hangul jamo fillers': (secret) => bits(secret, '\u115F', '\u1160'),
  'grapheme joiners': (secret) => bits(secret, '\u034F', '\u200B'),
  'Khmer inherent vowels': (secret) => behind('ក', bits(secret, '\u17B4', '\u17B5')),
  'musical format controls': (secret) => bits(secret, '\u{1D173}', '\u{1D17A}'),
  'shorthand format controls': (secret) => bits(secret, '\u{1BCA0}', '\u{1BCA3}'),
  'Egyptian format controls': (secret) => bits(secret, '\u{13430}', '\u{13437}'),
  'interlinear annotation': (secret) => bits(secret, '\uFFF9', '\uFFFB'),
  noncharacters: (secret) => halves(secret, 0xfdd0),
  'reserved ignorable code points': (secret) => spell(secret, 0xe0200),
  'soft hyphens': (secret) => bits(secret, '\u00AD', '\u200B'),
  'Khitan fillers': (secret) => bits(secret, '\u{16FE4}', '\u{1D159}'),
}

export const places: Record<string, (text: string) => string> = {
  'a paragraph': (text) => `<p>Hello ${text} team</p>`,
  'a link': (text) => `<p>Hello <a href="https://shop.example/">here${text}</a></p>`,
  'a cell': (text) => `<table><tr><td>Hello</td><td>x${text}</td></tr></table>`,
  'preformatted text': (text) => `<pre>Hello\n${text}</pre>`,
  'the label of a picture': (text) => `<p>Hello</p><img src="cid:a" alt="Logo${text}">`,
}
