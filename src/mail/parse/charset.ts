import { TextDecoder } from 'node:util'
import { isUtf8 } from 'node:buffer'
import { guessCharset } from './guess-charset.ts'
import { spend } from '../work.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const windows1252 = new TextDecoder('windows-1252')

/** Names that mail uses and the Encoding Standard does not know. */
const aliases: Record<string, string> = {
  'iso-8859-8-e': 'iso-8859-8',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  cp874: 'windows-874',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  eucjp: 'euc-jp',
  'gb2312-80': 'gbk',
  'windows-936': 'gbk',
  'windows-950': 'big5',
  'windows-932': 'shift_jis',
  tis620: 'windows-874',
  latin: 'windows-1252',
  'x-mac-roman': 'macintosh',
}

/** The upper halves of DOS code pages, which `TextDecoder` does not know; it does know 866. */
const dosPages: Record<string, string> = {
  437: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  850: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
  852: 'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\xad˝˛ˇ˘§÷¸°¨˙űŘř■\xa0',
  858: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
}

/** Senders can make up labels, which must not grow this map without limit. */
const decoders = new Map<string, TextDecoder | null>()
const mostDecoders = 200
/** An unknown name costs an error with its stack trace, some tens of microseconds. */
const stepsForName = 500

function findDecoder(label: string): TextDecoder | null {
  const known = decoders.get(label)
  if (known !== undefined) return known
  let decoder: TextDecoder | null = null
  for (const name of new Set([
    label,
    aliases[label] ?? label,
    label.replace(/^x-/, ''),
    label.replaceAll('_', '-'),
  ])) {
    spend(stepsForName)
    try {
      decoder = new TextDecoder(name)
      break
    } catch {
      // the next spelling may be known
    }
  }
  if (decoders.size >= mostDecoders) decoders.clear()
  decoders.set(label, decoder)
  return decoder
}

const looseLabels = new Set([
  '',
  ...'us-ascii ascii ansi_x3.4-1968 unknown unknown-8bit x-unknown 8bit binary default'.split(' '),
])

/**
 * Decodes bytes in the charset they claim. With an unknown or empty claim, or a claim of ASCII, they are UTF-8 if
 * valid, else the charset is guessed from the letters.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const label = charset
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, '')
  if (looseLabels.has(label)) return guessText(bytes)
  if (label === 'utf-7' || label === 'unicode-1-1-utf-7' || label === 'utf7') return decodeUtf7(bytes)
  if (label === 'iso-2022-jp-2') return decodeIso2022Jp2(bytes)
  const dosPage = dosPages[/^(?:x-)?(?:cp|ibm|dos|pc)?[-_]?0*(\d{3})$/.exec(label)?.[1] ?? '']
  if (dosPage !== undefined)
    return Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\x80-\xff]/g, (letter) => dosPage[letter.charCodeAt(0) - 128]!)
  const decoder = findDecoder(label)
  if (decoder === null) return guessText(bytes)
  const text = decoder.decode(bytes)
  // If not a single non-ASCII character decodes as UTF-8, the text was not written in it.
  const isWrong =
    decoder.encoding === 'utf-8' &&
    text.includes('\ufffd') &&
    !/[^\0-\x7f\ufffd]/.test(text) &&
    !isUtf8(bytes)
  return isWrong ? guessText(bytes) : text
}

export function guessText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return (findDecoder(guessCharset(bytes)) ?? windows1252).decode(bytes)
  }
}

/** RFC 2152. Still found in mail of old servers; a run that is not UTF-7 stays as written. */
function decodeUtf7(bytes: Uint8Array): string {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return source.replace(/\+([A-Za-z0-9+/]*)-?/g, (run, code: string) => {
    if (code === '') return run === '+-' ? '+' : run
    const units = Buffer.from(code, 'base64')
    if (units.length < 2) return run
    let text = ''
    for (let i = 0; i + 1 < units.length; i += 2) text += String.fromCharCode(units.readUInt16BE(i))
    return text
  })
}

/** RFC 1554: Japanese in which `ESC N` takes one letter from Latin-1 or Greek, as chosen by `ESC . A` or `ESC . F`. */
function decodeIso2022Jp2(bytes: Uint8Array): string {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const japanese = new TextDecoder('iso-2022-jp')
  let charset = 'iso-8859-1'
  const pieces = source.split(/(\x1b\.[AF]|\x1bN[\x20-\x7f])/)
  return pieces
    .map((piece, index) => {
      if (index % 2 === 0)
        return japanese.decode(Buffer.from(piece, 'latin1'), { stream: index < pieces.length - 1 })
      if (piece[1] === 'N') return decodeText(Uint8Array.of(piece.charCodeAt(2) | 0x80), charset)
      charset = piece[2] === 'A' ? 'iso-8859-1' : 'iso-8859-7'
      return ''
    })
    .join('')
}

/** PostgreSQL cannot store U+0000, and a lone surrogate is not valid text anywhere. */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole
}

/** At most `bytes` of UTF-8, cut between characters. */
export function cutText(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes))
  return text.slice(0, read)
}

/** The first bytes of a text. Not cut inside a UTF-8 character: the rest would no longer be recognised as UTF-8. */
export function cutBytes(bytes: Uint8Array, size: number): Uint8Array {
  const isInside = (at: number): boolean => (bytes[at] ?? 0) >> 6 === 0b10
  const start = [size, size - 1, size - 2, size - 3].find((at) => !isInside(at))
  return bytes.subarray(0, Math.max(0, start ?? size))
}
