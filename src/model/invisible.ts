/**
 * Code points that show nothing are removed and counted, except where a script or an emoji needs them
 * (docs/decisions/0045-unseen-characters.md).
 */

import { isIdeographic, isStandardized } from './characters/variation-sequences.ts'

/**
 * Whose text it is. Mail has every sequence that Unicode lists; the team, its agents and programs write only those of
 * emoji.
 */
export type Writer = 'mail' | 'team'

export interface Cleaned {
  text: string
  /** How many code points were removed and are counted. */
  removed: number
  /** How many of these are joiners and selectors, which stray into ordinary text. */
  strays: number
}

/** As many joiners and selectors are in ordinary mail: more of them are a message of their own. */
export const handful = 5

/** Signs of Arabic and Kaithi that Unicode calls format characters although they are drawn. */
const drawn = '\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}'
const blank = '\\u2028\\u2029\\u{1D159}\\u{16FE4}\\u{13430}-\\u{13440}\\u{13447}-\\u{13455}\\uFFFC'
/** White space is visible, so those control characters stay. */
const control = '\\0-\\x08\\x0E-\\x1F\\x7F-\\x9F'
const unseen = `[[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Noncharacter_Code_Point}${control}${blank}]--[${drawn}]]`
/** Cheap pre-check: almost no text has any of these, which are all of `unseen` below U+10000, and surrogates. */
const quick = new RegExp(
  `[${['\\0-\\x08\\x0E-\\x1F\\x7F-\\x9F\\xAD\\u061C\\u115F\\u1160\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uD800-\\uDFFF\\uFDD0-\\uFDEF\\uFEFF\\uFFA0\\uFFF0-\\uFFFC\\uFFFE\\uFFFF', '\\u034F', '\\u17B4', '\\u17B5', '\\u180B-\\u180F', '\\uFE00-\\uFE0F'].join('')}]`,
)
const suspect = new RegExp(unseen, 'v')
const picture = '\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]?\\p{Emoji_Modifier}?'
/** Emoji of several pictures, and flags spelled with tags. */
const composed = `${picture}(?:\\u200D${picture}){1,9}|\\u{1F3F4}[\\u{E0030}-\\u{E007A}]{2,6}\\u{E007F}`
const suspects = new RegExp(`${composed}|${unseen}`, 'gv')
const emoji = /^\p{RGI_Emoji}$/v
const selectors = /[\p{Variation_Selector}\p{Join_Control}]|\u034F/u

export function removeInvisible(text: string, writer: Writer = 'team'): Cleaned {
  if (!quick.test(text) || !suspect.test(text)) return { text, removed: 0, strays: 0 }
  const found = { removed: 0, strays: 0 }
  const cleaned = text.replace(suspects, (match: string, at: number) => {
    if (/^\p{Extended_Pictographic}/u.test(match)) return readEmoji(match, writer, found)
    const kept = keep(match, at, text, writer)
    if (kept !== null) return kept
    found.removed += 1
    if (selectors.test(match)) found.strays += 1
    return ''
  })
  return { text: cleaned, ...found }
}

/** In one spelling, because the others look the same. */
function readEmoji(sequence: string, writer: Writer, found: Omit<Cleaned, 'text'>): string {
  const spelled = sequence
    .replaceAll('\uFE0F', '')
    .replaceAll(/[[\p{Extended_Pictographic}]--[\p{Emoji_Presentation}]](?!\p{Emoji_Modifier})/gv, '$&\uFE0F')
  if (emoji.test(spelled)) return spelled
  if (emoji.test(sequence)) return sequence
  const parts = sequence.split(/([\u200D\u{E0020}-\u{E007F}])/u)
  const cleaned = parts.map((part, at) => {
    const { text, removed, strays } = removeInvisible(at % 2 === 0 ? part : '', writer)
    found.removed += removed + (at % 2)
    found.strays += strays + (part === '\u200D' ? 1 : 0)
    return text
  })
  return cleaned.join('')
}

/** What stays of a code point: itself, something in its place, or nothing that counts; null where it is removed. */
function keep(char: string, at: number, text: string, writer: Writer): string | null {
  const code = char.codePointAt(0) ?? 0
  switch (code) {
    case 0xad:
    // Apple Mail writes U+FFFC where a file was.
    case 0xfffc:
      return ''
    case 0xfeff:
      return startsLine(text, at) ? '' : null
    case 0x2028:
    case 0x2029:
      return ' '
    case 0x200b:
      return parts(text, at) ? '' : null
    case 0x200c:
    case 0x200d:
      return keepJoiner(char, at, text)
    case 0x034f:
      return pointed.test(charBefore(text, at)) && pointed.test(charAfter(text, at + 1)) ? char : null
    case 0x180e:
      return mongolian.test(charBefore(text, at)) && /^[\u1820\u1821]/.test(charAfter(text, at + 1))
        ? char
        : null
    case 0xfe0e:
    case 0xfe0f:
      return keepEmojiSelector(char, at, text, writer)
    default:
      return selectors.test(char) && writer === 'mail' && isListed(charBefore(text, at), char) ? char : null
  }
}

const isListed = (base: string, selector: string) =>
  isStandardized(base, selector) || isIdeographic(base, selector)

