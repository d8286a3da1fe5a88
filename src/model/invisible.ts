/** Invisible code points are removed and counted, except where a script or an emoji needs them. */

/** Cheap pre-check: almost no text has any of these. White space is visible, so those control characters stay. */
const suspect = /[\p{Default_Ignorable_Code_Point}\0-\x08\v\x0E-\x1F\x7F-\x9F\uFFF9-\uFFFC]/u
const suspects = new RegExp(suspect, 'gu')

/**
 * Scripts whose letters change with a joiner between them. A joiner next to another invisible character is not needed.
 */
const joining =
  /^[[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mandaic}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Thaana}\p{Script=Inherited}]--\p{Default_Ignorable_Code_Point}]$/v
const flags = new Set(['gbeng', 'gbsct', 'gbwls'])

export function removeInvisible(text: string): { text: string; removed: number } {
  if (!suspect.test(text)) return { text, removed: 0 }
  let removed = 0
  const cleaned = text.replace(suspects, (char: string, at: number) => {
    // Apple Mail writes U+FFFC where a file was.
    if (char === '\u00AD' || char === '\uFFFC') return ''
    if (char === '\uFEFF' && startsLine(text, at)) return ''
    if (isNeeded(char, at, text)) return char
    removed += 1
    return ''
  })
  return { text: cleaned, removed }
}

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

function isNeeded(char: string, at: number, text: string): boolean {
  const before = charBefore(text, at)
  const code = char.codePointAt(0) ?? 0
  if (code === 0x200d || code === 0x200c) {
    const after = charAfter(text, at + 1)
    if (code === 0x200d && joinsEmoji(text, at, before, after)) return true
    return joining.test(before) && joining.test(after)
  }
  if (code >= 0xe0020 && code <= 0xe007f) return inFlag(text, at)
  if (suspect.test(before)) return false
  if (code === 0xfe0f || code === 0xfe0e) return /^[\p{Emoji}\p{Extended_Pictographic}]$/u.test(before)
  if (code >= 0xfe00 && code <= 0xfe0d)
    return /^[\p{Script=Han}\p{S}\p{Script=Mongolian}\p{Script=Myanmar}]$/u.test(before)
  if (code >= 0xe0100 && code <= 0xe01ef) return /^\p{Script=Han}$/u.test(before)
  if (code >= 0x180b && code <= 0x180f) return /^\p{Script=Mongolian}$/u.test(before)
  return false
}

function joinsEmoji(text: string, at: number, before: string, after: string): boolean {
  if (!/^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u.test(after)) return false
  if (/^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u.test(before)) return true
  return before === '\uFE0F' && /^\p{Extended_Pictographic}$/u.test(charBefore(text, at - 1))
}

function inFlag(text: string, at: number): boolean {
  const near = Math.max(0, at - 14)
  const found = text.slice(near, at).lastIndexOf('\u{1F3F4}')
  if (found < 0) return false
  const start = near + found
  const run = /^\u{1F3F4}([\u{E0061}-\u{E007A}]{5})\u{E007F}/u.exec(text.slice(start, start + 16))
  if (!run || at >= start + run[0].length) return false
  const name = [...(run[1] ?? '')]
    .map((char) => String.fromCharCode((char.codePointAt(0) ?? 0) - 0xe0000))
    .join('')
  return flags.has(name)
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
