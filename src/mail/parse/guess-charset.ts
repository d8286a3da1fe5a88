/** Guesses the charset of 8-bit text without a label that is not UTF-8, by the letter frequencies of languages. */

import { spend } from '../work.ts'

interface Candidate {
  charset: string
  /** Letters that are frequent in text in this charset. */
  frequent: Set<string>
  /** Its non-ASCII letters occur among ASCII letters, not in words of their own. */
  amongAscii: boolean
  script: RegExp
  wide?: boolean
}

const latin = /\p{Script=Latin}/u
const cyrillic = /\p{Script=Cyrillic}/u
const han = /\p{Script=Han}/u

const candidates: Candidate[] = [
  one('windows-1252', 'éèàçüöäßñíóáêôãõúâîëïøåæÄÖÜÉ', latin, true),
  one('iso-8859-2', 'ąęłńóśźżćáéířšžýůčěőűöüäâîșțĄŁŚŻ', latin, true),
  one('windows-1250', 'ąęłńóśźżćáéířšžýůčěőűöüäâîșțĄŁŚŻ', latin, true),
  one('windows-1254', 'ışğçöüİŞĞÇÖÜ', latin, true),
  one('windows-1251', 'оеаинтсрвлкмдпуяызьбгч', cyrillic),
  one('koi8-r', 'оеаинтсрвлкмдпуяызьбгч', cyrillic),
  one('windows-1253', 'αοιετσνηυρκπμλωςάίέόή', /\p{Script=Greek}/u),
  one('windows-1255', 'יוהלאתרבמשנדחקכפעםן', /\p{Script=Hebrew}/u),
  one('windows-1256', 'الينمرتبهوسدفعكقحة', /\p{Script=Arabic}/u),
  one('windows-874', 'านรกอเงยลมวทดคสตปบ่้', /\p{Script=Thai}/u),
  wide('shift_jis', 'のにはをたがでてとしれさいますかなりくあ', /[\u3041-\u30fa]|\p{Script=Han}/u),
  wide('euc-jp', 'のにはをたがでてとしれさいますかなりくあ', /[\u3041-\u30fa]|\p{Script=Han}/u),
  wide('euc-kr', '이다는을에의가고하지한로은사기도시자어니', /\p{Script=Hangul}/u),
  wide('gbk', '的一是不了在有我他这中大来上个国和到说时要们为你以会请', han),
  wide('big5', '的一是不了在有我他這中大來上個國和到說時要們為你以會請', han),
]

function one(charset: string, frequent: string, script: RegExp, amongAscii = false): Candidate {
  return { charset, frequent: new Set(frequent), script, amongAscii }
}

function wide(charset: string, frequent: string, script: RegExp): Candidate {
  return { ...one(charset, frequent, script), wide: true }
}

/** Bytes to look at: the beginning is enough. */
const looked = 4000

/** The name of a charset: windows-1252, the most usual one in mail without a label, unless another fits better. */
export function guessCharset(bytes: Uint8Array): string {
  const first = bytes.findIndex((byte) => byte >= 0x80)
  const sample = bytes.subarray(Math.max(0, first - 40), first + looked)
  spend(candidates.length * (20 + 2 * sample.length))
  const high = sample.filter((byte) => byte >= 0x80).length
  if (high < 6) return 'windows-1252'
  let best = { charset: 'windows-1252', score: scoreOf(candidates[0]!, sample) }
  for (const candidate of candidates) {
    const score = scoreOf(candidate, sample)
    if (score > best.score + 0.1) best = { charset: candidate.charset, score }
  }
  return best.charset
}

/** Per letter: 1 if all are frequent, less for rare ones, negative for characters that are no letters of the script. */
function scoreOf(
  { charset, frequent, amongAscii, script, wide: isWide }: Candidate,
  sample: Uint8Array,
): number {
  const text = new TextDecoder(charset).decode(sample)
  let letters = 0
  let score = 0
  let before = ''
  for (const letter of text) {
    if (letter >= '\x80') {
      letters += 1
      if (frequent.has(letter)) score += 1
      else if (script.test(letter))
        score += isUpper(letter) && script.test(before) ? -0.5 : isWide ? 0.45 : 0.3
      else score -= letter === '\ufffd' || letter < '\xa0' ? 4 : isPunctuation(letter) ? 0 : 1
      if (!isWide && amongAscii !== /[a-z]/i.test(before) && script.test(before) !== !amongAscii) score -= 0.4
    }
    before = letter
  }
  return letters === 0 ? 0 : score / letters
}

const isUpper = (letter: string) => letter !== letter.toLowerCase()
const isPunctuation = (letter: string) => /[\p{P}\p{Z}\p{Nd}]/u.test(letter)