function keepEmojiSelector(char: string, at: number, text: string, writer: Writer): string | null {
  const base = charBefore(text, at)
  if (!isStandardized(base, char)) return null
  // A figure is an emoji only inside a key.
  if (/^[\d#*]$/.test(base)) return text[at + 1] === '\u20E3' ? char : null
  if (writer === 'mail') return char
  // Elsewhere only the one that changes something: the others could spell out a secret.
  return char === '\uFE0F' && !/^\p{Emoji_Presentation}$/u.test(base) ? char : ''
}

const mongolian = /^\p{Script=Mongolian}$/u
/** A combining grapheme joiner keeps Hebrew points in order. */
const pointed = /^[\p{Script=Hebrew}&&\p{M}]$/v
/** Scripts without spaces between words, where a zero-width space says where a line may break. */
const unspaced = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]$/u

const parts = (text: string, at: number) =>
  unspaced.test(charBefore(text, at)) && unspaced.test(charAfter(text, at + 1))

/** Letters that are joined to their neighbours. */
const cursive =
  /^[[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mandaic}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Phags_Pa}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]&&[\p{L}--[\u0621\u0674\uFB50-\uFEFF\u{1EE00}-\u{1EEFF}]]]$/v
/** Of these, those that are not joined to what follows. */
const ending =
  /^[\u0622-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB\u06CD\u06CF\u06D2\u06D3\u06D5\u06EE\u06EF\u0710\u0715-\u0719\u071E\u0728\u072A\u072C\u072F\u074D\u0759-\u075B\u076B\u076C\u0771\u0773\u0774\u0778\u0779\u0840\u0846\u0847\u0849\u0854\u0856-\u0858\u0867\u0869\u086A\u0870-\u0882\u088E\u08AA-\u08AC\u08AE\u08B1\u08B2\u08B9]$/
/** Signs that join a consonant to the next one, in scripts that can write the two in several ways. */
const virama =
  /^[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0C4D\u0CCD\u0D4D\u0DCA\u1B44\uA9C0\u{11046}\u{11133}\u{111C0}\u{1134D}\u{11442}\u{114C2}\u{1163F}\u{11F42}]$/u

/** Kept where it changes how its neighbours are drawn. Where the script has joiners that change nothing, they do not count. */
function keepJoiner(char: string, at: number, text: string): string | null {
  const joins = char === '\u200D'
  const [before, after] = [charBefore(text, at), charAfter(text, at + 1)]
  if (virama.test(before)) return joins || /^\p{L}$/u.test(after) ? char : null
  if (virama.test(after)) return /^\p{L}$/u.test(before) ? char : null
  // The two conjuncts of Tamil, and the marks of Khmer that change with the vowel above.
  if (before === '\u0BCD') return /^[\u0BB7\u0BB0]$/.test(after) ? char : ''
  if (/^[\u17C9\u17CA]$/.test(after)) return unspaced.test(before) ? char : null
  const [last, next] = [letterBefore(text, at), letterAfter(text, at + 1)]
  const [isLast, isNext] = [cursive.test(last) && !ending.test(last), cursive.test(next)]
  if (joins ? isLast !== isNext : isLast && isNext) return char
  return cursive.test(last) && isNext ? '' : null
}

/** Marks above and below a letter do not separate it from its neighbours. */
const mostMarks = 4

function letterBefore(text: string, at: number): string {
  let char = charBefore(text, at)
  for (let marks = 0; marks < mostMarks && isMark(char); marks += 1) {
    at -= char.length
    char = charBefore(text, at)
  }
  return char
}

function letterAfter(text: string, at: number): string {
  let char = charAfter(text, at)
  for (let marks = 0; marks < mostMarks && isMark(char); marks += 1) {
    at += char.length
    char = charAfter(text, at)
  }
  return char
}

const isMark = (char: string) => /^\p{M}$/u.test(char) && !suspect.test(char)

const directions = /[\u061C\u200E\u200F\u202A-\u202C\u2066-\u2069]/g
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu

/** Marks that set a direction, without overrides, and the letters that are written from right to left. */
export function countDirections(text: string): { marks: number; letters: number } {
  return { marks: text.match(directions)?.length ?? 0, letters: text.match(rightToLeft)?.length ?? 0 }
}

/** Also behind quote marks: an iPhone puts a byte order mark before the first word that it quotes. */
function startsLine(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '>' || text[start - 1] === ' ') start--
  return start === 0 || text[start - 1] === '\n'
}

function charBefore(text: string, at: number): string {
  const code = text.charCodeAt(at - 1)
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(at - 2, at) : text.slice(at - 1, at)
}

function charAfter(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/**
 * Message-IDs and similar identifiers are stored byte for byte, because they are compared. For display, everything but
 * printable ASCII is percent-encoded, so that they cannot contain anything invisible.
 */
export function printable(identifier: string): string {
  return identifier.replaceAll(/[^ -~]/gu, (char) =>
    Array.from(
      Buffer.from(char, char > '\xff' ? 'utf8' : 'latin1'),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  )
}

/** Length of the text without white space. */
export function countText(text: string): number {
  return text.length === 0 ? 0 : text.replaceAll(/\s+/g, '').length
}
