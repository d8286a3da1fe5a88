/**
 * The rule for what the team itself writes. Agents are given names without a fence, and colleagues read them beside
 * words from outside, so a name must say what it looks like and look like nobody else's.
 */

import { SpoolError } from '../errors.ts'
import { removeInvisible } from '../invisible.ts'

export const longestName = 80

/** Nothing in it needs a closer look. */
const plain = /^[ -;=?-~]*$/
const control = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u
/** The blank of Braille, and code points that mean nothing: fonts draw them as nothing, or all alike. */
const meaningless = /[\u2800\p{Co}\p{Cn}]/gu

/** `what` begins the sentence of a refusal: "The name". */
export function checkName(name: string, what = 'A name'): string {
  const trimmed = name.trim()
  const letters = [...trimmed].length
  if (letters === 0 || letters > longestName)
    throw new SpoolError('bad_parameter', `${what} must have 1 to ${longestName} characters.`)
  if (/[<>]/.test(trimmed)) throw new SpoolError('bad_parameter', `${what} cannot contain < or >.`)
  const { text, removed } = removeInvisible(trimmed)
  if (removed > 0 || control.test(trimmed) || trimmed.search(meaningless) !== -1)
    throw new SpoolError(
      'bad_parameter',
      `${what} cannot contain control characters, or characters that are invisible or change the direction of text.`,
    )
  return text.trim()
}

/** A name that was stored or sent before the rule, or by a program, as it may be shown. */
export function cleanName(name: string): string {
  if (name.length <= longestName && plain.test(name)) return name
  const text = removeInvisible(
    name
      .toWellFormed()
      .replaceAll(meaningless, ' ')
      .replaceAll(/[\s\p{Cc}]+/gu, ' '),
  )
    .text.replaceAll('<', '‹')
    .replaceAll('>', '›')
    .trim()
  const letters = [...text]
  return letters.length <= longestName ? text : `${letters.slice(0, longestName - 1).join('')}…`
}

/** Stored JSON with names of the team in it, such as an event's. */
export function parseNames(json: string): unknown {
  if (plain.test(json)) return JSON.parse(json)
  return JSON.parse(json, (key, value: unknown) =>
    key === 'name' && typeof value === 'string' ? cleanName(value) || 'Unnamed' : value,
  )
}

/** A text of several lines: what nobody sees is left out, because people paste it without knowing. */
export function cleanLines(text: string): string {
  return removeInvisible(text.toWellFormed().replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')).text
}

/** Letters of other scripts that look like Latin ones, in pairs. */
const alikeLatin =
  // Cyrillic
  'аaАAвbВBеeЕEѕsЅSіiІIјjЈJкkКKмmМMнhНHоoОOрpРPсcСCтtТTуyУYүyҮYхxХXһhԁdԛqԝwӏlӀIьbЬbгrпnѵvѴVԌGғf' +
  // Greek
  'αaΑAβbΒBεeΕEζzΖZηnΗHιiΙIκkΚKΜMνvΝNοoΟOρpΡPσoςcτtΤTυuΥYχxΧXωwγyϲcϳj' +
  // Armenian
  'օoՕOսuՍUոnՈnհhզqցgյjաwռnՏSԼLտu' +
  // Cherokee, then its small letters
  'ᎠDᎡRᎢTᎪAᎫJᎬEᎳWᎷMᎻHᏀGᏃZᏒRᏙVᏚSᏞLᏟCᏢPᏦKᏴBᏂhᏏbᎥiꭰDꭱRꭲTꭺAꭻJꭼEꮃWꮇMꮋHꮐGꮓZꮢRꮩVꮪSꮮLꮯCꮲPꮶKꭵi' +
  // Lisu
  'ꓐBꓑPꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴU' +
  // Small capitals
  'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz' +
  // Latin
  'ıiɑaɡgłlŁLøoØOđdĐDħhĦHßb'
const latin = new Map<string, string>()
for (let at = 0; at < alikeLatin.length; at += 2) latin.set(alikeLatin[at]!, alikeLatin[at + 1]!)

/** Vowels of Hindi or Thai are marks, too, but tell names apart. */
const overlooked = /[[\p{M}&&[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}]]\p{P}\p{Z}]/gv

/** Names with the same skeleton look alike: in case, accents, look-alikes of other scripts, blanks and punctuation. */
export function skeletonOf(name: string): string {
  const letters = [...name.normalize('NFKD').replaceAll(overlooked, '')]
  return letters
    .map((letter) => latin.get(letter) ?? letter)
    .join('')
    .toLowerCase()
    .replaceAll(/[1|i]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}
